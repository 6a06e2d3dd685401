"""The passphrase is asked for when a decision needs it, and its key goes with the command."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.apps.deciding import Signing, Undecided, slowly
from readingroom.library.ledger import Ledger
from readingroom.library.operator import DecisionKey, KeyExpired, derivation, set_passphrase

from .operator_seat import PASSPHRASE, Scripted
from .streams import console, written


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """Give a ledger whose passphrase is set."""
    monkeypatch.setattr(derivation, "_N", 2**14)
    (tmp_path / "folder").mkdir()
    made = Ledger.open(tmp_path / "folder", tmp_path / "ledgers")
    set_passphrase(made, "anna", PASSPHRASE, manifest={}).forget()
    yield made
    made.close()


def signing(ledger: Ledger, times: int) -> Signing:
    """Give one before a person who types the passphrase so often."""
    out = console().out
    return Signing(ledger, Scripted(out, [("Passphrase", PASSPHRASE)] * times), out, "folder")


def test_one_key_for_many(ledger: Ledger) -> None:
    """It is asked for once, and forgotten at the end."""
    with signing(ledger, 1) as one:
        keys = [one.signed(lambda key: key) for _ in range(3)]
        assert len(set(map(id, keys))) == 1
        assert not keys[0].is_spent()
    assert keys[0].is_spent()


def test_a_key_whose_time_is_over(ledger: Ledger) -> None:
    """It is asked for again: before the next decision, or when one was refused for it."""
    with signing(ledger, 3) as one:
        first = one.signed(lambda key: key)
        first.forget()
        second = one.signed(lambda key: key)
        assert second is not first

        def late(key: DecisionKey) -> DecisionKey:
            if key is second:
                raise KeyExpired("x")
            return key

        assert one.signed(late) is not second


def test_a_passphrase_that_keeps_changing(ledger: Ledger) -> None:
    """After three times nothing is decided."""

    def never(_: DecisionKey) -> None:
        raise KeyExpired("x")

    with signing(ledger, 3) as one, pytest.raises(Undecided, match="changed elsewhere"):
        one.signed(never)


def test_waiting_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person sees why nothing happens."""
    slept: list[float] = []
    monkeypatch.setattr("readingroom.apps.deciding.time.sleep", slept.append)
    where = console()
    slowly(4.0, where.out)
    assert slept == [4.0]
    assert "4 s later; waiting" in written(where.out)
