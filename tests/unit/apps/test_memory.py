"""What a passphrase was typed into is not looked into."""

import subprocess
import sys

import pytest

_LOOK = """
import ctypes, resource
from readingroom.apps.memory import shut
before = ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)
shut()
print(before, ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), resource.getrlimit(resource.RLIMIT_CORE))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked in its own way")
def test_no_debugger_and_no_dump() -> None:
    """Afterwards the kernel says that the process cannot be dumped, nor traced by others of the account."""
    ended = subprocess.run(
        [sys.executable, "-c", _LOOK], capture_output=True, text=True, timeout=60, check=True
    )
    assert ended.stdout == "1 0 (0, 0)\n"


def test_a_system_that_offers_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there is done without."""
    monkeypatch.setitem(sys.modules, "resource", None)
    monkeypatch.setattr(sys, "platform", "other")
    from readingroom.apps.memory import shut

    shut()
