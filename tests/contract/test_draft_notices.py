"""Who listens to a draft is told of its decision, of what comes in the way, and of its document."""

import pytest

from readingroom.library import Library
from support.desks import Desk, decide, heard
from support.drafted import FEES, kept
from support.processes import until
from support.shelves import Shelves


def test_who_listens_to_a_draft_is_told_of_its_decision(desk: Desk, library: Library) -> None:
    """And of nobody else's; whoever else listens to that address hears nothing."""
    mine, other = kept(desk), kept(desk, principal="other")
    at = desk.listen(resourceSubscriptions=[mine["uri"], other["uri"], "library:///fees.md"])
    others = desk.listen("other", resourceSubscriptions=[mine["uri"]])
    told: list[str] = []
    decide(library, mine["draft"], "published")
    decide(library, other["draft"], "rejected")

    def is_told() -> bool:
        told.extend(heard(at))
        return mine["uri"] in told

    until(is_told)
    last = kept(desk, "operation-7", kind="create", path="n.md", content="x")
    at_last = desk.listen(resourceSubscriptions=[last["uri"]])
    decide(library, last["draft"], "rejected")
    until(lambda: heard(at_last) == [last["uri"]])
    assert set(told) == {mine["uri"]}
    assert heard(others) == []
    for subscription in (at, others, at_last):
        subscription.close()


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_who_listens_is_told_when_something_comes_in_the_way(desk: Desk, shelves: Shelves, kind: str) -> None:
    """Also what is no document, and so in no index."""
    draft = kept(desk, kind="create", path="new.md", content="# New\n")
    at = desk.listen(resourceSubscriptions=[draft["uri"]])
    until(lambda: heard(at) == [draft["uri"]])  # it had just been made
    if kind == "folder":
        (shelves.docs / "new.md").mkdir()
    else:
        (shelves.docs / "new.md").write_bytes(b"\0\0")
    until(lambda: heard(at) == [draft["uri"]])
    told = desk.tool("draft_read", draft=draft["draft"])["structuredContent"]["draft"]
    assert (told["state"], told["reason"]) == ("outdated", "taken")
    at.close()


def test_who_listens_is_told_when_the_document_changes(
    desk: Desk, library: Library, shelves: Shelves
) -> None:
    """For the draft reads otherwise then: it is outdated, or not any more."""
    draft = kept(desk)
    at = desk.listen(resourceSubscriptions=[draft["uri"]])
    until(lambda: heard(at) == [draft["uri"]])  # it had just been made
    for content, state in ((FEES + "\nMore.\n", "outdated"), (FEES, "open")):
        shelves.write("fees.md", content, at=None)
        library.reconcile()
        until(lambda: heard(at) == [draft["uri"]])
        assert desk.tool("draft_read", draft=draft["draft"])["structuredContent"]["draft"]["state"] == state
    at.close()
