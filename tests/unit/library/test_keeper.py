"""The keeper: when a scan is due, whose scan counts, and that the thread ends."""

import logging
import threading
from collections.abc import Callable

import pytest

from readingroom.library import keeper as keeping
from readingroom.library.errors import FolderUnusable, IndexBusy, IndexUnusable
from readingroom.library.hooks import MIDWAY_S, Hooks, ScanProgress, Stopped
from readingroom.library.keeper import Keeper


class World:
    """A clock, the time of the last scan, and a keeper whose turns are taken by hand."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, scan: Callable[["World", Hooks], None] | None = None
    ) -> None:
        self.now = 1000.0
        self.since: float | None = None
        self.scans = 0
        self.looks: list[set[str]] = []
        self.told: list[ScanProgress] = []
        self.scan = scan or World.done
        self.look: Callable[[Hooks], None] = lambda hooks: None
        monkeypatch.setattr(keeping.time, "monotonic", lambda: self.now)
        self.keeper = Keeper(
            self.run,
            lambda: self.since,
            give_way=lambda: None,
            clock=lambda: self.now,
            every=30.0,
            told=self.told.append,
        )

    def run(self, hooks: Hooks, paths: frozenset[str] | None) -> None:
        """Count and scan, or note which places are looked at."""
        if paths is None:
            self.scans += 1
            self.scan(self, hooks)
        else:
            self.looks.append(set(paths))
            self.look(hooks)

    def done(self, hooks: Hooks) -> None:
        """A scan that takes no time."""
        self.since = self.now

    def turn(self, after: float = 0.0) -> float:
        """Let time pass and take a turn."""
        self.now += after
        return self.keeper._turn()


def test_the_first_turn_scans_and_the_next_one_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """One scan at once, then one when the last began `every` seconds ago."""
    world = World(monkeypatch)
    assert world.turn() == 0
    assert world.turn() == 30
    assert world.turn(29.0) == 1
    assert world.scans == 1
    world.turn(1.0)
    assert world.scans == 2


def test_an_index_of_before_the_start_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files may have changed while nobody looked."""
    world = World(monkeypatch)
    world.since = world.now - 1
    world.turn()
    assert world.scans == 1


def test_the_scan_of_another_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it began since this one was wanted, and the next is due `every` seconds after it."""
    world = World(monkeypatch)
    world.since, world.now = 1001.0, 1002.0
    assert world.turn() == 29
    world.since = 1020.0
    assert world.turn(29.0) == 19
    assert world.scans == 0


def test_a_scan_that_another_process_began_a_moment_before_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes whose scans fall due together make one: the second finds the lock taken and then the work done."""
    busy = [True]

    def scan(world: World, hooks: Hooks) -> None:
        if busy.pop():
            raise IndexBusy
        world.done(hooks)

    world = World(monkeypatch, scan)
    world.since, world.now = 1000.0, 1030.0
    assert world.turn() == keeping._FOLLOW_S
    world.since = 1029.9
    assert world.turn(0.2) > 29
    assert world.scans == 1


def test_who_finds_the_lock_taken_follows_and_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as no scan has ended it tries again, and scans when the lock is free."""
    busy = [False, True, True]

    def scan(world: World, hooks: Hooks) -> None:
        if busy.pop():
            raise IndexBusy
        world.done(hooks)

    world = World(monkeypatch, scan)
    rests = [world.turn(1.0) for _ in range(4)]
    assert rests[:3] == [keeping._FOLLOW_S, keeping._FOLLOW_S, 0]
    assert world.scans == 3


def test_a_nudge_makes_the_next_scan_due_but_not_without_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something was seen that the index does not know; a storm of nudges does not become a storm of scans."""
    world = World(monkeypatch)
    world.turn()
    world.now += 0.25
    world.keeper.nudge()
    assert world.turn() == 0.75
    assert world.scans == 1
    world.turn(0.75)
    assert world.scans == 2


