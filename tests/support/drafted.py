"""Documents to propose changes of, and proposals that an editor's app makes."""

from typing import Any

from .desks import Desk

FEES = "# Fees\n\nLate fees are ten cents a day.\n\nTen cents are ten cents.\n"
MISSING = "d-" + "a" * 26


def text(result: dict[str, Any]) -> str:
    """The text of a result."""
    return str(result["content"][0]["text"])


def revision(desk: Desk, path: str = "fees.md") -> str:
    """The revision of a document, as an app reads it."""
    return str(desk.tool("library_read", path=path)["structuredContent"]["revision"])


def kept(desk: Desk, operation: str = "operation-1", principal: str = "me", **given: Any) -> dict[str, Any]:
    """Propose an edit of the fees, or what is given; the structured result."""
    arguments = given or {
        "kind": "edit",
        "path": "fees.md",
        "base_revision": revision(desk),
        "edits": [{"old": "Late fees are ten cents", "new": "Late fees are 20 cents"}],
        "note": "Prices went up.",
    }
    result = desk.tool("draft_create", principal, operation=operation, **arguments)
    assert not result.get("isError"), result
    structured: dict[str, Any] = result["structuredContent"]
    return structured
