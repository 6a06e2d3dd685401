"""Opening beneath a folder in one call: what the system refuses, and that there is another way where it has no such call."""

import errno
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from readingroom.library import beneath
from readingroom.library.beneath import open_beneath

FLAGS = os.O_RDONLY
needs_call = pytest.mark.skipif(
    sys.platform != "linux" or beneath._call() is None, reason="this system has no openat2"
)

BEHIND_A_FILTER = """
import ctypes, os, struct, sys

number, folder = int(sys.argv[1]), sys.argv[2]

def line(code, k, yes=0, no=0):
    return struct.pack("HBBI", code, yes, no, k)

# load the number of the call; is it openat2? then an error, else let it through
program = line(0x20, 0) + line(0x15, 437, 0, 1) + line(0x06, 0x00050000 | number) + line(0x06, 0x7FFF0000)
lines = ctypes.create_string_buffer(program)
head = struct.pack("HxxxxxxP" if struct.calcsize("P") == 8 else "HxxP", len(program) // 8, ctypes.addressof(lines))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(head), 0, 0):
    sys.exit(77)

from readingroom.library import beneath, opening

here = os.open(folder, os.O_RDONLY)
print(beneath.open_beneath(here, b"a/b.md", os.O_RDONLY), opening.content(folder, b"a/b.md", 10))
for name in (b"up/secret.md", b"link.md"):
    try:
        print(opening.content(folder, name, 10))
    except opening.NotFound as error:
        print(type(error).__name__)
"""


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> Iterator[int]:
    """A descriptor of a folder with a/b.md in it, links out of it, and a secret beside it."""
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a/b.md").write_bytes(b"text")
    (tmp_path / "secret.md").write_bytes(b"secret")
    if os.name == "nt":
        pytest.skip("folders have no descriptors here")
    (root / "link.md").symlink_to("a/b.md")
    (root / "up").symlink_to(tmp_path)
    (root / "self").symlink_to("/proc/self/root")
    descriptor = os.open(root, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@needs_call
def test_a_file_beneath_is_opened(folder: int) -> None:
    """What is opened can be read, and is not handed on to programs that are started."""
    found = open_beneath(folder, b"a/b.md", FLAGS)
    assert found is not None
    assert os.read(found, 10) == b"text"
    assert not os.get_inheritable(found)
    os.close(found)


@needs_call
@pytest.mark.parametrize(
    ("name", "number"),
    [
        (b"link.md", errno.ELOOP),
        (b"up/secret.md", errno.ELOOP),
        (b"self/etc/passwd", errno.ELOOP),
        (b"../secret.md", errno.EXDEV),
        (b"a/../../secret.md", errno.EXDEV),
        (b"/etc/passwd", errno.EXDEV),
        (b"gone.md", errno.ENOENT),
        (b"a/b.md/c.md", errno.ENOTDIR),
        (b"x" * 300, errno.ENAMETOOLONG),
    ],
)
def test_nothing_else_is(folder: int, name: bytes, number: int) -> None:
    """A link anywhere, a way out and a name that leads nowhere are the system's own errors."""
    with pytest.raises(OSError) as caught:  # noqa: PT011  -- the number is what is looked at
        open_beneath(folder, name, FLAGS)
    assert caught.value.errno == number


@needs_call
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM, errno.EAGAIN])
def test_a_call_that_is_not_answered_says_nothing(
    folder: int, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """An older kernel, a filter or a moment of doubt is None, not an error of the file."""
    monkeypatch.setattr(beneath, "_call", lambda: lambda *_: -number)
    assert open_beneath(folder, b"a/b.md", FLAGS) is None


@needs_call
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM])
def test_behind_a_filter_of_system_calls_files_are_read_step_by_step(
    folder: int, tmp_path: pathlib.Path, number: int
) -> None:
    """As in a container whose filter does not know the call: what is read and what is refused is the same."""
    done = subprocess.run(
        [sys.executable, "-c", BEHIND_A_FILTER, str(number), str(tmp_path / "root")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode == 77:
        pytest.skip("this system sets up no filters")
    assert done.stdout.split("\n") == ["None b'text'", "NotFound", "NotReadable", ""], done.stderr


def test_where_there_is_no_such_call_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another system, another processor, or a Python without a door to the system's library."""
    beneath._call.cache_clear()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", "freebsd14")
            assert open_beneath(0, b"a", FLAGS) is None
        beneath._call.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(beneath, "_PROCESSORS", frozenset())
            assert open_beneath(0, b"a", FLAGS) is None
        beneath._call.cache_clear()
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "ctypes", None)
            assert open_beneath(0, b"a", FLAGS) is None
    finally:
        beneath._call.cache_clear()
