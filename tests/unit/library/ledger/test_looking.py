"""A look says whether there is a ledger, where it lies and whether it is sound, and makes none."""

from pathlib import Path

import apsw

from readingroom.library.ledger import Ledger, LedgerLook, look
from support.ledgers import a_decision, a_draft, opened


def test_none(tmp_path: Path) -> None:
    """Nothing is made."""
    assert look(tmp_path / "documents", tmp_path / "ledgers") is None
    assert list(tmp_path.iterdir()) == []


def test_lost(tmp_path: Path) -> None:
    """A log without its ledger is all that is left of one."""
    opened(tmp_path).close()
    file = Ledger.place(tmp_path / "documents", tmp_path / "ledgers")
    file.rename(file.with_name("ledger.db-wal"))
    told = look(tmp_path / "documents", tmp_path / "ledgers")
    assert told == LedgerLook(str(file), f"The ledger {file} is gone, and its log lies there.")


def test_sound(tmp_path: Path) -> None:
    """With what waits and what was decided."""
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        writing.put_draft(a_draft())
        writing.put_draft(a_draft("d-2", principal="other"))
        writing.put_draft(a_draft("d-3", state="rejected"))
        writing.append(a_decision())
    file = Ledger.place(tmp_path / "documents", tmp_path / "ledgers")
    assert look(tmp_path / "documents", tmp_path / "ledgers") == LedgerLook(str(file), "", 2, 1)


def test_unsound(tmp_path: Path) -> None:
    """Altered, no ledger, or in a place where none may be."""
    opened(tmp_path).close()
    file = Ledger.place(tmp_path / "documents", tmp_path / "ledgers")
    past = apsw.Connection(str(file))
    past.execute("DROP TRIGGER contents_stay")
    past.close()
    told = look(tmp_path / "documents", tmp_path / "ledgers")
    assert told is not None
    assert told.trouble == "The ledger is damaged: its trigger contents_stay is not as Reading Room made it."
    file.write_bytes(b"no ledger" * 1000)
    told = look(tmp_path / "documents", tmp_path / "ledgers")
    assert told is not None
    assert "not a database" in told.trouble
    told = look(tmp_path / "documents", tmp_path / "documents" / "ledgers")
    assert told is not None
    assert "choose a place outside" in told.trouble
