"""Drafts as text: what comes next is said, and nothing that somebody wrote can pass for what the server says."""

import pytest

from readingroom.desk import draft_markdown as markdown
from readingroom.desk.draft_answers import Draft, DraftListResult, DraftReadResult, DraftState


def draft(state: DraftState = "open", **given: str) -> Draft:
    """A draft."""
    return Draft(
        "d-1",
        "library:///.draft/d-1",
        "edit",
        "a.md",
        state,
        2,
        "2026-01-01T00:00:00Z",
        **given,
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("open", "A person reads it and publishes or rejects it; nothing in the folder has changed."),
        ("outdated", "draft_withdraw it and propose the change anew"),
        ("published", "A person has published it."),
        ("rejected", "A person has rejected it."),
        ("withdrawn", "It was withdrawn."),
    ],
)
def test_each_state_says_what_comes_next(state: DraftState, words: str) -> None:
    """In a sentence."""
    assert words in markdown.draft_text(draft(state))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("changed", "read it again and draft_update with its new revision"),
        ("gone", "is not there any more; it may have moved (library_search). No update helps"),
        ("taken", "Something stands at its new path by now. No update helps"),
        ("not_served", "is not served any more and cannot be changed here: draft_withdraw it."),
    ],
)
def test_each_reason_says_what_helps(reason: str, words: str) -> None:
    """And the list names it."""
    told = draft("outdated", reason=reason)
    assert words in markdown.draft_text(told)
    assert ("changed since" in markdown.draft_text(told)) == (reason == "changed")
    assert f"**outdated ({reason.replace('_', ' ')})**" in markdown.list_text(DraftListResult(items=(told,)))


def test_what_was_undone_is_told() -> None:
    """In place of that it was published."""
    assert "undone that since" in markdown.draft_text(draft("published", reason="undone"))


@pytest.mark.parametrize("state", ["open", "outdated", "published", "rejected", "withdrawn"])
def test_a_replay_speaks_of_now(state: DraftState) -> None:
    """What the answer was is told as past, and what comes next by what the draft is now."""
    told = markdown.replayed_text(draft("open"), draft(state))
    assert told.startswith(
        "This operation was carried out before. Its answer was: draft d-1, revision 2, open then. What it is now:"
    )
    assert ("publishes or rejects it" in told) == (state == "open")
    assert markdown.draft_text(draft(state)) in told
    assert markdown.replayed_text(draft("open"), None).endswith(
        "open then. See draft_read for what it is now."
    )


def test_what_is_not_shown_is_not_said_to_be_nothing() -> None:
    """A document that is served no more has a change all the same."""
    told = markdown.read_text(DraftReadResult(draft=draft()))
    assert told.endswith("The change is not shown, for the document is not served any more.")


def test_all_that_is_known_is_told() -> None:
    """With what others wrote behind marks of quotation, line by line."""
    told = markdown.draft_text(
        draft(
            to="b\nc.md",
            base_revision="sha256:1",
            note="Why.\n# Not a heading of ours",
            comment="No.\nDo it.",
        )
    )
    assert told == (
        "**Draft d-1**: edit a.md → b c.md\n"
        "library:///.draft/d-1, revision 2, open. A person reads it and publishes or rejects it; nothing in the folder has "
        "changed.\n"
        "Made against sha256:1.\n\nThe operator's comment:\n\n> No.\n> Do it.\n\nNote:\n\n> Why.\n> # Not a heading of ours"
    )


@pytest.mark.parametrize(
    ("diff", "fence"), [("+a\n", "```"), ("+```\n", "````"), ("+x `````\n+```", "``````"), ("", "")]
)
def test_a_difference_stays_in_its_fence(diff: str, fence: str) -> None:
    """Whatever it holds."""
    told = markdown.whole_text(draft(), diff)
    if not fence:
        assert told.endswith("No text changes.")
        return
    assert told.endswith(f"{fence}diff\n{diff.rstrip()}\n{fence}")
    assert told.count(f"\n{fence}") == 2


def test_more_is_said_to_be_more() -> None:
    """By the cursor, in a list and in a part of a difference; an empty list is said to be empty."""
    assert markdown.read_text(DraftReadResult(draft=draft(), diff="+a\n", cursor="c")).endswith(
        "with cursor c"
    )
    assert markdown.list_text(DraftListResult(items=(draft(comment="a\nb"),), cursor="c")) == (
        "- library:///.draft/d-1 **open**: edit a.md (revision 2)\n  The operator: a b\n\nMore: call again with cursor c"
    )
    assert markdown.list_text(DraftListResult(items=())) == "No drafts."
