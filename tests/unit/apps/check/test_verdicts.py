"""One verdict for each rule: the worst that was seen, or why nothing was."""

import pytest

from readingroom.apps.check.verdicts import Finding, Notebook


def of(note: Notebook, rule: str) -> Finding:
    """Give the finding of one rule."""
    return note.findings([rule])[0]


@pytest.mark.parametrize(
    ("rule", "strict", "verdict"),
    [
        ("RPC-4", False, "broken"),
        ("STDIO-2", False, "broken"),
        ("TOOL-2", False, "warning"),
        ("TOOL-2", True, "broken"),
        ("RPC-8", True, "warning"),
        ("SHAPE-1", False, "broken"),
    ],
)
def test_levels(rule: str, strict: bool, verdict: str) -> None:
    """MUST counts, SHOULD counts when strict, and what we decided never does, unless it is the schema's."""
    note = Notebook(strict=strict)
    note.broke(rule, "x")
    assert of(note, rule).verdict == verdict


def test_broken_once_is_broken() -> None:
    """However often it is kept; the first evidence stays, and the times are counted."""
    note = Notebook()
    note.kept("RPC-4")
    note.broke("RPC-4", "first", b"a\x1b", {"b": 1})
    note.broke("RPC-4", "second")
    note.settle(["RPC-4"])
    assert of(note, "RPC-4") == Finding("RPC-4", "broken", "first", 'sent a⟨U+001B⟩ · got {"b":1}', 2)
    assert note.is_broken("RPC-4")
    assert note.broken() == ["RPC-4"]


def test_the_worse_of_two_counts() -> None:
    """A warning before it or after it changes nothing."""
    note = Notebook()
    note.broke("RPC-8", "x", counts=False)
    assert of(note, "RPC-8").verdict == "warning"
    note.broke("RPC-8", "x", counts=True)
    assert of(note, "RPC-8").verdict == "broken"
    note.broke("RPC-8", "x", counts=False)
    assert of(note, "RPC-8").verdict == "broken"


def test_what_was_not_reached() -> None:
    """It says why, unless another probe saw it kept; the end of a probe keeps what nothing was said of."""
    note = Notebook()
    note.unreached(["RPC-4", "RPC-5"], "there is none")
    note.settle(["RPC-4", "RPC-6"])
    note.kept("RPC-5")
    assert of(note, "RPC-4") == Finding("RPC-4", "not reached", "there is none")
    assert of(note, "RPC-5").verdict == of(note, "RPC-6").verdict == "kept"
    assert of(note, "RPC-7").detail == "nothing came that it speaks of"
    assert of(note, "RPC-7").about.id == "RPC-7"
