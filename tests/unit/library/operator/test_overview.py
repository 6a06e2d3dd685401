"""The operator's look: all that was found and left out, with reasons; and nothing is changed by it."""

from pathlib import Path

import pytest

from readingroom.library import catalog, places
from readingroom.library.lock import WriterLock
from readingroom.library.model import LeftOut
from readingroom.library.operator import Kept, Notice, status
from readingroom.library.rules import Rules
from support.shelves import Shelves, edition


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder."""
    return Shelves(tmp_path)


def test_before_the_first_scan_there_is_nothing(shelves: Shelves) -> None:
    """And looking makes nothing."""
    now = status(shelves.library())
    assert (now.public, now.internal, now.left_out, now.notices, now.began, now.scanning) == (
        0,
        0,
        (),
        (),
        None,
        False,
    )
    assert [(role.state, role.documents, role.bytes) for role in now.roles] == [("none", 0, 0)]
    assert not shelves.cache.exists()


def test_internal_documents_are_named_with_the_reason(shelves: Shelves) -> None:
    """The pattern that makes it so, a doubt about what it says, or its own word."""
    shelves.document("own.md", "# Own", visibility="internal")
    shelves.document("doubtful.md", "# Doubtful", visibility="secret")
    shelves.document("staff/a.md", "# A", visibility="internal")
    shelves.document("other.md", "# Other")
    rules = Rules(internal=("staff/", "other.md", "!other.md"))
    with shelves.library("editor", rules=rules) as library:
        library.reconcile()
        found = status(library).internal_documents
    doubt = "visibility is neither public nor internal: the document is internal until that is repaired"
    assert found == (
        Kept("doubtful.md", doubt),
        Kept("own.md", "it says so"),
        Kept("staff/a.md", "matches --internal staff/"),
    )


def test_everything_is_counted_and_what_is_left_out_has_a_reason(shelves: Shelves) -> None:
    """For each role, with the internal documents; the times are those of the last full scan."""
    shelves.document("a.md", "# A", id="X")
    shelves.document("b.md", "# B", id="X", visibility="internal")
    shelves.write("c.md", b"\0")
    shelves.write(".hidden", "")
    library = shelves.scanned("reader", "editor")
    now = status(library)
    assert (now.public, now.internal, now.root) == (1, 1, str(shelves.docs))
    assert [(role.role, role.state, role.documents) for role in now.roles] == [
        ("reader", "ready", 1),
        ("editor", "ready", 2),
    ]
    assert all(role.bytes > 0 and role.reconciled == now.began for role in now.roles)
    assert [item.path for item in now.left_out] == [".hidden", "c.md"]
    assert now.left_out[0] == LeftOut(".hidden", "hidden")
    assert "binary" in now.left_out[1].reason
    (collision,) = now.notices
    assert (collision.path, "a.md" in collision.text, "'X'" in collision.text) == ("b.md", True, True)
    assert now.began is not None
    assert now.ended is not None
    assert now.began <= now.ended
    assert now.trouble == ""
    library.close()


def test_broken_front_matter_is_a_notice(shelves: Shelves) -> None:
    """With the path of the document, which is served all the same."""
    shelves.write("a.md", "---\ntitle: [broken\n---\n# A\n")
    library = shelves.scanned()
    (notice,) = status(library).notices
    assert isinstance(notice, Notice)
    assert notice.path == "a.md"
    assert status(library).public == 1
    library.close()


def test_a_scan_under_way_is_seen(shelves: Shelves) -> None:
    """Whoever makes it."""
    library = shelves.scanned()
    with WriterLock(library.home.lock):
        assert status(library).scanning
    assert not status(library).scanning
    library.close()


def test_an_index_that_is_damaged_or_not_whole_is_seen(shelves: Shelves) -> None:
    """With what it takes to know that the next scan will mend it."""
    shelves.document("a.md", "# A")
    library = shelves.scanned()
    folder = edition(library)
    connection = catalog.connect(folder / catalog.FILE)
    facts = next(iter(connection.execute("SELECT value FROM facts")))[0]
    connection.execute("UPDATE facts SET value = json_set(value, '$.reconciled', NULL)")
    assert [role.state for role in status(library).roles] == ["building"]
    connection.execute("UPDATE facts SET value = ?", (facts,))
    connection.close()
    places.condemn(folder)
    assert [role.state for role in status(library).roles] == ["damaged"]
    for file in folder.glob(catalog.FILE + "*"):
        file.write_bytes(b"\x07" * 5000)
    assert [(role.state, role.documents) for role in status(library).roles] == [("damaged", 0)]
    library.home.census.write_bytes(b"\x07" * 5000)
    assert status(library).public == 0
    library.close()
