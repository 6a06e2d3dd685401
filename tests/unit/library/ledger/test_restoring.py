"""A backup comes back as it was; what the ledger holds besides is not lost unasked, and nothing is done to the folder."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import msgspec
import pytest

from readingroom.library import BadQuery, LedgerBusy, LedgerUnusable
from readingroom.library.ledger import Chain, Ledger, Restored, place, restore
from readingroom.library.ledger import ledger as ledger_module
from readingroom.library.ledger.schema import STEPS
from support.ledgers import a_chain, a_decision, a_draft, a_publication, an_operation, opened


def kept(folder: Path) -> Path:
    """A backup of a ledger of this folder, with one of everything."""
    backup = folder / "backup.db"
    with opened(folder) as ledger:
        with ledger.writing() as writing:
            writing.put_draft(a_draft())
            writing.add_operation(an_operation())
            writing.begin_chain(a_chain())
            writing.set_attempts(2, 5.0)
            writing.append(a_decision(manifest=writing.keep_manifest({"a": "1"})))
        ledger.backup(backup)
    return backup


def removed(folder: Path) -> None:
    """Remove the ledger, as with the machine that it was on."""
    shutil.rmtree(folder / "ledgers")
    from readingroom.library.ledger import ledger

    ledger.forget_standing(place.file_of(folder / "documents", folder / "ledgers"))


def put_back(backup: Path, folder: Path, **options: bool) -> Restored:
    """Restore it to the ledger of this folder."""
    return restore(backup, folder / "documents", folder / "ledgers", clock=lambda: 0.0, **options)


@pytest.mark.parametrize("is_damaged", [False, True])
def test_who_has_the_ledger_open_goes_on_after_restoring(tmp_path: Path, *, is_damaged: bool) -> None:
    """Though what it wrote last is lost: the operator has seen to that; without a backup it is refused."""
    backup = kept(tmp_path)
    with opened(tmp_path) as server:
        for number in range(5):
            with server.writing() as writing:
                writing.put_draft(a_draft(f"d-later-{number}"))
        with _as_another_process(server):
            _spoil(server.path, is_damaged=is_damaged)
            put_back(backup, tmp_path, replace=is_damaged)
        with server.writing() as writing:
            assert writing.draft("d-later-0") is None
            writing.put_draft(a_draft("d-after"))
        with _as_another_process(server):
            _spoil(server.path, is_damaged=False)
            with opened(tmp_path) as other:
                for number in range(9):
                    with other.writing() as writing:
                        writing.put_draft(a_draft(f"d-other-{number}"))
        with pytest.raises(LedgerUnusable, match="lacks what was written"), server.writing():
            pass


@contextmanager
def _as_another_process(server: Ledger) -> Iterator[None]:
    """What is done here knows nothing of what this process knows of the ledger."""
    ledger_module.forget_standing(server.path)
    try:
        yield
    finally:
        ledger_module._standings[str(server.path)] = server._standing


def _spoil(path: Path, *, is_damaged: bool) -> None:
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    if is_damaged:
        path.write_bytes(b"garbage!" * 600)
    else:
        path.unlink()


def test_a_ledger_comes_back_whole(tmp_path: Path) -> None:
    """Where there is none, with everything that it held; and it can be gone on with."""
    backup = kept(tmp_path)
    removed(tmp_path)
    found = put_back(backup, tmp_path)
    assert found.aside is None
    assert (found.info.drafts, found.info.decisions, found.info.operations) == (1, 1, 1)
    with opened(tmp_path) as ledger:
        with ledger.reading() as reading:
            assert reading.draft("d-1") == a_draft()
            assert reading.operation("local", "key-1") == an_operation()
            assert reading.chain() == a_chain()
            assert reading.attempts() == (2, 5.0)
            assert reading.manifest(reading.decisions()[0].manifest) == {"a": "1"}
            assert reading.counts("local") == (1, 10)
        with ledger.writing() as writing:
            writing.append(a_decision(2))
        assert ledger.check() == ()
        assert sorted(file.name for file in ledger.path.parent.iterdir()) == [
            "ledger.db",
            "ledger.db-shm",
            "ledger.db-wal",
        ]


def test_what_the_backup_holds_too_is_replaced_at_once(tmp_path: Path) -> None:
    """Nothing is lost by it, and nothing is set aside."""
    backup = kept(tmp_path)
    assert put_back(backup, tmp_path).aside is None


CHANGES = {
    "1 draft and 1 answer to an app": lambda writing: (
        writing.put_draft(a_draft("d-2")),
        writing.add_operation(an_operation("key-2")),
    ),
    "1 draft": lambda writing: writing.put_draft(a_draft(state="published")),
    "2 decisions": lambda writing: (writing.append(a_decision(2)), writing.append(a_decision(3))),
    "1 draft, 1 decision and 1 passphrase": lambda writing: (
        writing.put_draft(a_draft(comment="c")),
        writing.append(a_decision(2)),
        writing.begin_chain(a_chain(2)),
    ),
}


@pytest.mark.parametrize("told", CHANGES)
def test_what_the_backup_does_not_hold_is_not_lost_unasked(tmp_path: Path, told: str) -> None:
    """It is refused, in numbers; and when it is asked for, what was there is set aside."""
    backup = kept(tmp_path)
    with opened(tmp_path) as ledger:
        with ledger.writing() as writing:
            CHANGES[told](writing)
        before = ledger.changes()
        with pytest.raises(BadQuery, match=f"holds {told} that the backup does not"):
            put_back(backup, tmp_path)
        assert ledger.changes() == before
    aside = put_back(backup, tmp_path, replace=True).aside
    assert aside is not None
    assert aside.name == "ledger-19700101T000000Z.db"
    with opened(tmp_path) as ledger, ledger.reading() as reading:
        assert reading.drafts(contents=True) == (a_draft(),)
        assert len(reading.decisions()) == len(reading.chains()) == 1
    if "passphrase" in told:
        return
    put_back(aside, tmp_path, replace=True)
    with opened(tmp_path) as ledger, ledger.writing() as writing:
        writing.put_draft(a_draft("d-9"))
        assert ledger.check() == ()
    second = put_back(backup, tmp_path, replace=True).aside
    assert second is not None
    assert second.name.startswith("ledger-19700101T000000Z-")


def test_whoever_has_it_open_goes_on(tmp_path: Path) -> None:
    """As a server does: who looks sees the old one to the end, then the new one; what is written is written to that."""
    backup = kept(tmp_path)
    with opened(tmp_path) as ledger:
        with ledger.writing() as writing:
            writing.put_draft(a_draft("d-2"))
        before = ledger.changes()
        with ledger.reading() as reading:
            put_back(backup, tmp_path, replace=True)
            assert reading.draft("d-2") is not None
        assert ledger.changes() > before
        with ledger.writing() as writing:
            assert writing.draft("d-2") is None
            writing.put_draft(a_draft("d-3"))
        assert ledger.check() == ()


def test_nothing_under_way_is_brought_back(tmp_path: Path) -> None:
    """Else a file could have the folder changed without a passphrase."""
    with opened(tmp_path) as ledger:
        with ledger.writing() as writing:
            writing.put_draft(a_draft())
            writing.begin(a_publication())
        ledger.backup(tmp_path / "backup.db")
        with pytest.raises(LedgerBusy, match="being published"):
            put_back(tmp_path / "backup.db", tmp_path, replace=True)
        with ledger.writing() as writing:
            writing.end("p-1")
    put_back(tmp_path / "backup.db", tmp_path)
    with opened(tmp_path) as ledger, ledger.reading() as reading:
        assert reading.publications() == ()
        assert len(reading.drafts()) == 1


def test_attempts_at_the_passphrase_do_not_begin_anew(tmp_path: Path) -> None:
    """Else an old backup would give as many as one likes."""
    backup = kept(tmp_path)
    with opened(tmp_path) as ledger:
        with ledger.writing() as writing:
            writing.set_attempts(9, 77.0)
        put_back(backup, tmp_path)
        with ledger.reading() as reading:
            assert reading.attempts() == (9, 77.0)


@pytest.mark.parametrize("chain", [None, a_chain(), msgspec.structs.replace(a_chain(2), salt=b"theirs")])
def test_another_passphrase_is_not_put_in_the_place_of_the_operators(
    tmp_path: Path, chain: Chain | None
) -> None:
    """Nor none; whoever makes a ledger with a passphrase of their own cannot have it taken for the operator's."""
    other = tmp_path / "other"
    other.mkdir()
    with opened(other) as ledger:
        with ledger.writing() as writing:
            if chain is not None:
                writing.begin_chain(
                    a_chain() if chain.number == 2 else msgspec.structs.replace(chain, check=b"t")
                )
            if chain is not None and chain.number == 2:
                writing.begin_chain(chain)
        ledger.backup(tmp_path / "theirs.db")
    kept(tmp_path)
    with pytest.raises(BadQuery, match="not under a passphrase that this ledger has had"):
        put_back(tmp_path / "theirs.db", tmp_path, replace=True)


