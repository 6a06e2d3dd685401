"""What the operator's commands know of other documents, from the index that an editor's server keeps."""

import io
from pathlib import Path

import pytest

from readingroom.apps.operating import operating
from readingroom.apps.settings import settings_from
from readingroom.apps.terminal import Terminal
from readingroom.library import Library
from support.proposals import Proposals

from .operator_seat import Seat


@pytest.fixture
def proposals(tmp_path: Path) -> Proposals:
    """A folder in which one document links to another."""
    made = Proposals(tmp_path)
    (made.root / "b.md").write_text("see\n\n[greetings](a.md)\n", "utf-8")
    return made


def warnings(proposals: Proposals, draft: str) -> str:
    """What a person is told of a draft before the change."""
    given = {
        "folder": str(proposals.root),
        "cache": str(proposals.root.parent / "cache"),
        "ledger": str(proposals.ledgers),
    }
    with operating(settings_from(given, {}), Terminal(io.StringIO(), {})) as opened:
        return "\n".join(opened.operator.show(draft).warnings)


def test_links_that_would_break_are_told(proposals: Proposals) -> None:
    """As of the last scan of a server for editors."""
    draft = proposals.propose("delete", "a.md")
    assert "The document is deleted" in warnings(proposals, draft)
    with Library.open(proposals.root, roles=("editor",), cache=proposals.root.parent / "cache") as library:
        library.reconcile()
    assert "1 link leads to it and breaks: b.md, line 3." in warnings(proposals, draft)


def test_without_an_index_that_is_told(proposals: Proposals) -> None:
    """And none is made."""
    draft = proposals.propose("rename", "a.md", to="c.md")
    assert "could not be looked at: there is no whole index" in warnings(proposals, draft)
    assert not (proposals.root.parent / "cache").exists()


@pytest.mark.parametrize("command", ["review", "publish", "reject"])
def test_the_index_of_a_server_with_a_cache_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Every command that shows a change is told where it is, as the server was."""
    seat = Seat(tmp_path, monkeypatch)
    seat.set_passphrase()
    (seat.proposals.root / "b.md").write_text("see\n\n[greetings](a.md)\n", "utf-8")
    cache = tmp_path / "cache"
    with Library.open(seat.proposals.root, roles=("editor",), cache=cache) as library:
        library.reconcile()
    draft = seat.proposals.propose("delete", "a.md")
    more = [] if command == "review" else [draft]
    _, shown = seat.run(command, *more, "--cache", str(cache), typed=[("", "q")])
    assert "1 link leads to it and breaks: b.md, line 3." in shown
