"""Tools that go on as tasks, for each test."""

from typing import Any

import pytest

from support.task_steps import Steps


@pytest.fixture
def steps() -> Any:
    """Tools, let go at the end."""
    made = Steps()
    yield made
    made.go.set()
