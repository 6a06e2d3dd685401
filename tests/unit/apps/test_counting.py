"""Numbers are told as people read them."""

import pytest

from readingroom.apps.counting import ago, counted, moment, size_text


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 documents"), (1, "1 document"), (2, "2 documents"), (12_345, "12,345 documents")],
)
def test_counted(number: int, told: str) -> None:
    """One is one, all else are many."""
    assert counted(number, "document") == told


def test_counted_with_a_plural_of_its_own() -> None:
    """An irregular plural is given."""
    assert counted(3, "index", "indexes") == "3 indexes"


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 KB"),
        (12_345, "12 KB"),
        (5_600_000, "5.6 MB"),
        (9e15, "9,000 TB"),
    ],
)
def test_size(size: float, told: str) -> None:
    """Sizes have two or three digits that count."""
    assert size_text(size) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (-5, "just now"), (1, "just now"), (2, "2 seconds ago"), (119, "119 seconds ago"), (120, "2 minutes ago"),
        (7_200, "2 hours ago"), (200_000, "2 days ago"),
    ],
)  # fmt: skip
def test_ago(seconds: float, told: str) -> None:
    """Spans are told in the largest unit of which there are two."""
    assert ago(seconds) == told


def test_a_moment_is_told_to_the_minute() -> None:
    """In UTC, which it says, wherever the machine stands."""
    assert moment(1_796_000_059.9) == "2026-11-30 00:54 UTC"
