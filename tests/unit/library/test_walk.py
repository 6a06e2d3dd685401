"""The walk: what is found, what is left out and why, and that a look at one path agrees."""

import os
import pathlib
import types

import pytest

from readingroom.library import walk as walking
from readingroom.library.errors import FolderUnusable
from readingroom.library.model import Found, LeftOut
from readingroom.library.opening import NotReadable
from readingroom.library.rules import Rules
from readingroom.library.walk import look, read, walk

POSIX = pytest.mark.skipif(os.name == "nt", reason="makes links, FIFOs or names as POSIX has them")


def make(root: pathlib.Path, *paths: str) -> pathlib.Path:
    """Files with their own path as text; a path with a slash at its end is a folder."""
    for path in paths:
        if path.endswith("/"):
            (root / path).mkdir(parents=True, exist_ok=True)
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(path)
    return root


def told(root: pathlib.Path, rules: Rules | None = None) -> dict[str, str]:
    """Every path the walk tells, with its format or the reason why it is left out."""
    found = list(walk(root, rules or Rules()))
    assert len({item.path for item in found}) == len(found)
    return {item.path: item.format if isinstance(item, Found) else item.reason for item in found}


def test_served_formats_are_found_and_the_rest_told(tmp_path: pathlib.Path) -> None:
    """Every file is told once, with its format or a reason; folders that are entered are not told."""
    make(tmp_path, "a.md", "b/c.TXT", "b/d.rst", "b/e/f.htm", "b/g.png", ".env", ".git/config", "empty/")
    assert told(tmp_path) == {
        ".env": "hidden",
        ".git": "hidden",
        "a.md": "markdown",
        "b/c.TXT": "text",
        "b/d.rst": "rst",
        "b/e/f.htm": "html",
        "b/g.png": "not of a served format",
    }


def test_a_file_is_found_with_its_state(tmp_path: pathlib.Path) -> None:
    """A file carries its path, the system's name of it, and the size, times and inode of the file itself."""
    make(tmp_path, "b/a.md")
    status = (tmp_path / "b/a.md").stat()
    (found,) = walk(tmp_path, Rules())
    assert isinstance(found, Found)
    assert (found.path, found.name) == ("b/a.md", b"b/a.md")
    state = found.state
    assert (state.size, state.modified_ns, state.inode) == (6, status.st_mtime_ns, status.st_ino)
    assert state.changed_ns == status.st_ctime_ns
    assert read(tmp_path, found) == b"b/a.md"


def test_paths_come_in_their_order_as_text(tmp_path: pathlib.Path) -> None:
    """The order is that of whole paths, whatever the folders."""
    make(tmp_path, "a/b.md", "a.md", "a-b/c.md", "a/b/c.md", "a!/x.md", "Z.md", "б.md", "a/b-c.md")
    paths = [item.path for item in walk(tmp_path, Rules())]
    assert paths == sorted(paths)
    assert len(paths) == 8


def test_what_is_ignored_is_told_with_file_and_line(tmp_path: pathlib.Path) -> None:
    """An ignored folder is told once, and nothing below it comes back."""
    make(tmp_path, "drafts/a.md", "drafts/b/c.md", "x/a.tmp.md", "x/keep.tmp.md", "x/y.md", "n.md")
    (tmp_path / ".gitignore").write_text("drafts\n!drafts/a.md\n*.tmp.md\n")
    (tmp_path / "x/.readingroomignore").write_text("/y.md\n")
    (tmp_path / "x/.gitignore").write_text("!keep.*\n")
    rules = Rules(leave_out=("n.md",))
    assert {
        path: reason for path, reason in told(tmp_path, rules).items() if path.split("/")[-1][0] != "."
    } == {
        "drafts": "ignored by .gitignore, line 1: drafts",
        "n.md": "ignored by the rules, line 1: n.md",
        "x/a.tmp.md": "ignored by .gitignore, line 3: *.tmp.md",
        "x/keep.tmp.md": "markdown",
        "x/y.md": "ignored by x/.readingroomignore, line 1: /y.md",
    }


def test_a_file_over_the_cap_is_left_out(tmp_path: pathlib.Path) -> None:
    """The cap itself is served, a byte more is not."""
    (tmp_path / "a.md").write_bytes(b"x" * 1_000)
    (tmp_path / "b.md").write_bytes(b"x" * 1_001)
    assert told(tmp_path, Rules(max_file_bytes=1_000)) == {
        "a.md": "markdown",
        "b.md": "1,001 bytes, over the cap of 1,000",
    }


