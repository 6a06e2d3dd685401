"""The keys of HTTP are made once, kept to oneself, and shared by a file."""

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from readingroom.apps import http_keys
from readingroom.apps.faults import UsageFault
from readingroom.apps.http_keys import derived, keys_from

ONE, TWO = "11" * 32, "22" * 32


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the platform that is not there yet."""
    folder = tmp_path / "share" / "readingroom"
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(folder))
    return folder


def _file(tmp_path: Path, text: str, mode: int = 0o600) -> str:
    file = tmp_path / "keys"
    file.write_text(text)
    file.chmod(mode)
    return str(file)


def test_a_key_is_made_when_first_needed(data: Path, tmp_path: Path) -> None:
    """In a folder and a file that nobody else can read; from then on it is the same, and no draft is left."""
    keys = keys_from(None, str(tmp_path / "docs"))
    assert [len(key) for key in keys] == [32]
    assert keys_from(None, str(tmp_path / "docs")) == keys
    assert [file.name for file in data.iterdir()] == ["http-keys"]
    if os.name == "posix":
        assert (data.stat().st_mode & 0o777, (data / "http-keys").stat().st_mode & 0o777) == (0o700, 0o600)


def test_of_two_that_make_one_the_first_wins(data: Path, tmp_path: Path) -> None:
    """Both then have the same."""
    keys = keys_from(None, str(tmp_path / "docs"))
    http_keys._make(data / "http-keys")
    assert keys_from(None, str(tmp_path / "docs")) == keys
    assert [file.name for file in data.iterdir()] == ["http-keys"]


def test_a_file_holds_one_key_a_line(tmp_path: Path) -> None:
    """The newest first; empty lines and comments are passed over."""
    given = _file(tmp_path, f"# keys\n{ONE}\n\n {TWO} \n")
    assert keys_from(given, str(tmp_path / "docs")) == (bytes.fromhex(ONE), bytes.fromhex(TWO))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "must hold 1 to 16 keys"),
        (f"{ONE}\n" * 17, "must hold 1 to 16 keys"),
        ("11\n", "is no key of 64 hexadecimal digits"),
        ("xyz\n", "is no key of 64 hexadecimal digits"),
        ("é\n", "is no key of 64 hexadecimal digits"),
    ],
)
def test_what_is_no_key_is_refused(text: str, told: str, tmp_path: Path) -> None:
    """The message says how to make one, and repeats nothing of the file."""
    with pytest.raises(UsageFault, match=told) as caught:
        keys_from(_file(tmp_path, text), str(tmp_path / "docs"))
    assert "token_hex(32)" in str(caught.value)
    assert "xyz" not in str(caught.value)


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Each replica would make its own."""
    with pytest.raises(UsageFault, match="cannot be read"):
        keys_from(str(tmp_path / "none"), str(tmp_path / "docs"))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of another kind there")
def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """Whoever can read it could have sealed what is opened."""
    with pytest.raises(UsageFault, match=r"others can read the keys .*chmod 600"):
        keys_from(_file(tmp_path, ONE, 0o640), str(tmp_path / "docs"))


def test_keys_do_not_lie_among_the_documents(tmp_path: Path) -> None:
    """Or they would be served."""
    with pytest.raises(UsageFault, match="inside the folder that is served"):
        keys_from(_file(tmp_path, ONE), str(tmp_path))


def test_purposes_have_keys_of_their_own() -> None:
    """Neither gives away the other."""
    key = bytes.fromhex(ONE)
    assert len({key, derived(key, "states"), derived(key, "cursors of reader")}) == 3
    assert derived(key, "states") == derived(key, "states")
