"""The benchmark's modules lie beside its script and import each other by their bare names."""

from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[3] / "bench"


@pytest.fixture(autouse=True)
def _bench_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test import them as the script does."""
    monkeypatch.syspath_prepend(str(BENCH))
