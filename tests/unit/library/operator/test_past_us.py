"""What changed in a file past Reading Room is shown only as far as it is what was found, and can be read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library.operator import FileFault
from support.publishing import Desk, seated

OLD = b"# Old\n\none\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder with a file that was decided on."""
    with seated(tmp_path) as desk:
        key = desk.begin()
        desk.publish(desk.draft("create", "a.md", OLD), key)
        yield desk


def fault(desk: Desk) -> FileFault:
    """The only file that is not what was decided."""
    (found,) = desk.operator.verify(desk.key()).files
    return found


def test_a_change(desk: Desk) -> None:
    """Against the bytes that were decided; of a file that is gone, all of them."""
    desk.write("a.md", OLD.replace(b"one", b"two"))
    shown = desk.operator.past_us(fault(desk))
    assert [(row.kind, row.text) for hunk in shown.hunks for row in hunk.rows if row.kind != " "] == [
        ("-", "one"),
        ("+", "two"),
    ]
    assert shown.text == ""
    (desk.docs / "a.md").unlink()
    assert any("is deleted" in sentence for sentence in desk.operator.past_us(fault(desk)).warnings)


def test_a_file_that_goes_on_changing(desk: Desk) -> None:
    """What is there now was not found by the check, and is not shown as if it had been."""
    desk.write("a.md", b"two\n")
    found = fault(desk)
    desk.write("a.md", b"three\n")
    shown = desk.operator.past_us(found)
    assert (shown.hunks, shown.text) == ((), "It has changed again since it was checked.")
    (desk.docs / "a.md").unlink()
    (desk.docs / "a.md").mkdir()
    assert desk.operator.past_us(found).text == "It cannot be read as it is now."


def test_what_is_no_text(desk: Desk) -> None:
    """There is no difference, and it is said."""
    desk.write("a.md", b"\x00\x01\n")
    shown = desk.operator.past_us(fault(desk))
    assert (shown.hunks, shown.text) == ((), "It is no text, before or now.")
