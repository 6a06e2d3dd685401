"""Clients of applications in memory, closed at the end."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.asgi import Asgi


@pytest.fixture
def client() -> Iterator[Callable[..., Asgi]]:
    """Makes clients, and closes them."""
    made: list[Asgi] = []

    def make(app: Any) -> Asgi:
        made.append(Asgi(app))
        return made[-1]

    yield make
    for one in made:
        one.close()
