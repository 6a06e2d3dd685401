"""Building requests: parameters of the caller plus the metadata that every request carries (META-1, META-2).

The metadata is encoded once for a client. A request is put together in two steps, so that the costly one, encoding what
the caller gave, needs no id.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..errors import UsageError
from ..protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LATEST, LOG_LEVEL, PROTOCOL_VERSION, Identity
from ..protocol.eras import OLDER
from ..wire import RequestId, encode, encode_notification

Params = Mapping[str, Any]


class Prepared(msgspec.Struct, frozen=True):
    """A request without its id: `framed` puts the id in.

    `version` is that of the metadata, and `params` are the caller's parameters as they were given: for headers.
    """

    method: str
    body: bytes
    has_token: bool
    wants_log: bool = False
    params: Params | None = None
    version: str = LATEST
    joint: bytes = b","

    def framed(self, request_id: int) -> bytes:
        """Give the message as a line; the progress token, where one is asked for, is the id (PROG-1)."""
        end = b'%b"progressToken":%d}}}\n' % (self.joint, request_id) if self.has_token else b"}}}\n"
        return b'{"jsonrpc":"2.0","id":%d,"method":%b%b' % (request_id, self.body, end)


class RequestBuilder:
    """Builds the messages of one client in one version. Those of the older era have no metadata but the caller's."""

    __slots__ = ("_encoded_meta", "_meta", "capabilities", "identity", "is_older", "version")

    def __init__(self, identity: Identity, capabilities: Params, version: str = LATEST) -> None:
        self.identity = identity
        self.capabilities = dict(capabilities)
        self.version = version
        self.is_older = version in OLDER
        self._meta: dict[str, Any] = {
            PROTOCOL_VERSION: version,
            CLIENT_CAPABILITIES: self.capabilities,
            CLIENT_INFO: identity,
        }
        encoded = encode_checked(self._meta)[:-1]
        if self.is_older:
            self._meta = {}
        self._encoded_meta = b"{" if self.is_older else encoded

    def prepare(self, method: str, params: Params | None, *, progress: bool = False) -> Prepared:
        """Encode a request; a `_meta` among `params` is kept, under the members that the protocol requires.

        Raises: UsageError when `params` cannot be said in JSON.
        """
        if params is not None and not isinstance(params, dict):
            params = _as_dict(params)
        meta = self._encoded_meta
        wants_log = False
        if params and "_meta" in params:
            meta = self._merged(params["_meta"])
            wants_log = LOG_LEVEL in params["_meta"]
            params = {key: value for key, value in params.items() if key != "_meta"}
        # The metadata comes last, so that a token can be added to it without encoding again.
        text = encode_checked(params)[:-1] + b',"_meta":' if params else b'{"_meta":'
        body = b'%b,"params":%b%b' % (encode(method), text, meta)
        joint = b"" if meta == b"{" else b","
        return Prepared(method, body, progress, wants_log, params, self.version, joint)

    def _merged(self, given: Any) -> bytes:
        """Encode the caller's metadata under ours; a progress token would be taken for one of ours."""
        if not isinstance(given, Mapping):
            raise UsageError(f"_meta must be a mapping, not {type(given).__name__}")
        own = {key: value for key, value in given.items() if key != "progressToken"}
        return encode_checked(own | self._meta)[:-1]

    @staticmethod
    def cancelled(request_id: RequestId, reason: str) -> bytes:
        """Give the message that cancels a request, as a line (CAN-1)."""
        return (
            encode_notification("notifications/cancelled", {"requestId": request_id, "reason": reason})
            + b"\n"
        )


def _as_dict(params: Any) -> dict[str, Any]:
    if not isinstance(params, Mapping):
        raise UsageError(f"params must be a mapping, not {type(params).__name__}")
    return dict(params)


def encode_checked(value: Any) -> bytes:
    """Encode what the caller gave.

    Raises: UsageError for what JSON cannot say: other types, lone surrogates, NaN and infinities.
    """
    try:
        text = encode(value)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise UsageError(f"the parameters cannot be said in JSON: {error}") from error
    # The encoder writes null for a number that is none, and what is sent must be what was given.
    if b"null" in text and _has_nan(value):
        raise UsageError("the parameters cannot be said in JSON: they hold NaN or an infinity")
    return text


def _has_nan(value: Any) -> bool:
    if isinstance(value, float):
        return value - value != 0
    if isinstance(value, Mapping):
        return any(_has_nan(item) for item in value.values())
    return isinstance(value, list | tuple | set | frozenset) and any(_has_nan(item) for item in value)
