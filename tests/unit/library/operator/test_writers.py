"""Whether a program has a file open for writing."""

import os
import sys
from pathlib import Path

import pytest

from readingroom.library.operator import writers

LEASES = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has leases")


@LEASES
def test_who_writes_is_noticed(tmp_path: Path) -> None:
    """As long as the file is open for writing, and no longer."""
    file = tmp_path / "a.md"
    file.write_text("text")
    descriptor = os.open(file, os.O_RDONLY)
    assert not writers.has_writers(descriptor)
    with file.open("a"):
        assert writers.has_writers(descriptor)
    assert not writers.has_writers(descriptor)
    os.close(descriptor)


def test_where_none_can_tell_nobody_is_said_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is compared all the same, right before it is exchanged."""
    monkeypatch.setattr(sys, "platform", "darwin")
    file = tmp_path / "a.md"
    with file.open("w") as open_for_writing:
        assert not writers.has_writers(open_for_writing.fileno())