@POSIX
def test_nothing_but_regular_files_is_found(tmp_path: pathlib.Path) -> None:
    """Links are not followed, to a file, a folder, themselves or nowhere; a FIFO is no document."""
    make(tmp_path, "out/a.md", "root/a.md", "root/b/")
    root = tmp_path / "root"
    for name, target in {"f.md": "a.md", "d": "../out", "loop": ".", "self": "self", "gone.md": "x"}.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "fifo.md")
    link = "a symbolic link: none is followed"
    assert told(root) == {
        "a.md": "markdown",
        "d": link,
        "f.md": link,
        "fifo.md": "not a regular file but a FIFO",
        "gone.md": link,
        "loop": link,
        "self": link,
    }
    assert walking._kind(0o020000) == "not a regular file but a device"


@POSIX
def test_names_that_make_no_path_are_left_out(tmp_path: pathlib.Path) -> None:
    """Backslashes, control characters and bytes that are no UTF-8 are told in text that can be encoded and shown."""
    for name in (b"a\\b.md", b"a\nb.md", b"caf\xe9.md"):
        (tmp_path / os.fsdecode(name)).touch()
    (tmp_path / os.fsdecode(b"caf\xe9")).mkdir()
    result = told(tmp_path)
    assert set(result) == {"a\\b.md", "a\\nb.md", "caf\\xe9.md", "caf\\xe9"}
    assert all(reason.startswith("its name holds a backslash") for reason in result.values())
    assert all(path.encode() and path.isprintable() for path in result)


def test_of_two_spellings_of_a_name_one_is_served(tmp_path: pathlib.Path) -> None:
    """Of two names with one normal form the first by bytes is served, files and folders alike; a look agrees."""
    make(tmp_path, "é.md", "e\u0301.md", "ö/a.md", "o\u0308/b.md")
    if len(list(tmp_path.iterdir())) < 4:
        pytest.skip("this file system does not keep two spellings of one name")
    twin = "another entry beside it has the same name in Unicode's normal form"
    items = list(walk(tmp_path, Rules()))
    assert [(item.path, getattr(item, "reason", "")) for item in items] == [
        ("é.md", ""),
        ("é.md", twin),
        ("ö/b.md", ""),
        ("ö", twin),
    ]
    assert look(tmp_path, "é.md", Rules()) == items[0]
    assert isinstance(items[0], Found)
    assert read(tmp_path, items[0]) == "e\u0301.md".encode()
    assert look(tmp_path, "ö/a.md", Rules()) is None


