"""Who follows a role's documents hears of each change once, whoever made the index, and of nobody else's documents."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import BadQuery, Changes, Follower, Library, Role, following, identifier_uri, uri
from readingroom.library.errors import IndexUnusable
from readingroom.library.shelf import OpenEdition
from support.processes import until
from support.shelves import Shelves


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """Two documents."""
    shelves = Shelves(tmp_path)
    shelves.document("a.md", "# Apple\n", id="A-1")
    shelves.document("sub/b.md", "# Pear\n")
    return shelves


@pytest.fixture
def library(shelves: Shelves) -> Iterator[Library]:
    """The library, scanned for both roles."""
    with shelves.library("reader", "editor") as library:
        library.reconcile()
        yield library


class Looking:
    """A follower whose looks are taken by hand."""

    def __init__(self, library: Library, *uris: str, role: Role = "reader") -> None:
        self.library = library
        self.role: Role = role
        self.follower = Follower(lambda changes: None)
        for address in uris:
            self.follower.watch(address)
        assert self.look() is None

    def look(self) -> Changes | None:
        """What has changed since the last look."""
        edition = self.library._shelf(self.role).edition()
        assert edition is not None
        return self.follower.look(edition)

    def after_scan(self) -> Changes | None:
        """What has changed when the index is in step."""
        self.library.reconcile()
        return self.look()


A, B, A1 = uri("a.md"), uri("sub/b.md"), identifier_uri("A-1")


def test_nothing_is_told_where_nothing_has_changed(shelves: Shelves, library: Library) -> None:
    """Neither of a scan nor of a file that was touched and has the bytes it had."""
    at = Looking(library, A, B)
    assert at.after_scan() is None
    shelves.write("sub/b.md", "# Pear\n", at=1_700_000_000)
    assert at.after_scan() is None


def test_a_document_that_changed_is_told_at_each_of_its_addresses(shelves: Shelves, library: Library) -> None:
    """As they are spelt, and once; the list is what it was as long as titles are."""
    spelt = "library:///%61.md#part"
    at = Looking(library, A, A1, spelt, B)
    shelves.document("a.md", "# Apple\n\nmore\n", id="A-1")
    assert at.after_scan() == Changes(listed=False, updated=(A, A1, spelt))
    assert at.after_scan() is None


def test_another_title_changes_the_list(shelves: Shelves, library: Library) -> None:
    """As a document's name and format do; its size and time do not."""
    at = Looking(library)
    shelves.write("sub/b.md", "# Plum\n")
    assert at.after_scan() == Changes(listed=True, updated=())


def test_documents_come_and_go(shelves: Shelves, library: Library) -> None:
    """The list has changed, and so has what stands at the address."""
    late = uri("late.md")
    at = Looking(library, late, A)
    shelves.write("late.md", "# Late\n")
    assert at.after_scan() == Changes(listed=True, updated=(late,))
    (shelves.docs / "late.md").unlink()
    assert at.after_scan() == Changes(listed=True, updated=(late,))


def test_a_document_that_moved_stays_what_it_was_at_its_id(shelves: Shelves, library: Library) -> None:
    """Its path's address has changed; the identifier leads to the same bytes."""
    at = Looking(library, A, A1)
    (shelves.docs / "a.md").rename(shelves.docs / "c.md")
    assert at.after_scan() == Changes(listed=True, updated=(A,))


def test_what_is_not_watched_any_more_is_not_told(shelves: Shelves, library: Library) -> None:
    """Also when it has never been watched."""
    at = Looking(library, A, B)
    at.follower.unwatch(A)
    at.follower.unwatch("library:///never.md")
    shelves.write("a.md", "# Plum\n")
    assert at.after_scan() == Changes(listed=True, updated=())


def test_addresses_that_are_none_are_listened_to_in_vain(shelves: Shelves, library: Library) -> None:
    """Malformed ones, other schemes, and a path or alias that would find a document elsewhere."""
    at = Looking(library, "library:///%zz", "file:///a.md", "a.md", "", "library:///missing.md")
    shelves.write("a.md", "# Apple\n\nmore\n")
    assert at.after_scan() is None


def test_a_reader_hears_nothing_of_internal_documents(shelves: Shelves, library: Library) -> None:
    """They come, change, move and go; the editor hears of it, and the reader's generation stays."""
    secret = uri("x.md")
    reader, editor = Looking(library, secret, A), Looking(library, secret, A, role="editor")
    generation = library._shelf("reader").edition().catalog.facts()  # type: ignore[union-attr]  # it has been scanned
    for text in ("# One\n", "# Two\n"):
        shelves.document("x.md", text, visibility="internal", id="A-1", aliases="[a]")
        assert editor.after_scan() == Changes(listed=True, updated=(secret,))
        assert reader.look() is None
    (shelves.docs / "x.md").unlink()
    assert editor.after_scan() == Changes(listed=True, updated=(secret,))
    assert reader.look() is None
    now = library._shelf("reader").edition().catalog.facts()  # type: ignore[union-attr]  # as above
    assert (now.content, now.listing, now.commit) == (
        generation.content,
        generation.listing,
        generation.commit,
    )


