"""For each test: tools that go on as tasks, and a client of the older era that can be asked."""

from typing import Any

import pytest

from support.older import NEWEST, OlderClient
from support.older_asking import ALL, asking
from support.task_steps import Steps


@pytest.fixture
def steps() -> Any:
    """Tools, let go at the end."""
    made = Steps()
    yield made
    made.go.set()


@pytest.fixture
def client() -> OlderClient:
    """A client of the newest version that can be asked everything."""
    return OlderClient(asking, NEWEST, ALL)
