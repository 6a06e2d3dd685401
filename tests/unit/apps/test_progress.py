"""A scan shows how far it is: a bar where somebody looks, a line now and then elsewhere, nothing when it is quick."""

from typing import Any

from readingroom.apps.console import Console
from readingroom.apps.progress import ScanBar
from readingroom.library import ScanProgress

from .streams import console, written


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def shown(given: Console, *moments: tuple[float, ScanProgress], **options: Any) -> str:
    """Run a scan whose progress comes at these moments, and give what was written to stderr."""
    clock = Clock()
    bar = ScanBar(given.err, clock=clock, **options)
    for moment, progress in moments:
        clock.now = 100.0 + moment
        bar(progress)
    bar.end()
    return written(given.err)


def reading(done: int, total: int | None = 1_000) -> ScanProgress:
    """Say how many documents have been read."""
    return ScanProgress("reading", done, total)


def test_a_quick_scan_shows_nothing() -> None:
    """What is over in half a second is not worth a flicker."""
    assert (
        shown(console(err_is_terminal=True), (0.1, ScanProgress("looking", 16, None)), (0.4, reading(5)))
        == ""
    )


def test_a_bar() -> None:
    """The bar has its share filled, the count and, once it can be told, how long the rest takes; in the end it is gone."""
    text = shown(console(err_is_terminal=True), (0.1, reading(0)), (2.1, reading(250)), (4.1, reading(500)))
    first, second, *end = text.removeprefix("\r").split("\r")
    assert first.rstrip() == "██████░░░░░░░░░░░░░░░░░░  25%  Reading documents: 250 of 1,000, 6 s left"
    assert second.rstrip() == "████████████░░░░░░░░░░░░  50%  Reading documents: 500 of 1,000, 4 s left"
    assert end[0].strip() == ""


def test_minutes() -> None:
    """Long waits are told in minutes."""
    assert "3 min left" in shown(console(err_is_terminal=True), (0.1, reading(0)), (60.1, reading(250)))


def test_looking_and_finishing() -> None:
    """Before the total is known only the count is told; the end is named."""
    text = shown(
        console(err_is_terminal=True),
        (1.0, ScanProgress("looking", 12_000, None)),
        (2.0, reading(0)),
        (3.0, ScanProgress("finishing", 1_000, 1_000)),
    )
    assert "Looking through the folder: 12,000 files" in text
    assert "0%  Reading documents: 0 of 1,000\r" in text
    assert "100%  Finishing the index" in text


def test_it_is_not_redrawn_too_often() -> None:
    """At most ten times a second."""
    moments = [(1.0 + number / 1_000, reading(number)) for number in range(1_000)]
    assert shown(console(err_is_terminal=True), *moments).count("Reading") <= 11


def test_lines_elsewhere() -> None:
    """Where nobody looks there are whole lines, one each five seconds, and no control characters."""
    moments = [(float(number), reading(number)) for number in range(1, 12)]
    lines = ["Reading documents: 5 of 1,000", "Reading documents: 10 of 1,000", ""]
    assert shown(console(), *moments).split("\n") == lines
    assert shown(console(), *moments, eager=True).split("\n")[0] == "Reading documents: 1 of 1,000"


def test_eager() -> None:
    """`index` shows from the first moment what it does."""
    assert "Reading" in shown(console(err_is_terminal=True), (0.0, reading(0)), eager=True)
