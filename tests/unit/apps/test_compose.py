"""Objects are put together once, late, and under the rules that were given."""

import os
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps import compose
from readingroom.apps.settings import Settings, settings_from
from readingroom.library import BadQuery, Changes, FolderUnusable, Follower, LedgerUnusable
from support.desks import Desk, heard
from support.processes import until
from support.shelves import Shelves


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder with a cache beside it."""
    return Shelves(tmp_path)


def settings(shelves: Shelves, **values: Any) -> Settings:
    """Settings for the folder."""
    return settings_from({"folder": str(shelves.docs), "cache": str(shelves.cache), **values}, {})


def test_the_library_has_the_rules_that_were_given(shelves: Shelves) -> None:
    """Role, patterns and cache reach the library."""
    given = settings(shelves, role="editor", internal=["a/**"], leave_out=["b/**"], principal="me")
    with compose.open_library(given) as library:
        assert library.roles == ("editor",)
        assert (library.rules.internal, library.rules.leave_out) == (("a/**",), ("b/**",))
        assert library.home.folder.parent == shelves.cache
        assert (
            compose.view_of(library, given).principal.name,
            compose.view_of(library, given).principal.role,
        ) == ("me", "editor")


def test_opened_once(shelves: Shelves) -> None:
    """Whoever needs the library first opens it, and scans begin; all get the same one, and closing ends it."""
    opening = compose.Opening(settings(shelves, rescan="7"))
    opening.close()  # nothing has been opened yet
    assert opening.library() is opening.library()
    assert opening.view().principal.role == "reader"
    keeper = opening.library()._keeper
    assert keeper is not None
    assert (keeper.is_running, keeper._every) == (True, 7.0)
    opening.close()
    assert not opening.library().is_running


def test_who_follows_hears_of_changes_once_the_library_is_opened(shelves: Shelves) -> None:
    """Whoever is to follow is made then, and not before; the folder is watched unless the settings say no."""
    heard: list[Changes] = []
    opening = compose.Opening(settings(shelves, no_watch=True))
    opening.follow("reader", lambda: Follower(heard.append))
    library = opening.library()
    assert library._watching is None
    assert library.wait(30)
    until(lambda: library._followers[0]._facts is not None)
    shelves.write("a.md", "x")
    library.reconcile()
    until(lambda: heard == [Changes(listed=True, updated=())])
    opening.close()
    watched = compose.Opening(settings(shelves))
    assert watched.library()._watching is not None
    watched.close()


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"folder": "/no/such/folder"}, FolderUnusable),
        ({"folder": __file__}, FolderUnusable),
        ({"internal": ["a["]}, BadQuery),
        ({"leave_out": [""]}, BadQuery),
    ],
)
def test_check_raises_what_opening_would(
    shelves: Shelves, values: dict[str, Any], kind: type[Exception]
) -> None:
    """What is wrong is told before anything is served, in the words of the library."""
    given = settings(shelves, **values)
    with pytest.raises(kind) as early:
        compose.check(given)
    with pytest.raises(kind) as late:
        compose.open_library(given)
    assert str(early.value) == str(late.value)


def test_check_looks_at_where_the_cache_lies(shelves: Shelves) -> None:
    """A cache among the documents is refused, also behind a link; one with a similar name beside them is not."""
    compose.check(settings(shelves, cache=f"{shelves.docs}-cache"))
    compose.check(settings(shelves, cache=str(shelves.docs / ".cache")))
    compose.check(settings(shelves, internal=["staff/**"]))
    (shelves.docs / "sub").mkdir()
    (shelves.docs.parent / "link").symlink_to(shelves.docs / "sub")
    for cache in (shelves.docs, shelves.docs / "cache", shelves.docs.parent / "link" / "cache"):
        with pytest.raises(FolderUnusable):
            compose.check(settings(shelves, cache=str(cache)))
    behind = settings(
        shelves, folder=str(shelves.docs.parent / "link"), cache=str(shelves.docs / "sub" / "cache")
    )
    with pytest.raises(FolderUnusable):
        compose.check(behind)


def test_check_looks_at_where_the_ledger_lies(shelves: Shelves) -> None:
    """A ledger among the documents is refused before anything is served; one in a hidden folder, or beside them, is not."""
    for ledger in (f"{shelves.docs}-ledger", str(shelves.docs / ".ledger"), "/nowhere/ledger"):
        compose.check(settings(shelves, ledger=ledger))
    for ledger in (str(shelves.docs), str(shelves.docs / "ledger")):
        with pytest.raises(LedgerUnusable, match="inside the folder"):
            compose.check(settings(shelves, ledger=ledger))


def test_the_ledger_is_opened_with_the_first_draft(shelves: Shelves) -> None:
    """At the place that was given, and neither by making a server nor by reading documents."""
    place = shelves.docs.parent / "ledger"
    given = settings(shelves, role="editor", ledger=str(place), no_watch=True)
    opening = compose.Opening(given)
    at = Desk(compose.server_over(opening, given))
    at.ask("tools/list")
    at.tool("library_list")
    assert not place.exists()
    kept = at.tool("draft_create", operation="operation-1", kind="create", path="n.md", content="x")
    assert kept["structuredContent"]["state"] == "open"
    assert opening.library().ledger.path.is_relative_to(place)
    listening = at.listen(resourceSubscriptions=[kept["structuredContent"]["uri"]])
    at.tool("draft_withdraw", operation="operation-2", draft=kept["structuredContent"]["draft"])
    until(lambda: heard(listening) != [])
    (follower,) = opening._of_drafts
    assert follower._thread is not None
    opening.close()
    until(lambda: follower._thread is None)


def test_a_reader_s_server_has_no_door_to_drafts(shelves: Shelves) -> None:
    """Whatever ledger is named, it is neither made nor opened."""
    place = shelves.docs.parent / "ledger"
    given = settings(shelves, ledger=str(place), no_watch=True)
    opening = compose.Opening(given)
    at = Desk(compose.server_over(opening, given))
    assert "error" in at.ask("tools/call", name="draft_list", arguments={})
    at.tool("library_list")
    opening.close()
    assert not place.exists()


def test_a_relative_folder(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder may be named from where the command runs."""
    monkeypatch.chdir(shelves.docs.parent)
    given = settings(shelves, folder="docs")
    compose.check(given)
    with compose.open_library(given) as library:
        assert library.root == Path(os.path.realpath(shelves.docs))


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("~/articles", "There is no folder ~/articles. Only a shell knows what ~ means; give the full path."),
        ("articles", "There is no folder articles. It was looked for in {here}."),
        ("/no/such/folder", "There is no folder /no/such/folder."),
    ],
)
def test_a_missing_folder_is_explained(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch, folder: str, told: str
) -> None:
    """Apps start commands without a shell and from anywhere: the message says what that did to the folder's name."""
    monkeypatch.chdir(shelves.docs)
    with pytest.raises(FolderUnusable) as caught:
        compose.check(settings(shelves, folder=folder))
    assert str(caught.value) == told.format(here=Path.cwd())


def test_the_key_of_cursors(shelves: Shelves, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes that serve one folder to one role have one key, however they name it; other roles have others."""
    monkeypatch.chdir(shelves.docs)
    key = compose.cursor_key(settings(shelves))
    assert key == compose.cursor_key(settings(shelves, folder="."))
    assert key != compose.cursor_key(settings(shelves, role="editor"))
    assert key != compose.cursor_key(settings(shelves, folder=".."))
    assert len(key) >= 16


def test_the_server_is_named_and_opens_nothing(shelves: Shelves) -> None:
    """The server over a library is made without opening it, and says which version it is."""
    from readingroom import Server, __version__

    given = settings(shelves)
    opening = compose.Opening(given)
    server = compose.server_over(opening, given)
    assert isinstance(server, Server)
    assert opening._library is None
    assert __version__.count(".") == 2