def test_a_passphrase_from_before_comes_back(tmp_path: Path) -> None:
    """It was the operator's, too."""
    backup = kept(tmp_path)
    with opened(tmp_path) as ledger:
        with ledger.writing() as writing:
            writing.begin_chain(msgspec.structs.replace(a_chain(2), salt=b"new"))
        put_back(backup, tmp_path, replace=True)
        with ledger.reading() as reading:
            assert reading.chains() == (a_chain(1),)


def test_a_folder_that_has_moved(tmp_path: Path) -> None:
    """The ledger of another folder can be given to it; it is then that folder's."""
    backup = kept(tmp_path)
    (tmp_path / "moved").mkdir()
    found = restore(backup, tmp_path / "moved", tmp_path / "ledgers")
    assert found.info.root == str((tmp_path / "documents").resolve())
    with Ledger.open(tmp_path / "moved", tmp_path / "ledgers") as ledger:
        assert ledger.backup(tmp_path / "again.db").root == str((tmp_path / "moved").resolve())


def test_what_one_that_was_killed_left_is_removed(tmp_path: Path) -> None:
    """After a day; a copy holds texts."""
    backup = kept(tmp_path)
    with opened(tmp_path) as ledger:
        left = [ledger.path.with_name(f".ledger.db-{name}") for name in ("1.tmp", "1.tmp-journal", "2.tmp")]
    for number, file in enumerate(left):
        file.touch()
        os.utime(file, (0, -90_000 if number < 2 else 0))
    put_back(backup, tmp_path)
    assert [file.exists() for file in left] == [False, False, True]


