"""The time that the pages of one list have."""

from types import SimpleNamespace

import pytest

from readingroom.errors import TimedOut, UsageError
from readingroom.kit import listing
from readingroom.kit.engine import Engine
from readingroom.kit.listing import Listing
from readingroom.kit.settings import Settings


def unopened(**how: float) -> Engine:
    """Make an engine that is not connected to anything."""

    def refuse(_: Engine) -> None:
        raise AssertionError

    return Engine(refuse, Settings(target="a server", **how))  # type: ignore[arg-type]  # it is never called


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Put a clock in place of the system's that stands still until it is set."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(listing, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_each_page_has_its_timeout_and_all_have_the_ceiling(clock: SimpleNamespace) -> None:
    """What is left of the ceiling bounds the next page, and when nothing is left there is none."""
    pages = Listing(unopened(timeout=60, ceiling=5), "tools", 2.0)
    assert pages.times() == (2.0, 5.0)
    clock.now += 4.0
    assert pages.times() == (1.0, 1.0)
    clock.now += 1.0
    with pytest.raises(TimedOut, match="the list of tools did not end in time"):
        pages.times()


def test_times_that_are_not_given(clock: SimpleNamespace) -> None:
    """Are those of the client, whose ceiling is ten timeouts unless it was told another."""
    pages = Listing(unopened(timeout=3), "tools", None)
    assert pages.times() == (3.0, 30.0)
    clock.now += 28.0
    assert pages.times() == (2.0, 2.0)


def test_a_time_limit_that_is_none() -> None:
    """Is refused before anything is asked for."""
    with pytest.raises(UsageError, match="positive"):
        Listing(unopened(), "tools", 0)