def test_a_document_that_becomes_internal_has_gone(shelves: Shelves, library: Library) -> None:
    """The reader hears what would be heard if it had been deleted, once; the index that is built anew says no more."""
    at = Looking(library, A, B, A1)
    shelves.document("a.md", "# Apple\n", id="A-1", visibility="internal")
    edition = library._shelf("reader").edition()
    hidden = at.after_scan()
    assert library._shelf("reader").edition() is not edition
    assert at.after_scan() is None
    shelves.document("a.md", "# Apple\n", id="A-1")
    at.after_scan()
    (shelves.docs / "a.md").unlink()
    assert at.after_scan() == hidden == Changes(listed=True, updated=(A, A1))


def test_a_change_before_the_first_look_at_an_address_is_told(shelves: Shelves, library: Library) -> None:
    """Between the acknowledgement and the first look a file may have changed, and its scan ended."""
    at = Looking(library)
    at.follower.watch(A)
    shelves.write("a.md", "# Apple\n\nmore\n", at=None)
    assert at.after_scan() == Changes(listed=False, updated=(A,))


def test_an_index_that_is_being_begun_is_nothing_to_compare_with(shelves: Shelves) -> None:
    """Documents that are found for the first time are no news."""
    library = shelves.library()
    follower = Follower(lambda changes: None)

    class Edition:
        """Has no full scan yet."""

        catalog = property(lambda self: self)

        def facts(self) -> object:
            """What a catalogue says in the beginning."""
            from readingroom.library.catalog import Facts

            return Facts(documents=1, content="1", listing="1")

    assert follower.look(Edition()) is None  # type: ignore[arg-type]  # all that is looked at
    library.reconcile()
    edition = library._shelf("reader").edition()
    assert edition is not None
    assert follower.look(edition) is None
    library.close()


def test_another_process_that_writes_the_index_is_followed(shelves: Shelves, library: Library) -> None:
    """The follower looks at what was committed, not at who did it; closing the library ends it."""
    heard: list[Changes] = []
    follower = library.on_change("reader", heard.append)
    follower.watch(A)
    until(lambda: isinstance(follower._watched[A].known, str))
    shelves.write("a.md", "# Plum\n")
    with shelves.library("reader", "editor") as other:
        other.reconcile()
    until(lambda: heard != [])
    assert heard == [Changes(listed=True, updated=(A,))]
    thread = follower._thread
    library.close()
    assert thread is not None
    until(lambda: not thread.is_alive())


def test_ones_own_scan_is_told_at_once(
    shelves: Shelves, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the next look from outside."""
    monkeypatch.setattr(following, "LOOK_EVERY_S", 3600.0)
    told = threading.Event()
    follower = library.on_change("reader", lambda changes: told.set())
    until(lambda: follower._facts is not None)
    shelves.write("new.md", "# New\n")
    library.reconcile()
    assert told.wait(30)


def test_who_raises_hears_of_the_next_change_all_the_same(
    shelves: Shelves, library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    """What was raised is logged by its kind alone."""
    heard: list[Changes] = []

    def told(changes: Changes) -> None:
        heard.append(changes)
        raise ValueError("secret.md")

    follower = library.on_change("reader", told)
    until(lambda: follower._facts is not None)
    for number in range(2):
        shelves.write(f"{number}.md", "x")
        library.reconcile()
        until(lambda: len(heard) == number + 1)  # noqa: B023  -- waited for in this turn
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text


def test_a_catalogue_that_cannot_be_read_is_left_to_those_who_answer(
    library: Library, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is looked at again later, and nothing is said."""
    looks: list[None] = []

    def look(self: Follower, edition: OpenEdition) -> None:
        looks.append(None)
        raise IndexUnusable("x")

    monkeypatch.setattr(Follower, "look", look)
    monkeypatch.setattr(following, "LOOK_EVERY_S", 0.01)
    library.on_change("reader", lambda changes: None)
    until(lambda: len(looks) > 2)
    assert caplog.text == ""


def test_a_look_that_failed_is_made_up_for(
    shelves: Shelves, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index may be replaced in the middle of it: what had just been asked for is looked at then."""
    at = Looking(library)
    at.follower.watch(A)
    with monkeypatch.context() as patch:
        patch.setattr(at.follower, "_updated", lambda edition: (_ for _ in ()).throw(IndexUnusable("x")))
        with pytest.raises(IndexUnusable):
            at.look()
    assert at.look() is None
    (shelves.docs / "a.md").unlink()
    assert at.after_scan() == Changes(listed=True, updated=(A,))


def test_a_role_that_is_not_kept_cannot_be_followed(shelves: Shelves) -> None:
    """As no view can be had of it."""
    with pytest.raises(BadQuery):
        shelves.library("reader").on_change("editor", lambda changes: None)


def test_a_follower_may_be_stopped_by_itself_and_before_it_began(library: Library) -> None:
    """Whoever is told of a change may have heard enough."""
    Follower(lambda changes: None).stop()
    began = time.monotonic()
    follower = library.on_change("reader", lambda changes: follower.stop(60))
    until(lambda: follower._facts is not None)
    Path(library.root / "new.md").write_text("x")
    library.reconcile()
    until(lambda: follower._thread is not None and not follower._thread.is_alive())
    assert time.monotonic() - began < 60
