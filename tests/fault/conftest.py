"""What faults must not leave behind."""

import threading

import pytest

from support.processes import until
from support.scripted import forget_proxies


@pytest.fixture
def nothing_is_left(monkeypatch):
    """Every thread of a client has ended when the client has been closed."""
    forget_proxies(monkeypatch)
    yield
    until(lambda: not [t for t in threading.enumerate() if t.name.startswith("readingroom-http")])
