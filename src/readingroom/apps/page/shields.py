"""The header fields of every answer of the page: what a browser may do with it, which is as little as will do."""

from collections.abc import MutableMapping
from typing import Any

_NOTHING = (
    "default-src 'none'; style-src 'self'; img-src 'none'; font-src 'none'; connect-src 'none'; object-src 'none'; "
    "script-src 'none'; base-uri 'none'"
)
PAGE_POLICY = f"{_NOTHING}; frame-src 'self'; form-action 'self'; frame-ancestors 'none'"
PREVIEW_POLICY = (
    f"{_NOTHING}; frame-src 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
"""A preview stands in a frame of the page: no script runs in it, no form is sent from it, and it leads nowhere. It keeps its
origin, for a document without one could not load the style sheet."""

_ALWAYS = (
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"x-robots-tag", b"noindex"),
)


def shielded(start: MutableMapping[str, Any], *, is_preview: bool = False) -> MutableMapping[str, Any]:
    """Give the first message of an answer with the fields that every answer has."""
    policy = PREVIEW_POLICY if is_preview else PAGE_POLICY
    frames = b"SAMEORIGIN" if is_preview else b"DENY"
    own = ((b"content-security-policy", policy.encode()), (b"x-frame-options", frames))
    return {**start, "headers": [*start.get("headers", ()), *_ALWAYS, *own]}