def test_a_bad_folder_does_not_stop_the_rest(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed, or whose ignore file cannot be read, is left out; what has gone is not told."""
    make(tmp_path, "a/x.md", "b/x.md", "c/x.md", "d/x.md", "e.md")
    (tmp_path / "c/.gitignore").write_bytes(b"\0")
    system_listing = walking.listing

    def listing(folder: str) -> object:
        if folder.endswith("a"):
            raise PermissionError(13, "Permission denied")
        if folder.endswith("b"):
            raise FileNotFoundError
        return system_listing(folder)

    monkeypatch.setattr(walking, "listing", listing)
    assert told(tmp_path) == {
        "a": "cannot be read: Permission denied",
        "c": "what its .gitignore hides is not known (no text in UTF-8)",
        "d/x.md": "markdown",
        "e.md": "markdown",
    }


@pytest.mark.timeout(30)
def test_a_tree_deeper_than_a_path_may_be_long_is_walked_to_its_end(tmp_path: pathlib.Path) -> None:
    """Depth is no recursion: what lies too deep for the system is left out with its reason."""
    make(tmp_path, "z.md")
    depth = 0
    if os.name != "nt":
        here = os.open(tmp_path, os.O_RDONLY)
        for depth in range(1, 1_201):  # noqa: B007  -- used below
            os.mkdir("dddd", dir_fd=here)
            below = os.open("dddd", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(here)
    items = list(walk(tmp_path, Rules()))
    assert items[-1].path == "z.md"
    if depth:
        assert isinstance(items[0], LeftOut)
        assert items[0].reason == "cannot be read: File name too long"
        _remove_deep(tmp_path, depth)


def _remove_deep(top: pathlib.Path, depth: int) -> None:
    """Take a chain of folders down from its middle, each half short enough for the system."""
    descriptors = [os.open(top, os.O_RDONLY)]
    for _ in range(depth):
        descriptors.append(os.open("dddd", os.O_RDONLY, dir_fd=descriptors[-1]))
        if len(descriptors) > 2:
            os.rename("dddd", "moved", src_dir_fd=descriptors[-2], dst_dir_fd=descriptors[0])
            os.rmdir("dddd", dir_fd=descriptors[0])
            os.rename("moved", "dddd", src_dir_fd=descriptors[0], dst_dir_fd=descriptors[0])
            os.close(descriptors.pop(1))
    for descriptor in descriptors:
        os.close(descriptor)


def test_the_root_itself_must_be_a_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root that is missing, no folder, unreadable, or whose own ignore file cannot be read is FolderUnusable."""
    make(tmp_path, "a.md", "b/")
    (tmp_path / "b/.gitignore").write_bytes(b"\0")
    for root, message in {
        "gone": "does not exist",
        "a.md": "not a folder",
        "b": "hides is not known",
    }.items():
        with pytest.raises(FolderUnusable, match=message):
            list(walk(tmp_path / root, Rules()))
    for root in ("gone", "a.md"):
        with pytest.raises(FolderUnusable):
            look(tmp_path / root, "x.md", Rules())

    def refuse(_: str) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(walking, "listing", refuse)
    with pytest.raises(FolderUnusable, match="The folder cannot be read: Permission denied"):
        list(walk(tmp_path, Rules()))


@POSIX
def test_a_look_says_what_the_walk_says(tmp_path: pathlib.Path) -> None:
    """For every path told by the walk a look gives the very same; below a folder left out it gives the folder's."""
    make(tmp_path, "a.md", "b/c.txt", "b/d.png", "drafts/e.md", ".h/i.md", "x/j.md", "é/ü.md")
    make(tmp_path, "y/.gitignore/", "y/k.md")
    (tmp_path / "x/.gitignore").write_bytes(b"\0")
    (tmp_path / ".gitignore").write_text("drafts/\n*.txt\n")
    (tmp_path / "link").symlink_to("b")
    (tmp_path / "l.md").symlink_to("a.md")
    items = list(walk(tmp_path, Rules()))
    assert len(items) == 12
    for item in items:
        if item.path != "x":
            assert look(tmp_path, item.path, Rules()) == item
    below = {
        "drafts/e.md": "in drafts/: ignored by .gitignore, line 1: drafts/",
        ".h/i.md": "in .h/: hidden",
        ".h/gone/i.md": "in .h/: hidden",
        "link/c.txt": "in link/: a symbolic link: none is followed",
        "x/j.md": "what its .gitignore hides is not known (no text in UTF-8)",
    }
    for path, reason in below.items():
        left_out = look(tmp_path, path, Rules())
        assert isinstance(left_out, LeftOut)
        assert left_out.path == path
        assert left_out.reason == reason
    found = look(tmp_path, "e\u0301/u\u0308.md", Rules())
    assert isinstance(found, Found)
    assert found.path == "é/ü.md"


@pytest.mark.parametrize(
    "path",
    [
        "gone.md",
        "b",
        "b/",
        "",
        ".",
        "..",
        "../a.md",
        "a.md/x.md",
        "d.png/x.md",
        "b/../a.md",
        "/a.md",
        "gone/a.md",
        "a\0",
    ],
)
def test_a_look_finds_nothing_where_no_file_can_stand(tmp_path: pathlib.Path, path: str) -> None:
    """A missing file, a folder that is served, and whatever is no path at all are None."""
    make(tmp_path, "a.md", "b/c.md", "d.png")
    assert look(tmp_path, path, Rules()) is None


def test_a_look_tells_the_systems_refusal(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the system is a reason, not an exception."""
    make(tmp_path, "a.md")

    def refuse(*_: object, **__: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(walking, "find", refuse)
    assert look(tmp_path, "a.md", Rules()) == LeftOut("a.md", "cannot be read: Permission denied")


FETCHED = "its bytes are not on this machine: a cloud drive has to fetch them first"


def status(**given: int) -> object:
    """A status as Windows or macOS gives it."""
    return types.SimpleNamespace(st_mode=0o100644, **given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"st_file_attributes": 0x22}, "hidden"),
        ({"st_flags": 0x8000}, "hidden"),
        ({"st_file_attributes": 0x20}, None),
        ({"st_flags": 0x40}, None),
        ({"st_reparse_tag": 0xA0000003}, "a junction: none is followed"),
        ({"st_reparse_tag": 0x9000001A}, None),  # a file that a cloud drive keeps here, too
        ({"st_reparse_tag": 0x9000001A, "st_file_attributes": 0x400020}, FETCHED),
        ({"st_flags": 0x40000000}, FETCHED),
    ],
)
def test_attributes_hide_where_a_system_has_them(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, int], expected: str | None
) -> None:
    """What is hidden, a junction, and what is yet to be fetched are left out on the systems that know such things."""
    entry = types.SimpleNamespace(is_symlink=lambda: False, stat=lambda follow_symlinks: status(**given))
    listed = types.SimpleNamespace(key="a.md", entry=entry)
    monkeypatch.setattr(walking, "_ATTRIBUTES", True)
    assert walking._elsewhere(listed) == expected  # type: ignore[arg-type]  # as much of an entry as is asked


def test_the_doors_of_the_walk_are_open() -> None:
    """Reading and its error are had from the walk."""
    assert walking.NotReadable is NotReadable