def test_a_clock_that_was_set_back_does_not_stop_the_scans(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan in the future counts for nothing."""
    world = World(monkeypatch)
    world.since = world.now + 3600
    world.turn()
    assert world.scans == 1


def test_a_large_folder_is_looked_at_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking takes at most a fiftieth of the time; how long reading took does not matter."""

    def scan(world: World, hooks: Hooks) -> None:
        began = world.now
        hooks.tell(ScanProgress("looking", 16, None))
        world.now += 2.0
        hooks.tell(ScanProgress("reading", 0, 9))
        world.now += 500.0
        hooks.tell(ScanProgress("finishing", 9, 9))
        world.since = began

    world = World(monkeypatch, scan)
    world.turn()
    assert world.turn() == 10
    assert world.turn(10.0) == 0
    assert world.scans == 2
    world.scan = World.done
    world.turn(10.0)
    assert world.turn() == 100
    assert [progress.phase for progress in world.told] == ["looking", "reading", "finishing"] * 2


def test_a_fault_is_kept_for_the_operator_and_its_kind_alone_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Hosts show the log to apps; it holds no path. Faults in a row are waited out longer and longer; the next scan that
    succeeds clears the trouble."""

    def scan(world: World, hooks: Hooks) -> None:
        raise OSError("secret.md")

    world = World(monkeypatch, scan)
    with caplog.at_level(logging.WARNING):
        assert [world.turn() for _ in range(9)] == [5, 10, 20, 40, 80, 160, 320, 600, 600]
    assert world.keeper.trouble == "OSError: secret.md"
    assert "OSError" in caplog.text
    assert "secret" not in caplog.text
    world.scan = World.done
    world.turn()
    assert world.keeper.trouble == ""


def test_the_thread_scans_and_ends_when_it_is_told_to() -> None:
    """A scan under way is ended at its next pause."""
    scanning, ended = threading.Event(), threading.Event()

    def scan(hooks: Hooks, paths: frozenset[str] | None) -> None:
        scanning.set()
        try:
            while True:
                hooks.pause()
        except Stopped:
            ended.set()
            raise

    keeper = Keeper(
        scan, lambda: None, give_way=lambda: None, clock=lambda: 0.0, every=30.0, told=lambda progress: None
    )
    keeper.start()
    assert scanning.wait(30)
    assert keeper.is_running
    keeper.stop(30)
    assert ended.is_set()
    assert not keeper.is_running


def test_a_keeper_that_was_never_started_stops_at_once() -> None:
    """Stopping is always allowed."""
    keeper = Keeper(
        lambda hooks, paths: None,
        lambda: None,
        give_way=lambda: None,
        clock=lambda: 0.0,
        every=30.0,
        told=print,
    )
    keeper.stop()
    assert not keeper.is_running


def test_a_fault_is_said_once_until_it_changes(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A share that is away for hours fills no log: it is said when it goes, what to do, and when it is back."""
    faults: list[Exception | None] = [FolderUnusable("secret")] * 3 + [IndexUnusable("x"), None, None]

    def scan(world: World, hooks: Hooks) -> None:
        if (fault := faults.pop(0)) is not None:
            raise fault
        world.done(hooks)

    world = World(monkeypatch, scan)
    with caplog.at_level(logging.WARNING):
        while faults:
            world.turn(1000.0)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 3
    assert "share" in said[0]
    assert "readingroom index" in said[0]
    assert "secret" not in caplog.text
    assert "index cannot be written" in said[1]
    assert said[2] == "The folder is scanned again."


def test_a_doubtful_file_is_looked_at_again_when_it_cannot_be_half_written_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It alone, and not before; then it is taken as it is, though somebody may be writing it still."""
    doubted: list[bool] = []

    def scan(world: World, hooks: Hooks) -> None:
        world.done(hooks)
        doubted.append(hooks.again("a.md"))

    world = World(monkeypatch, scan)
    world.look = lambda hooks: doubted.append(hooks.again("a.md"))
    assert world.turn() == 0
    assert world.turn() == pytest.approx(MIDWAY_S)
    assert world.looks == []
    world.turn(MIDWAY_S)
    assert (world.looks, world.scans, doubted) == ([{"a.md"}], 1, [True, False])


def test_what_is_hinted_at_is_looked_at_at_once_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scan of everything stays where it was; what comes close behind waits for a short rest, and comes together."""
    world = World(monkeypatch)
    world.turn()
    assert world.turn(1.0) == 29
    world.keeper.hint(["a.md"])
    assert world.turn() == 0
    world.keeper.hint(["b.md"])
    world.keeper.hint(["c.md"])
    assert world.turn() == pytest.approx(keeping._HINTS_APART_S)
    world.turn(keeping._HINTS_APART_S)
    assert world.looks == [{"a.md"}, {"b.md", "c.md"}]
    assert world.turn() == pytest.approx(29 - keeping._HINTS_APART_S)
    assert world.scans == 1


def test_a_burst_of_hints_becomes_one_look_at_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand changes are no ten thousand looks."""
    world = World(monkeypatch)
    world.turn()
    for number in range(10_000):
        world.keeper.hint([f"{number}.md"])
    world.turn()
    assert len(world.looks) == 1
    assert "" in world.looks[0]


def test_a_scan_of_everything_settles_what_was_hinted_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins after the hints, so it has seen what they name."""
    world = World(monkeypatch)
    world.keeper.hint(["a.md"])
    world.turn()
    assert world.turn(0.5) == pytest.approx(29.5)
    assert world.looks == []


def test_hints_survive_a_look_that_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process was writing, or the folder was gone for a moment: they are followed when that is over."""
    faults: list[Exception] = [FolderUnusable("x"), IndexBusy()]

    def look(hooks: Hooks) -> None:
        if faults:
            raise faults.pop()

    world = World(monkeypatch)
    world.look = look
    world.turn()
    world.keeper.hint(["a.md"])
    world.keeper._wake.clear()
    assert world.turn() == keeping._FOLLOW_S
    assert not world.keeper._wake.is_set()
    assert world.turn() == 5
    world.keeper.hint(["b.md"])
    world.turn()
    assert world.looks == [{"a.md"}, {"a.md"}, {"a.md", "b.md"}]


def test_looking_at_a_place_says_nothing_of_how_long_looking_at_everything_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The distance of scans stays what the last scan of everything made it."""

    def tell(world: World, hooks: Hooks, seconds: float) -> None:
        hooks.tell(ScanProgress("looking", 16, None))
        world.now += seconds
        hooks.tell(ScanProgress("finishing", 0, 0))

    def scan(world: World, hooks: Hooks) -> None:
        world.since = world.now
        tell(world, hooks, 2.0)

    world = World(monkeypatch, scan)
    world.look = lambda hooks: tell(world, hooks, 0.001)
    world.turn()
    world.keeper.hint(["a.md"])
    world.turn(10.0)
    assert len(world.looks) == 1
    assert world.turn(1.0) == pytest.approx(100 - 13.001)
