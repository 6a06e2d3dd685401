"""Changes that are taken back: whatever call they or the taking back were stopped at, and whoever wrote since."""

from collections.abc import Callable
from pathlib import Path

import pytest

from readingroom.library.operator import changing, moving, taking_back
from readingroom.library.operator.changing import Change, carry_out
from readingroom.library.operator.outcomes import Refused
from readingroom.library.operator.taking_back import clear_up, take_back
from support.changed_folders import (
    NEW,
    OLD,
    OTHER,
    WAYS,
    by_renaming,
    expected,
    in_place,
    meanwhile,
    prepared,
    tree,
)
from support.stopping import Points, Stopped, hooked, stop


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.usefixtures("system")
def test_whatever_call_it_is_stopped_at_it_is_taken_back(tmp_path: Path, way: str, after: bool) -> None:
    """Before the call or after it, and also when taking back is stopped at any call itself, and begun anew."""
    turn, ended = 0, False
    while not ended:
        turn += 1
        root = tmp_path / str(turn)
        change = prepared(root, way)
        before = tree(root)
        points = Points(turn, stop, after=after)
        try:
            with hooked(points):
                carry_out(root, change)
            ended = True
        except Stopped:
            pass
        _take_back_with_stops(root, change, turn % 11)
        assert tree(root) == before, points.calls
    assert turn > 3


def _take_back_with_stops(root: Path, change: Change, turn: int) -> None:
    try:
        with hooked(Points(turn, stop)):
            assert take_back(root, change) == ()
    except Stopped:
        pass
    assert take_back(root, change) == ()
    assert take_back(root, change) == ()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.usefixtures("system")
def test_whatever_call_taking_back_is_stopped_at_it_can_be_begun_anew(
    tmp_path: Path, way: str, after: bool
) -> None:
    """After a change that was made whole, and not decided."""
    turn, ended = 0, False
    while not ended:
        turn += 1
        root = tmp_path / str(turn)
        change = prepared(root, way)
        before = tree(root)
        carry_out(root, change)
        points = Points(turn, stop, after=after)
        try:
            with hooked(points):
                take_back(root, change)
            ended = True
        except Stopped:
            pass
        assert take_back(root, change) == ()
        assert tree(root) == before, points.calls
    assert turn > 3


def crashed(root: Path, change: Change, turn: int) -> None:
    """The change, stopped at the call with this number."""
    with pytest.raises(Stopped), hooked(Points(turn, stop, after=True), ("replace",)):
        carry_out(root, change)


def test_who_writes_over_what_a_crash_left_has_the_last_word(tmp_path: Path) -> None:
    """The file stays as it was written; the one that came out is known and is dropped."""
    change = prepared(tmp_path, "replace")
    wanted = tree(tmp_path) | {"ä/a.md": OTHER}
    crashed(tmp_path, change, 1)
    (tmp_path / "ä/a.md").write_bytes(OTHER)
    assert take_back(tmp_path, change) == ()
    assert tree(tmp_path) == wanted


def test_what_came_out_and_is_unknown_is_kept_when_its_place_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the hidden name, and told of."""
    change = prepared(tmp_path, "delete")
    meanwhile(monkeypatch, "replace", lambda: (tmp_path / "ä/a.md").write_bytes(OTHER))
    with pytest.raises(Refused):
        carry_out(tmp_path, change)
    (tmp_path / "ä/a.md").write_bytes(NEW)
    told = take_back(tmp_path, change)
    assert told == (
        "Another program wrote to ä/a.md meanwhile; what it wrote is kept as ä/.readingroom-d-1.tmp.",
    )
    assert (tmp_path / "ä/.readingroom-d-1.tmp").read_bytes() == OTHER
    assert (tmp_path / "ä/a.md").read_bytes() == NEW


def test_a_file_made_anew_after_a_crash_in_a_delete_stays(tmp_path: Path) -> None:
    """What was moved away is known and is dropped."""
    change = prepared(tmp_path, "delete")
    crashed(tmp_path, change, 1)
    (tmp_path / "ä/a.md").write_bytes(NEW)
    assert take_back(tmp_path, change) == ()
    assert tree(tmp_path) == {"ä": None, "ä/a.md": NEW, "other.md": OTHER}


@pytest.mark.parametrize("write", [by_renaming, in_place])
def test_a_made_file_that_has_been_written_since_stays(tmp_path: Path, write: Callable[[Path], None]) -> None:
    """So does its folder; nothing hidden is left beside it."""
    change = prepared(tmp_path, "create deep")
    wanted = expected(tree(tmp_path), change) | {"ä/x/y/a.md": OTHER}
    carry_out(tmp_path, change)
    write(tmp_path / "ä/x/y/a.md")
    told = take_back(tmp_path, change)
    assert told == (("ä/x/y/a.md has been written since, and stays.",) if write is in_place else ())
    assert tree(tmp_path) == wanted


@pytest.mark.parametrize("write", [by_renaming, in_place])
def test_a_made_file_that_is_written_while_it_is_taken_back_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None]
) -> None:
    """It is seen after it has been moved away, and put back."""
    change = prepared(tmp_path, "create")
    carry_out(tmp_path, change)
    meanwhile(monkeypatch, "replace", lambda: write(tmp_path / "ä/a.md"))
    assert take_back(tmp_path, change) == ("ä/a.md has been written since, and stays.",)
    assert tree(tmp_path) == {"ä": None, "ä/a.md": OTHER, "other.md": OTHER}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.usefixtures("system")
def test_without_a_hidden_file_nothing_is_taken_back(tmp_path: Path, way: str) -> None:
    """Whoever can write the ledger alone moves, restores and removes nothing by it."""
    change = prepared(tmp_path, way)
    carry_out(tmp_path, change)
    clear_up(tmp_path, change)
    before = tree(tmp_path)
    assert take_back(tmp_path, change) == ()
    assert clear_up(tmp_path, change) == ()
    assert tree(tmp_path) == before


def test_writers_that_go_on_while_their_file_is_put_back_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest of what they wrote stands there at the end."""
    change = prepared(tmp_path, "replace")
    wanted = tree(tmp_path)
    carry_out(tmp_path, change)
    kept, left = moving.exchange, [b"first", b"second", b"third"]

    def exchanged(*args: object) -> bool:
        if left:
            by_renaming(tmp_path / "ä/a.md")
            (tmp_path / "ä/a.md").write_bytes(left.pop(0))
        return kept(*args)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(moving, "exchange", exchanged)
    assert len(take_back(tmp_path, change)) == 1
    hidden = tmp_path / change.temporary
    assert hidden.read_bytes() == b"second"
    hidden.unlink()
    assert tree(tmp_path) == wanted | {"ä/a.md": b"third"}


def test_a_moved_file_whose_folder_has_gone_stays_where_it_is(tmp_path: Path) -> None:
    """It is told, and nothing hidden is left."""
    change = prepared(tmp_path, "rename")
    carry_out(tmp_path, change)
    (tmp_path / "ä").rmdir()
    assert take_back(tmp_path, change) == ("The folder of ä/a.md has gone, and what was under way in it.",)
    assert tree(tmp_path) == {"b.md": OLD, "other.md": OTHER}


def test_putting_back_ends_when_nothing_is_there_to_put(tmp_path: Path) -> None:
    """Whoever removes the hidden file ends it."""
    change = prepared(tmp_path, "replace")
    with changing.spot(tmp_path, change.path) as here:
        status = (tmp_path / "other.md").stat()
        taking_back._put_back(here.folder, b".none", here.name, status)
    assert (tmp_path / "ä/a.md").read_bytes() == OLD
