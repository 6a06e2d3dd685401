"""Operation keys: whoever sends a call twice gets one answer. What was asked is known by its digest, and kept no longer.

Keys are a principal's own. A refusal is not kept: the same call may be sent again when its reason has gone.
"""

import hashlib
from typing import Any

import msgspec

from ..errors import DraftRefused
from ..ledger import Operation
from .model import DraftAnswer, DraftInfo

_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-")
_LEAST, _MOST = 8, 128


def check_key(key: str) -> None:
    """Raise DraftRefused (bad_operation) for what can be no key."""
    if not _LEAST <= len(key) <= _MOST or not _CHARACTERS.issuperset(key):
        raise DraftRefused(
            "bad_operation",
            "That can be no operation key.",
        )


def fingerprint(tool: str, arguments: Any) -> str:
    """The digest of a call. Raises DraftRefused (not_text) for a text that no call can carry."""
    try:
        return hashlib.sha256(msgspec.json.encode([tool, arguments])).hexdigest()
    except UnicodeEncodeError:
        raise DraftRefused(
            "not_text", "A text holds half of a surrogate pair, which is no character."
        ) from None


def answered(kept: Operation | None, asked: str) -> DraftAnswer | None:
    """The answer that is kept under a key, if that was used before.

    Raises DraftRefused (operation_reused) when it was used for another call, and says nothing of that.
    """
    if kept is None:
        return None
    if kept.fingerprint != asked:
        raise DraftRefused(
            "operation_reused",
            "This operation key was used for another call.",
        )
    return DraftAnswer(msgspec.json.decode(kept.result, type=DraftInfo), replayed=True)


def result_of(answer: DraftAnswer) -> bytes:
    """What is kept of an answer."""
    return msgspec.json.encode(answer.draft)