def test_what_is_no_sound_backup_is_refused(tmp_path: Path) -> None:
    """And the ledger stays as it is."""
    backup = kept(tmp_path)
    (tmp_path / "text").write_text("no ledger" * 1000)
    (tmp_path / "empty").touch()
    altered = tmp_path / "altered.db"
    shutil.copy(backup, altered)
    past = apsw.Connection(str(altered))
    past.execute("DROP TRIGGER contents_stay; UPDATE contents SET bytes = x'00'")
    past.close()
    newer = tmp_path / "newer.db"
    shutil.copy(backup, newer)
    past = apsw.Connection(str(newer))
    past.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    past.close()
    with opened(tmp_path) as ledger:
        before = ledger.changes()
        for name, told in (
            ("text", "not a database"),
            ("empty", "is empty"),
            ("altered.db", "is damaged"),
            ("newer.db", "newer version"),
        ):
            with pytest.raises(LedgerUnusable, match=told):
                put_back(tmp_path / name, tmp_path, replace=True)
        assert ledger.changes() == before
    assert [file.name for file in ledger.path.parent.iterdir()] == ["ledger.db"]


def test_what_is_no_backup_at_all_is_refused(tmp_path: Path) -> None:
    """No file, the ledger itself, or one that is in use."""
    backup = kept(tmp_path)
    with pytest.raises(BadQuery, match="There is no file"):
        put_back(tmp_path / "none", tmp_path)
    with opened(tmp_path) as ledger, pytest.raises(BadQuery, match="the ledger itself"):
        put_back(ledger.path, tmp_path)
    backup.with_name("backup.db-wal").touch()
    with pytest.raises(BadQuery, match="with a log beside it"):
        put_back(backup, tmp_path)


def damaged(file: Path) -> None:
    """Write over the ledger."""
    file.write_bytes(file.read_bytes()[:4096] + b"\xff" * 40_000)


def altered(file: Path) -> None:
    """Write past the ledger."""
    past = apsw.Connection(str(file))
    past.execute("DROP TRIGGER contents_stay; UPDATE contents SET bytes = x'00'")
    past.close()


def without_its_file(file: Path) -> None:
    """Leave a log alone."""
    file.rename(file.with_name("ledger.db-wal"))


@pytest.mark.parametrize("spoil", [damaged, altered, without_its_file])
def test_a_damaged_ledger_is_set_aside(tmp_path: Path, spoil: object) -> None:
    """When that is asked for: what is left of it may be of use."""
    backup = kept(tmp_path)
    assert callable(spoil)
    spoil(place.file_of((tmp_path / "documents").resolve(), tmp_path / "ledgers"))
    with pytest.raises(LedgerUnusable, match="Give --replace to replace it"):
        put_back(backup, tmp_path)
    found = put_back(backup, tmp_path, replace=True)
    assert found.aside is not None
    log = "-wal" if spoil is without_its_file else ""
    assert found.aside.name == f"ledger-damaged-19700101T000000Z.db{log}"
    assert found.aside.exists()
    with opened(tmp_path) as ledger, ledger.reading() as reading:
        assert reading.draft("d-1") == a_draft()
        left = {file.name for file in ledger.path.parent.iterdir()}
    assert {"ledger-damaged-19700101T000000Z.db", "ledger-damaged-19700101T000000Z.db-wal"} & left


def test_a_newer_versions_ledger_is_not_set_aside(tmp_path: Path) -> None:
    """It is not damaged; the newer version is to be used."""
    backup = kept(tmp_path)
    past = apsw.Connection(str(place.file_of((tmp_path / "documents").resolve(), tmp_path / "ledgers")))
    past.execute(f"PRAGMA user_version={len(STEPS) + 1}")
    past.close()
    with pytest.raises(LedgerUnusable, match="newer version"):
        put_back(backup, tmp_path, replace=True)
