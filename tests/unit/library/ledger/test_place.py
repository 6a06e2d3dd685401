"""Where a ledger lies, and what is refused there."""

import errno
import os
import stat
from pathlib import Path

import pytest

from readingroom.library import LedgerUnusable, places
from readingroom.library.ledger import Ledger, place
from support.ledgers import opened


def modes(folder: Path) -> set[str]:
    """The access bits of everything in a folder."""
    return {oct(stat.S_IMODE(entry.stat().st_mode)) for entry in folder.iterdir()}


def test_a_new_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    """Folder and files, whatever the umask lets others do."""
    before = os.umask(0)
    try:
        ledger = opened(tmp_path)
        with ledger.writing() as writing:
            writing.set_attempts(1, 1.0)
        assert modes(ledger.path.parent) == {"0o600"}
        assert stat.S_IMODE(ledger.path.parent.stat().st_mode) == 0o700
        assert len(list(ledger.path.parent.iterdir())) == 3
        ledger.close()
    finally:
        os.umask(before)


def test_access_that_others_got_is_taken_away(tmp_path: Path) -> None:
    """As after a copy from elsewhere."""
    opened(tmp_path).close()
    file = place.file_of(tmp_path / "documents", tmp_path / "ledgers")
    file.chmod(0o644)
    file.parent.chmod(0o755)
    opened(tmp_path).close()
    assert modes(file.parent) == {"0o600"}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_it_is_named_by_the_real_root(tmp_path: Path) -> None:
    """A link to the folder has the same ledger; another folder has another."""
    ledger = opened(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "documents")
    with Ledger.open(tmp_path / "link", tmp_path / "ledgers") as same:
        assert same.path == ledger.path
    assert ledger.path.parent.name == places.root_name((tmp_path / "documents").resolve())
    with Ledger.open(tmp_path, tmp_path.parent / f"{tmp_path.name}-ledgers") as other:
        assert other.path.parent.name != ledger.path.parent.name
    ledger.close()


def test_by_default_it_lies_in_the_platforms_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the cache, which may be removed."""
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    with Ledger.open(tmp_path / "documents") as ledger:
        assert ledger.path.is_relative_to(tmp_path / "data")


def test_never_among_the_documents(tmp_path: Path) -> None:
    """But a hidden folder holds no documents."""
    with pytest.raises(LedgerUnusable, match="choose a place outside"):
        Ledger.open(tmp_path, tmp_path / "ledgers")
    Ledger.open(tmp_path, tmp_path / ".ledgers").close()


def linked(file: Path) -> None:
    """Put a link in the place of the ledger."""
    elsewhere = file.rename(file.with_name("elsewhere.db"))
    file.symlink_to(elsewhere)


def linked_to_nothing(file: Path) -> None:
    """The same, to where no file is."""
    file.unlink()
    file.symlink_to(file.with_name("nothing.db"))


def named_twice(file: Path) -> None:
    """Give it another name."""
    os.link(file, file.with_name("other.db"))


def a_folder(file: Path) -> None:
    """Put a folder there."""
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (linked, "link"),
        (linked_to_nothing, "link"),
        (named_twice, "another name"),
        (a_folder, "no plain file"),
    ],
)
def test_what_is_not_the_plain_file_is_refused(tmp_path: Path, spoil: object, told: str) -> None:
    """And stays as it is."""
    opened(tmp_path).close()
    file = place.file_of(tmp_path / "documents", tmp_path / "ledgers")
    assert callable(spoil)
    spoil(file)
    with pytest.raises(LedgerUnusable, match=told):
        opened(tmp_path)


def test_another_users_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder as the file."""
    opened(tmp_path).close()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(LedgerUnusable, match="another user"):
        opened(tmp_path)
    with pytest.raises(LedgerUnusable, match="belongs to another user"):
        place.check(place.file_of(tmp_path / "documents", tmp_path / "ledgers"))


def test_a_log_without_its_ledger_is_told(tmp_path: Path) -> None:
    """It is never put to a new one."""
    opened(tmp_path).close()
    file = place.file_of(tmp_path / "documents", tmp_path / "ledgers")
    file.rename(file.with_name("ledger.db-wal"))
    with pytest.raises(LedgerUnusable, match="is gone, and its log lies there"):
        opened(tmp_path)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """With what the system says."""
    (tmp_path / "ledgers").write_text("a file")
    with pytest.raises(LedgerUnusable, match="cannot be kept"):
        opened(tmp_path)


def test_names_that_cannot_be_synced_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger whose name may be lost is none."""

    def refuse(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(LedgerUnusable, match="Input/output error"):
        opened(tmp_path)
    monkeypatch.undo()
    opened(tmp_path).close()
