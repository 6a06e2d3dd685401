"""The callbacks of a client: what it can answer when a server asks, which is what it declares (ELIC-1, SAMP-1, ROOT-1)."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from ..errors import UsageError

if TYPE_CHECKING:
    from ..protocol.asking import Ask

Roots: TypeAlias = Iterable[Any] | Callable[[], Any]


class Callbacks(msgspec.Struct, frozen=True):
    """What answers each kind of request; None for what cannot be asked.

    Raises: UsageError for one that cannot be called.
    """

    on_elicit_form: Callable[[Any], Any] | None = None
    on_elicit_url: Callable[[Any], Any] | None = None
    on_sample: Callable[[Any], Any] | None = None
    roots: Any = None

    def __post_init__(self) -> None:
        for name in ("on_elicit_form", "on_elicit_url", "on_sample"):
            callback = getattr(self, name)
            if callback is not None and not callable(callback):
                raise UsageError(f"{name} is a function, not {type(callback).__name__}")
        if self.roots is not None and (isinstance(self.roots, str) or not _gives_several(self.roots)):
            raise UsageError("roots are a list of file:// URIs, or a function that gives one")

    def capabilities(self) -> dict[str, Any]:
        """Give what a client with these declares."""
        declared: dict[str, Any] = {}
        if self.on_elicit_form or self.on_elicit_url:
            modes = {"form": self.on_elicit_form, "url": self.on_elicit_url}
            declared["elicitation"] = {mode: {} for mode, callback in modes.items() if callback}
        if self.on_sample:
            declared["sampling"] = {}
        if self.roots is not None:
            declared["roots"] = {}
        return declared

    def of(self, ask: "Ask") -> Callable[[], Any] | None:
        """Give what is to be called to answer `ask`; None where nothing can."""
        from ..protocol.asking import ElicitForm, ElicitUrl, ListRoots

        if isinstance(ask, ListRoots):
            if self.roots is None:
                return None
            return self.roots if callable(self.roots) else lambda: self.roots
        callback = self.on_sample
        if isinstance(ask, ElicitForm | ElicitUrl):
            callback = self.on_elicit_form if isinstance(ask, ElicitForm) else self.on_elicit_url
        return None if callback is None else lambda: callback(ask)


def _gives_several(roots: object) -> bool:
    return callable(roots) or isinstance(roots, Iterable)


def answer_of(ask: "Ask", given: Any) -> dict[str, Any]:
    """Give what a callback gave as the answer to `ask`. Raises: UsageError for what does not fit."""
    from ..client import asked

    return asked.answer_of(ask, given)


def plain(given: Any) -> Any:
    """Give what a callback gave. Raises: UsageError for a coroutine, which only an AsyncClient can wait for."""
    if hasattr(given, "__await__"):
        if hasattr(given, "close"):
            given.close()
        raise UsageError("a callback that is a coroutine needs an AsyncClient: use `async with`")
    return given
