"""The census: what is noted of every file comes back, and a damaged file is begun anew."""

from pathlib import Path

from readingroom.library.census import Census, Seen, begin
from readingroom.library.model import FileState, LeftOut

STATE = FileState(1, 2, 3, 2**64 - 1)
SEEN = {
    "a.md": Seen(STATE, "sha256:1", "public", "A-1", ("careful",)),
    "b.md": Seen(STATE, "sha256:2", "internal"),
    "c.md": Seen(STATE, "", "refused", notes=("no text",)),
}


def test_files_come_back_as_they_were_noted(tmp_path: Path) -> None:
    """Also in another process's hands, and those that are gone do not."""
    census = Census(tmp_path / "scan.db")
    assert census.files() == {}
    census.write(SEEN, [])
    census.write({"a.md": SEEN["b.md"]}, ["c.md", "never.md"])
    census.close()
    again = Census(tmp_path / "scan.db")
    assert again.files() == {"a.md": SEEN["b.md"], "b.md": SEEN["b.md"]}
    again.close()


def test_a_finished_scan_leaves_its_times_and_what_it_left_out(tmp_path: Path) -> None:
    """The list is that of the last scan, in order of path."""
    census = Census(tmp_path / "scan.db")
    assert census.times() == (None, None)
    census.finish([LeftOut("b", "hidden"), LeftOut("a", "a link")], 1.0, 2.0)
    assert census.left_out() == [LeftOut("a", "a link"), LeftOut("b", "hidden")]
    census.finish([LeftOut("b", "hidden")], 3.0, 4.0)
    census.finish([LeftOut("b", "hidden")], 5.0, 6.0)
    assert census.left_out() == [LeftOut("b", "hidden")]
    assert census.times() == (5.0, 6.0)
    census.close()


def test_a_damaged_census_is_begun_anew(tmp_path: Path) -> None:
    """Random bytes, tables of another version or a lost table cost nothing but a fresh look at every file."""
    file = tmp_path / "scan.db"
    for damage in ("random", "PRAGMA user_version=99", "DROP TABLE files"):
        if damage == "random":
            file.write_bytes(b"\x07" * 9000)
        else:
            census = Census(file)
            census._connection.execute(damage)
            census.close()
        fresh, files = begin(file)
        assert files == {}
        fresh.write(SEEN, [])
        fresh.close()
