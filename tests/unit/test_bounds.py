"""A process bounds itself by time and memory, as far as its system knows such bounds."""

import subprocess
import sys

import pytest

from readingroom import bounds

if sys.platform == "win32":
    pytest.skip("there are no such bounds there", allow_module_level=True)

import resource

_TELL = """
import resource
from readingroom.bounds import bound
bound(7, 1 << 31)
print(*(resource.getrlimit(getattr(resource, name))[1] for name in ("RLIMIT_CPU", "RLIMIT_CORE", "RLIMIT_AS")))
"""


def test_a_process_is_bounded_and_cannot_take_more_again() -> None:
    """By the processor's time and without a dump everywhere, by memory on Linux."""
    done = subprocess.run(
        [sys.executable, "-c", _TELL], capture_output=True, text=True, check=True, timeout=60
    )
    processor, core, memory = map(int, done.stdout.split())
    assert (processor, core) == (7, 0)
    assert sys.platform != "linux" or memory == 1 << 31


@pytest.mark.parametrize(
    ("platform", "names"),
    [
        ("linux", ["RLIMIT_CPU", "RLIMIT_CORE", "RLIMIT_AS"]),
        ("darwin", ["RLIMIT_CPU", "RLIMIT_CORE"]),
        ("win32", []),
    ],
)
def test_each_system_is_asked_for_what_it_knows(
    platform: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And for nothing else."""
    asked: list[int] = []
    monkeypatch.setattr(bounds.sys, "platform", platform)
    monkeypatch.setattr(resource, "setrlimit", lambda which, _: asked.append(which))
    bounds.bound(1, 2)
    assert asked == [getattr(resource, name) for name in names]
