"""All files of a new server, or none, and never over anything."""

import sys
from pathlib import Path

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.new import place

FILES = {
    "README.md": "Grüße\n",
    "src/notes/main.py": "pass\n",
    "src/notes/tools.py": "",
    "tests/test.py": "x\n",
}


def contents(folder: Path) -> dict[str, str]:
    """Give the files of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode() for file in files}


@pytest.mark.parametrize("is_there", [False, True])
def test_new_or_empty(tmp_path: Path, is_there: bool) -> None:
    """A folder that is new or empty is filled, and nothing is left beside it."""
    folder = tmp_path / "notes"
    if is_there:
        folder.mkdir()
    place(FILES, folder)
    assert contents(folder) == FILES
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes"]


def test_whoever_stands_in_the_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder is filled, not replaced: `--dir .` leaves the shell where it was."""
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.chdir(folder)
    place(FILES, Path())
    assert contents(Path()) == FILES


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder that holds anything is left alone, and so are a file and a link."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / ".hidden").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    places = ["full", "file"]
    if sys.platform != "win32":
        (tmp_path / "link").symlink_to("empty")
        (tmp_path / "dangling").symlink_to("nowhere")
        places += ["link", "dangling"]
    before = contents(tmp_path)
    for name in places:
        with pytest.raises(UsageFault, match=f"{name} is there already"):
            place(FILES, tmp_path / name)
    assert contents(tmp_path) == before
    assert not (tmp_path / "nowhere").exists()


def test_no_folder_to_make_it_in(tmp_path: Path) -> None:
    """A parent that is missing is not made."""
    with pytest.raises(UsageFault, match=r"no folder .*missing"):
        place(FILES, tmp_path / "missing" / "notes")
    assert [entry.name for entry in tmp_path.iterdir()] == []


def test_a_fault_while_writing(tmp_path: Path) -> None:
    """What cannot be written in full is not there at all."""
    with pytest.raises(OSError, match="README"):
        place({**FILES, "README.md/inside": "no"}, tmp_path / "notes")
    assert [entry.name for entry in tmp_path.iterdir()] == []


def test_a_fault_while_moving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder is empty again when a part of the new one cannot be moved into it."""
    folder = tmp_path / "notes"
    folder.mkdir()
    rename = Path.rename

    def fails_for_tests(entry: Path, target: Path) -> Path:
        if entry.name == "tests":
            raise OSError("no room for tests")
        return rename(entry, target)

    monkeypatch.setattr(Path, "rename", fails_for_tests)
    with pytest.raises(OSError, match="no room for tests"):
        place(FILES, folder)
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes"]
    assert [entry.name for entry in folder.iterdir()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_modes(tmp_path: Path) -> None:
    """The folder has the modes of any other that the user makes, not those of a temporary one."""
    (tmp_path / "usual").mkdir()
    place(FILES, tmp_path / "notes")
    assert (tmp_path / "notes").stat().st_mode == (tmp_path / "usual").stat().st_mode
