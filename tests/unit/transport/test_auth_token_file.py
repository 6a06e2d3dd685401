"""The file of tokens: private, whole, well formed, or refused."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from readingroom.transport import auth_token_file
from readingroom.transport.auth_token_file import (
    LARGEST,
    Record,
    TokensUnusable,
    changing,
    exists,
    read,
    state_of,
)
from readingroom.transport.auth_token_records import issued

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="a user's profile is private by its access list there"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where tokens are kept; nothing is there yet."""
    return tmp_path / "private" / "tokens.json"


def added(file: Path, **changed: Any) -> Record:
    """Add a token."""
    _, record = issued("reader", now=1_800_000_000, seconds=1000, **changed)
    with changing(file) as write:
        write((*(read(file) if exists(file) else ()), record))
    return record


def test_what_is_written_is_read(file: Path) -> None:
    """In a folder that is made with it."""
    first, second = added(file), added(file, label="Ünicode ☕")
    assert read(file) == (first, second)
    assert file.read_bytes().endswith(b"}\n")
    assert [path.name for path in file.parent.iterdir() if path.suffix == ".new"] == []


@posix
def test_nobody_else_may_read_it(file: Path) -> None:
    """Whatever the mask of the process is."""
    before = os.umask(0)
    try:
        added(file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in file.parent.iterdir())


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602, 0o610, 0o601, 0o644])
def test_a_file_that_is_open_to_others(file: Path, mode: int) -> None:
    """Is refused, with what to do."""
    added(file)
    file.chmod(mode)
    with pytest.raises(TokensUnusable, match=f"open to others; run: chmod 600 {file}"):
        read(file)


@posix
@pytest.mark.parametrize("mode", [0o750, 0o705, 0o720, 0o755])
def test_a_folder_that_is_open_to_others(file: Path, mode: int) -> None:
    """For reading and for a change."""
    added(file)
    file.parent.chmod(mode)
    for use in (lambda: read(file), lambda: added(file)):
        with pytest.raises(TokensUnusable, match=f"open to others; run: chmod 700 {file.parent}"):
            use()


@posix
def test_a_link_is_followed_nowhere(file: Path, tmp_path: Path) -> None:
    """Neither the file nor its folder may be one."""
    added(file)
    other = file.with_name("other.json")
    other.symlink_to(file)
    with pytest.raises(TokensUnusable, match="symbolic link"):
        read(other)
    with pytest.raises(TokensUnusable, match="symbolic link"):
        added(other)
    folder = tmp_path / "elsewhere"
    folder.symlink_to(file.parent)
    with pytest.raises(TokensUnusable, match="symbolic link"):
        read(folder / file.name)


@posix
def test_a_link_that_comes_in_between(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is not followed either."""
    added(file)
    other = file.with_name("other.json")
    other.symlink_to(file)
    monkeypatch.setattr(Path, "is_symlink", lambda self: False)
    with pytest.raises(TokensUnusable, match="cannot be read"):
        read(other)


@posix
def test_what_is_no_file(file: Path) -> None:
    """A folder, or a pipe that nobody writes to."""
    added(file)
    pipe, folder = file.with_name("pipe"), file.with_name("folder")
    os.mkfifo(pipe, 0o600)
    folder.mkdir(0o700)
    for other in (pipe, folder):
        with pytest.raises(TokensUnusable, match=r"is no file|cannot be read"):
            read(other)
    with pytest.raises(TokensUnusable, match="no folder"):
        read(file / "tokens.json")


@posix
def test_a_file_of_another_user(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is refused."""
    added(file)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(TokensUnusable, match="another user"):
        read(file)


def test_there_is_none(file: Path) -> None:
    """The command that makes one is named."""
    with pytest.raises(TokensUnusable, match="readingroom token add"):
        read(file)
    file.parent.mkdir(0o700)
    with pytest.raises(TokensUnusable, match="readingroom token add"):
        read(file)
    assert not exists(file)


def good(**changed: Any) -> dict[str, Any]:
    """A token as it stands in the file."""
    told = {
        "id": "abcdefgh",
        "hash": "0" * 64,
        "role": "reader",
        "principal": "anna",
        "created": 1,
        "expires": 2,
        **changed,
    }
    return {name: value for name, value in told.items() if value is not ...}


SECRET = "rr_reader_" + "A" * 43
BAD: dict[str, Any] = {
    "no JSON": b"hello",
    "empty": b"",
    "not UTF-8": b"\xff",
    "no object": [],
    "no version": {"tokens": []},
    "another version": {"version": 2, "tokens": []},
    "something unknown": {"version": 1, "tokens": [], "x": 1},
    "a token itself": {"version": 1, "tokens": [good(label=SECRET)]},
    "a token for a hash": {"version": 1, "tokens": [good(hash=SECRET)]},
    "a token beside": {"version": 1, "tokens": [good(token=SECRET)]},
    "a field beside": {"version": 1, "tokens": [good(token="x")]},
    "a short hash": {"version": 1, "tokens": [good(hash="0" * 63)]},
    "a hash in capitals": {"version": 1, "tokens": [good(hash="A" * 64)]},
    "a hash with a line end": {"version": 1, "tokens": [good(hash="0" * 64 + "\n")]},
    "no hash": {"version": 1, "tokens": [good(hash=...)]},
    "no end said": {"version": 1, "tokens": [good(expires=...)]},
    "an end that is a text": {"version": 1, "tokens": [good(expires="2027")]},
    "a negative end": {"version": 1, "tokens": [good(expires=-1)]},
    "a strange id": {"version": 1, "tokens": [good(id="../../etc")]},
    "a strange role": {"version": 1, "tokens": [good(role="Admin!")]},
    "no principal": {"version": 1, "tokens": [good(principal="")]},
    "a principal of two lines": {"version": 1, "tokens": [good(principal="a\nb")]},
    "a label of two lines": {"version": 1, "tokens": [good(label="a\nb")]},
    "one hash twice": {"version": 1, "tokens": [good(), good(id="hgfedcba")]},
    "one id twice": {"version": 1, "tokens": [good(), good(hash="1" * 64)]},
    "too large": b" " * (LARGEST + 1),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_file_of_tokens(file: Path, name: str) -> None:
    """Is refused as a whole, and what it says of a token is not repeated."""
    added(file)
    bad = BAD[name]
    file.write_bytes(bad if isinstance(bad, bytes) else json.dumps(bad).encode())
    with pytest.raises(TokensUnusable) as caught:
        read(file)
    assert SECRET not in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_good_file(file: Path) -> None:
    """By the same means: what was changed above is what was refused."""
    added(file)
    file.write_text(
        json.dumps({"version": 1, "tokens": [good(), good(id="hgfedcba", hash="1" * 64, expires=None)]})
    )
    assert [record.expires for record in read(file)] == [2, None]


@posix
def test_every_change_changes_the_state(file: Path) -> None:
    """Of what it holds, and of who may read it."""
    added(file)
    states = [state_of(file)]
    added(file)
    states.append(state_of(file))
    file.chmod(0o640)
    states.append(state_of(file))
    assert len(set(states)) == 3


@posix
def test_a_place_that_cannot_be_written(file: Path) -> None:
    """Is told as what it is."""
    file.parent.parent.joinpath("private").write_text("a file is in the way")
    with pytest.raises(TokensUnusable, match="cannot be changed"):
        added(file)


def test_a_lock_that_is_held(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is waited for, and not for ever."""
    monkeypatch.setattr(auth_token_file, "_PATIENCE_S", 0.05)
    with changing(file), pytest.raises(TokensUnusable, match="another process"):
        added(file)
    added(file)
