"""Reading beneath the root: no link at any step, nothing but a regular file, never more than the cap."""

import contextlib
import errno
import os
import pathlib
import socket
import stat
from collections.abc import Callable

import pytest

from readingroom.library import beneath, opening
from readingroom.library.errors import NotFound
from readingroom.library.model import FileState, Found
from readingroom.library.opening import NotReadable, content, read

POSIX = pytest.mark.skipif(os.name == "nt", reason="makes links, FIFOs or sockets as POSIX has them")


@pytest.fixture(params=["beneath", "stepwise", "checked"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs all ways: with openat2, with openat, and the way of a system without either."""
    if request.param != "checked" and not opening._STEPWISE:
        pytest.skip("this system has no openat")
    if request.param == "beneath" and beneath._call() is None:
        pytest.skip("this system has no openat2")
    monkeypatch.setattr(opening, "_STEPWISE", request.param != "checked")
    if request.param != "beneath":
        monkeypatch.setattr(opening, "open_beneath", lambda *_: None)
    return str(request.param)


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with a/b/c.md in it, and a secret beside it."""
    (tmp_path / "root/a/b").mkdir(parents=True)
    (tmp_path / "root/a/b/c.md").write_bytes(b"text")
    (tmp_path / "secret.md").write_bytes(b"secret")
    return tmp_path / "root"


def found(name: bytes, size: int = 4) -> Found:
    """A file as a walk would have found it."""
    return Found(os.fsdecode(name), name, "markdown", FileState(size, 0, 0, 0))


def test_a_file_is_read_whole(root: pathlib.Path) -> None:
    """The bytes are those of the file, however large it is within the cap."""
    big = os.urandom(300_000)
    (root / "big.md").write_bytes(big)
    assert read(root, found(b"a/b/c.md")) == b"text"
    assert content(str(root), b"big.md", 300_000) == big
    (root / "empty.md").write_bytes(b"")
    assert content(str(root), b"empty.md", 1) == b""


def test_a_file_over_the_cap_is_not_read(root: pathlib.Path) -> None:
    """One byte more than the cap is refused; without a cap, the size found is the least that may be read."""
    assert content(str(root), b"a/b/c.md", 4) == b"text"
    with pytest.raises(NotReadable, match="over the cap of 3 bytes"):
        content(str(root), b"a/b/c.md", 3)
    with pytest.raises(NotReadable):
        read(root, found(b"a/b/c.md"), 3)


@pytest.mark.parametrize("name", [b"gone.md", b"a/gone/c.md", b"a/b/c.md/d.md"])
def test_what_has_gone_is_not_found(root: pathlib.Path, name: bytes) -> None:
    """A missing file, a missing folder and a file where a folder was are NotFound, and not NotReadable."""
    with pytest.raises(NotFound) as caught:
        content(str(root), name, 10)
    assert not isinstance(caught.value, NotReadable)


def test_a_folder_is_not_read(root: pathlib.Path) -> None:
    """A folder in the file's place is refused."""
    with pytest.raises(NotReadable):
        content(str(root), b"a/b", 10)


@POSIX
@pytest.mark.parametrize("target", ["secret.md", "root/a/b/c.md", "nowhere"])
def test_a_link_in_the_files_place_is_not_followed(root: pathlib.Path, target: str) -> None:
    """A symbolic link is refused wherever it leads, also back into the folder."""
    (root / "link.md").symlink_to(root.parent / target)
    with pytest.raises(NotReadable):
        content(str(root), b"link.md", 10)


@POSIX
def test_a_link_in_a_folders_place_is_not_followed(root: pathlib.Path) -> None:
    """A link on the way is not followed either; whatever is behind it is not read."""
    (root / "up").symlink_to(root.parent)
    (root / "again").symlink_to("a")
    for name in (b"up/secret.md", b"again/b/c.md"):
        with pytest.raises(NotFound):
            content(str(root), name, 10)


@POSIX
@pytest.mark.timeout(10)
def test_what_is_no_regular_file_is_not_read(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A FIFO does not hold the reader up, a socket is refused."""
    os.mkfifo(root / "fifo.md")
    with pytest.raises(NotReadable, match="not a regular file"):
        content(str(root), b"fifo.md", 10)
    monkeypatch.chdir(root)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.md")
        with pytest.raises(NotReadable):
            content(str(root), b"socket.md", 10)


def test_a_refusal_of_the_system_is_told_in_plain_words(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permission denied, or an error while reading, is NotReadable with the system's reason and without a path."""

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(root))

    with monkeypatch.context() as patch:
        patch.setattr(os, "read", refuse)
        with pytest.raises(NotReadable, match=r"^cannot be read: Permission denied$"):
            content(str(root), b"a/b/c.md", 10)
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(opening, "open_beneath", refuse)
    with pytest.raises(NotReadable, match=r"^cannot be read: Permission denied$"):
        content(str(root), b"a/b/c.md", 10)
    assert opening.reason(OSError()) == "cannot be read: OSError"


def test_a_file_exchanged_while_it_is_opened_is_not_read(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Without openat, what was opened must be what was looked at."""
    if way != "checked":
        pytest.skip("with openat there is no moment between looking and opening")
    other = root.parent / "secret.md"
    system_open = os.open
    monkeypatch.setattr(os, "open", lambda _path, flags: system_open(other, flags))
    with pytest.raises(NotReadable, match="exchanged"):
        content(str(root), b"a/b/c.md", 10)


@POSIX
def test_no_descriptor_is_left_open(root: pathlib.Path) -> None:
    """Whether a read succeeds or fails, every descriptor it took is given back."""
    (root / "a/b/link.md").symlink_to("c.md")

    def attempt(name: bytes) -> None:
        with contextlib.suppress(NotFound):
            content(str(root), name, 3)

    first = os.open(root, os.O_RDONLY)
    os.close(first)
    for name in (b"a/b/c.md", b"a/b/link.md", b"a/x/c.md", b"a/b", b"a/b/c.md/d"):
        attempt(name)
    again = os.open(root, os.O_RDONLY)
    os.close(again)
    assert again == first


@POSIX
@pytest.mark.timeout(10)
def test_a_device_is_not_read(root: pathlib.Path) -> None:
    """A node that never ends is refused before a byte of it is read."""
    try:
        os.mknod(root / "zero.md", stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device here")
    with pytest.raises(NotReadable):
        content(str(root), b"zero.md", 10)


def while_read(monkeypatch: pytest.MonkeyPatch, changes: list[Callable[[], object]]) -> None:
    """Have one change happen after the first piece of each of the next readings."""
    system_read = os.read

    def read_and_change(descriptor: int, size: int) -> bytes:
        begins = os.lseek(descriptor, 0, os.SEEK_CUR) == 0
        part = system_read(descriptor, size)
        if begins and changes:
            changes.pop(0)()
        return part

    monkeypatch.setattr(os, "read", read_and_change)


@POSIX
@pytest.mark.parametrize("text", [b"shorter", b"a longer text than it was before", b"just as long as it is"])
def test_a_file_written_over_while_it_is_read_is_read_again(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, text: bytes
) -> None:
    """One that has grown, shrunk or changed under the reading is given as it stands afterwards, never as a mixture."""
    file = root / "a.md"
    file.write_bytes(b"this is what it was..")
    os.utime(file, ns=(1, 1))
    while_read(monkeypatch, [lambda: file.write_bytes(text)])
    assert content(str(root), b"a.md", 100) == text


@POSIX
def test_a_file_exchanged_while_it_is_read_is_given_whole(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an editor swaps in does not touch the reading of what was opened."""
    file, fresh = root / "a.md", root / "fresh"
    file.write_bytes(b"old " * 50_000)
    fresh.write_bytes(b"new")
    while_read(monkeypatch, [lambda: fresh.replace(file)])
    assert content(str(root), b"a.md", 200_000) == b"old " * 50_000
    assert content(str(root), b"a.md", 200_000) == b"new"


@POSIX
def test_a_file_that_grows_without_end_is_read_a_few_times(
    root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is always written to is given as it was read last, and never beyond the cap."""
    file = root / "log.md"
    file.write_bytes(b"1")

    def grow() -> None:
        with file.open("ab") as log:
            log.write(b"1")

    while_read(monkeypatch, [grow] * 100)
    got = content(str(root), b"log.md", 50)
    assert got == b"1" * 4
    with pytest.raises(NotReadable, match="over the cap"):
        content(str(root), b"log.md", len(got))
