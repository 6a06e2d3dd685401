"""What a client can be told, whatever its carrier is: one record, and the same as keyword arguments."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict

import msgspec

from .. import __version__
from ..client import RequestBuilder
from ..errors import UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import LATEST, Identity
from .callbacks import Callbacks, Roots

_CEILING = 10


class Options(TypedDict, total=False):
    """What every constructor of a client takes; `Settings` says what each means."""

    timeout: float
    limits: Limits
    name: str
    version: str
    capabilities: Mapping[str, Any] | None
    strict: bool
    close_seconds: float
    on_elicit_form: Callable[[Any], Any] | None
    on_elicit_url: Callable[[Any], Any] | None
    on_sample: Callable[[Any], Any] | None
    roots: Roots | None
    max_rounds: int
    ceiling: float | None
    era: Literal["auto", "modern", "older"]
    probe_seconds: float
    restart: bool
    cache: bool


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What one client was told. Times are seconds.

    Raises: UsageError for a time that is not positive, and for callbacks that are none.
    """

    target: str
    """Names the server in errors."""

    timeout: float = 60.0
    """How long one request may take; `math.inf` for as long as it takes."""

    ceiling: float | None = None
    """How long it may take when progress keeps coming, which begins the timeout anew; ten timeouts unless it is given.

    All pages of a list together have it, too.
    """

    limits: Limits = DEFAULT_LIMITS

    name: str = "readingroom"
    """How the client names itself."""

    version: str = __version__
    """Its version."""

    capabilities: Mapping[str, Any] | None = None
    """What is declared besides what the callbacks declare."""

    strict: bool = True
    """Off: what can be gone on after is counted in `violations` and fails nothing."""

    close_seconds: float = 5.0
    """How long the server may take to end by itself."""

    on_elicit_form: Callable[[Any], Any] | None = None
    """Gets an ElicitForm and gives Elicited, a mapping (accepted) or None (cancelled)."""

    on_elicit_url: Callable[[Any], Any] | None = None
    """Gets an ElicitUrl and says whether the user agreed to open it; None for no answer."""

    on_sample: Callable[[Any], Any] | None = None
    """Gets a CreateMessage and gives Sampled."""

    roots: Any = None
    """`file://` URIs, or pairs with a name, or a function that gives these."""

    max_rounds: int = 8
    """How often one call may ask for input; a server of the older era, sixteen times as many questions in a row."""

    era: Literal["auto", "modern", "older"] = "auto"
    """Which era is spoken: as the server does, today's alone, or the older one alone."""

    probe_seconds: float = 5.0
    """How long a server may be silent before it is taken for one of the older era (ERA-5)."""

    restart: bool = True
    """Whether a server that has ended is started again by the next request."""

    cache: bool = True
    """Whether answers are kept for as long as the server says they are fresh."""

    def __post_init__(self) -> None:
        for time in (self.timeout, self.probe_seconds, 1 if self.ceiling is None else self.ceiling):
            seconds(time)
        if self.era not in ("auto", "modern", "older"):
            raise UsageError("era is auto, modern or older")
        self.callbacks()

    def callbacks(self) -> Callbacks:
        """Give the callbacks; each declares that its kind of question may be asked."""
        return Callbacks(self.on_elicit_form, self.on_elicit_url, self.on_sample, self.roots)

    def builder(self, version: str = LATEST) -> RequestBuilder:
        """Give what builds the requests of one version."""
        declared = self.callbacks().capabilities() | dict(self.capabilities or {})
        return RequestBuilder(Identity(self.name, self.version), declared, version)

    def ceiling_of(self, timeout: float) -> float:
        """Give how long a request may take in all that may be silent for `timeout` seconds."""
        return max(timeout, _CEILING * timeout if self.ceiling is None else self.ceiling)


def seconds(timeout: float) -> float:
    """Check a time limit. Raises: UsageError."""
    if not timeout > 0:
        raise UsageError("a timeout is a positive number of seconds")
    return float(timeout)
