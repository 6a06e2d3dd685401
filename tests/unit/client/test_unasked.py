"""Progress, and notifications that nobody asked for."""

import pytest

from readingroom.client import Progress
from readingroom.client.shapes import Violation
from readingroom.client.unasked import read_progress


def test_progress():
    """Progress has a number, and may have a total and a message (PROG-3)."""
    assert read_progress({"progress": 0.5, "total": 2, "message": "half"}, None) == Progress(0.5, 2, "half")
    assert read_progress({"progress": 0}, -1) == Progress(0)


@pytest.mark.parametrize("now", [1, 1.0, 0.5, -1])
def test_progress_must_increase(now):
    """Progress that does not strictly increase is a violation (PROG-2)."""
    with pytest.raises(Violation) as caught:
        read_progress({"progress": now}, 1)
    assert caught.value.rule == "PROG-2"


def test_great_numbers():
    """Numbers beyond a float are numbers still."""
    assert read_progress({"progress": 10**400}, 1.5).progress == 10**400
    with pytest.raises(Violation):
        read_progress({"progress": 1.5}, 10**400)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"progress": None},
        {"progress": "1"},
        {"progress": True},
        {"progress": 1, "total": "2"},
        {"progress": 1, "total": False},
        {"progress": 1, "message": 5},
    ],
)
def test_malformed_progress(params):
    """Progress whose members have the wrong type is a violation (PROG-3)."""
    with pytest.raises(Violation) as caught:
        read_progress(params, None)
    assert caught.value.rule == "PROG-3"
