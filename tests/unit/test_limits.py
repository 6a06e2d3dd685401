"""The caps of the kit."""

import pytest

from readingroom import Limits

NAMES = Limits.__struct_fields__


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_is_positive(name: str, value: float) -> None:
    """Under another nothing could be served."""
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


def test_the_defaults_are_those_of_the_documentation() -> None:
    """A change of one is a change of what is promised."""
    mib = 1024 * 1024
    assert {name: getattr(Limits(), name) for name in NAMES} == {
        "line_bytes": 4 * mib,
        "answer_bytes": 64 * mib,
        "nesting": 64,
        "requests_in_flight": 1024,
        "bytes_in_flight": 32 * mib,
        "bytes_waiting": 32 * mib,
        "workers": 32,
        "drain_seconds": 5.0,
        "rounds": 16,
        "round_seconds": 600.0,
        "state_bytes": mib // 4,
        "page_items": 100,
        "subscriptions": 10_000,
        "subscribed_bytes": 64 * mib,
        "listen_topics": 1024,
        "tasks": 10_000,
        "tasks_of_one": 1_000,
        "tasks_bytes": 256 * mib,
        "task_bytes": 4 * mib,
        "tasks_running": 256,
        "task_seconds": 3600.0,
        "task_poll_seconds": 1.0,
        "task_lost_seconds": 10.0,
    }
