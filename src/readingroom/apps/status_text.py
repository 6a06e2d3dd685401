"""The state of a library in words, for the operator at a terminal."""

from typing import TYPE_CHECKING

from .characters import one_line
from .counting import ago, counted, size_text
from .layout import two_columns
from .terminal import Terminal

if TYPE_CHECKING:
    from ..library.ledger import LedgerLook
    from ..library.operator import RoleStatus, Status

_FEW = 10


def status_lines(status: "Status", out: Terminal, *, now: float, everything: bool) -> list[str]:
    """Give the lines to print; long lists are cut short unless `everything` is asked for."""
    limit = None if everything else _FEW
    return [
        out.paint("bold", one_line(status.root)),
        *_facts(status, now),
        *_listed("Internal", [(item.path, item.reason) for item in status.internal_documents], out, limit),
        *_listed("Left out", [(item.path, item.reason) for item in status.left_out], out, limit),
        *_listed("Warnings", [(item.path, item.text) for item in status.notices], out, limit),
    ]


def _facts(status: "Status", now: float) -> list[str]:
    facts = [("documents", f"{status.public:,} public, {status.internal:,} internal")]
    facts += [(role.role, _role_text(role)) for role in status.roles]
    facts.append(("scanned", _scan_text(status, now)))
    if status.trouble:
        facts.append(("trouble", one_line(status.trouble)))
    facts.append(("index in", one_line(status.index)))
    if status.ledger is not None:
        facts.append(("ledger", _ledger_text(status.ledger)))
    columns = max(len(name) for name, _ in facts)
    return [f"  {name:{columns}}  {text}" for name, text in facts]


def _ledger_text(ledger: "LedgerLook") -> str:
    if ledger.trouble:
        return one_line(ledger.trouble)
    held = f"{counted(ledger.open_drafts, 'open draft')}, {counted(ledger.decisions, 'decision')}"
    return f"sound, {held}, in {one_line(ledger.file)}"


def _role_text(role: "RoleStatus") -> str:
    if role.state == "none":
        return "no index yet: `readingroom index` makes it, and so do `serve` and `search`"
    state = {
        "building": ", still being indexed",
        "damaged": ", damaged: it is built anew by the next scan",
    }.get(role.state, "")
    return f"can find {counted(role.documents, 'document')}{state}; the index has {size_text(role.bytes)}"


def _scan_text(status: "Status", now: float) -> str:
    running = "a scan is under way" if status.scanning else ""
    if status.began is None or status.ended is None:
        return running or "not yet"
    import time

    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(status.began))
    took = f"{began}, {ago(now - status.began)}, in {status.ended - status.began:.1f} s"
    return f"{took}; {running}" if running else took


def _listed(title: str, rows: list[tuple[str, str]], out: Terminal, limit: int | None) -> list[str]:
    """Give a list of paths and what is said of each, in two columns."""
    if not rows:
        return []
    shown = [(one_line(path), one_line(said)) for path, said in rows[:limit]]
    lines = two_columns(shown, out.columns)
    if len(rows) > len(shown):
        lines.append(f"  and {len(rows) - len(shown):,} more: --all lists them")
    return ["", out.paint("bold", f"{title}: {len(rows):,}"), *lines]
