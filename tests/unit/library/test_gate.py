"""Requests go before the scan, but not for ever."""

import threading

import pytest

from readingroom.library import gate as gating
from readingroom.library.gate import Gate


def test_nobody_waits_at_an_empty_gate() -> None:
    """Without requests, giving way returns."""
    Gate().give_way()


def test_the_scan_waits_while_somebody_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on when the last request has left."""
    monkeypatch.setattr(gating, "_WAIT_S", 30)
    gate = Gate()
    passed = threading.Event()
    scan = threading.Thread(target=lambda: (gate.give_way(), passed.set()))
    with gate:
        with gate:
            scan.start()
        assert not passed.is_set()
    scan.join(10)
    assert passed.is_set()


def test_a_busy_server_is_indexed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting has an end although a request is inside."""
    monkeypatch.setattr(gating, "_WAIT_S", 0.001)
    gate = Gate()
    with gate:
        gate.give_way()
        before = gate._next
        gate.give_way()
    assert gate._next == before > 0
