"""What changed in a file past Reading Room, against what was decided: for a person who is to take it for right.

Reads the ledger and the folder; decides and changes nothing.
"""

from pathlib import Path

import msgspec

from ..digest import digest_of
from ..drafts.diff import Hunk, hunks
from ..drafts.warnings import Change, warnings
from ..ledger.model import Kind
from ..ledger.reading import LedgerReading
from ..rules import Rules
from .outcomes import Refused
from .standing import content_at
from .verifying import FileFault
from .waiting import text_of

_KINDS: dict[str, Kind] = {"added": "create", "missing": "delete", "changed": "replace"}


class PastUs(msgspec.Struct, frozen=True, kw_only=True):
    """The change of one file: sentences to be read first, and the difference; `text` says why there is none, or ""."""

    fault: FileFault
    warnings: tuple[str, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    text: str = ""


def past_us(reading: LedgerReading, root: Path, rules: Rules, fault: FileFault) -> PastUs:
    """What changed, if the file still is what was found and the ledger keeps what was decided."""
    try:
        now = content_at(root, rules, fault.path)
    except (Refused, OSError):
        return PastUs(fault=fault, text="It cannot be read as it is now.")
    if (None if now is None else digest_of(now)) != fault.found:
        return PastUs(fault=fault, text="It has changed again since it was checked.")
    if fault.expected and reading.content_fault(fault.expected):
        return PastUs(fault=fault, text="What it was before is not kept in the ledger; compare it yourself.")
    before = reading.content(fault.expected) if fault.expected else None
    texts = text_of(before), text_of(now)
    is_text = (texts[0] is None, texts[1] is None) == (before is None, now is None)
    return PastUs(
        fault=fault,
        warnings=warnings(Change(_KINDS[fault.kind], fault.path, "", before, now), rules),
        hunks=hunks(texts[0] or "", texts[1] or "") if is_text else (),
        text="" if is_text else "It is no text, before or now.",
    )
