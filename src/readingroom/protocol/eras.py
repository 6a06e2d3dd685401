"""Which era a message is of, decided for each message alone (ERA-12 to ERA-16). Pure, small, and knows no session.

The modern era names its version in every request's metadata. The older one agrees on a version once, by `initialize`.
"""

from typing import Any, Literal, TypeAlias

import msgspec

from .versions import PROTOCOL_VERSION

OLDER: tuple[str, ...] = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The versions of the older era that are served, newest first."""

Era: TypeAlias = Literal["modern", "older", "neither"]


def names_version(params: Any) -> bool:
    """Say whether parameters, as text or as a value, name a version in their metadata: whichever it is, that is modern."""
    if isinstance(params, msgspec.Raw):
        try:
            params = msgspec.json.decode(params)
        except (msgspec.DecodeError, RecursionError):
            return False
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and PROTOCOL_VERSION in meta


def era_on_http(
    *, names_version: bool, version_header: str | None, method: str | None, has_session: bool
) -> Era:
    """Give the era of a message that was posted (ERA-13, ERA-15).

    `version_header` is the value of MCP-Protocol-Version, `has_session` says whether the request names a session. What is
    of neither era lacks the header, and is refused for that.
    """
    if names_version or (version_header is not None and version_header not in OLDER):
        return "modern"
    if method == "initialize" or version_header is not None or has_session:
        return "older"
    return "neither"
