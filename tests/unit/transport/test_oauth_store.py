"""Where logins are kept: by issuer, privately, and by many at once."""

import contextlib
import json
import stat
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readingroom import FileLogins, MemoryLogins
from readingroom.client.oauth_clients import ClientIdentity
from readingroom.client.oauth_tokens import Tokens
from readingroom.transport.oauth_store import (
    AtIssuer,
    KeyringLogins,
    Logins,
    LoginsUnusable,
    standard_logins,
)

A, B = "https://a.example", "https://b.example"
URL = "https://docs.example/mcp"


def tokens(access: str = "t") -> Tokens:
    """Tokens of a client."""
    return Tokens(
        client_id="c", resource=URL, access=access, refresh="r", expires=5.0, asked=("x",), granted=("x",)
    )


FULL = (
    Logins()
    .with_issuer(A, AtIssuer(ClientIdentity("c", "registered", "s")))
    .with_tokens(A, URL, tokens(), f"{A}/t")
)


def test_by_issuer() -> None:
    """Who we are to it, and what it gave; those of an endpoint are at the issuer of the last login."""
    assert FULL.at(A).client == ClientIdentity("c", "registered", "s")
    assert FULL.at(A).token_endpoint == f"{A}/t"
    assert FULL.at(B) == AtIssuer()
    assert FULL.tokens_for(URL) == tokens()
    assert FULL.tokens_for("https://other.example") is None
    moved = FULL.with_tokens(B, URL, tokens("t2"), f"{B}/t")
    assert moved.tokens_for(URL) == tokens("t2")
    assert moved.at(A).tokens == {}
    assert moved.at(A).client is not None


def test_without_tokens() -> None:
    """Who we are is kept."""
    assert FULL.without_tokens(URL).tokens_for(URL) is None
    assert FULL.without_tokens(URL).at(A).client is not None
    assert FULL.without_tokens(B) is FULL


def test_in_memory() -> None:
    """As long as the program runs."""
    store = MemoryLogins()
    with store.changing() as write:
        write(FULL)
    assert store.read() == FULL


def test_in_a_file(tmp_path: Path) -> None:
    """It and its folder are its owner's alone; what was written is read."""
    store = FileLogins(tmp_path / "private" / "logins.json")
    assert store.read() == Logins()
    with store.changing() as write:
        write(FULL)
    assert FileLogins(store.place).read() == FULL
    file = Path(store.place)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert json.loads(file.read_text())["issuers"][A]["client"]["client_id"] == "c"


def test_a_file_that_others_can_read(tmp_path: Path) -> None:
    """It is not used: who could read it knows the tokens."""
    store = FileLogins(tmp_path / "private" / "logins.json")
    with store.changing() as write:
        write(FULL)
    Path(store.place).chmod(0o640)
    with pytest.raises(LoginsUnusable, match="chmod 600"):
        store.read()
    Path(store.place).parent.chmod(0o755)
    with pytest.raises(LoginsUnusable, match="chmod 700"), store.changing():
        pass


@pytest.mark.parametrize(
    "text", [b"", b"{}x", b"[]", b'{"version": 2}', b'{"version": 1, "other": 1}', b"\xff"]
)
def test_a_file_of_something_else(tmp_path: Path, text: bytes) -> None:
    """It is not taken for one of ours, and not written over."""
    store = FileLogins(tmp_path / "private" / "logins.json")
    with store.changing() as write:
        write(FULL)
    Path(store.place).write_bytes(text)
    with pytest.raises(LoginsUnusable):
        store.read()
    assert Path(store.place).read_bytes() == text


def test_many_at_once(tmp_path: Path) -> None:
    """Nobody's change is lost."""
    store = FileLogins(tmp_path / "private" / "logins.json")

    def add(name: str) -> None:
        mine = FileLogins(store.place)
        for number in range(10):
            with mine.changing() as write:
                write(
                    mine.read().with_issuer(f"https://{name}{number}.example", AtIssuer(token_endpoint=name))
                )

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.read().issuers) == 40


class Keyring(types.ModuleType):
    """A keyring as the package offers it."""

    def __init__(self, priority: float = 5) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.priority = priority
        self.broken = False

    def get_keyring(self) -> Any:
        """What would be used."""
        if self.broken:
            raise OSError("no bus")
        return self

    def get_password(self, service: str, name: str) -> str | None:
        """Read an entry."""
        if self.broken:
            raise OSError("locked")
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        """Write an entry, as short as Windows wants it."""
        assert len(text) <= 1280
        self.kept[service, name] = text

    def delete_password(self, service: str, name: str) -> None:
        """Forget an entry, which has to be there."""
        del self.kept[service, name]


def keep(store: KeyringLogins, logins: Logins) -> None:
    """Write logins."""
    with store.changing() as write:
        write(logins)


@contextlib.contextmanager
def breaking(keyring: Keyring, method: str, calls: int) -> Iterator[None]:
    """Let a method of a keyring fail after some calls."""
    left = iter(range(calls))
    real = getattr(keyring, method)

    def broken(*given: str) -> None:
        if next(left, None) is None:
            raise OSError("broken off")
        real(*given)

    setattr(keyring, method, broken)
    try:
        yield
    finally:
        setattr(keyring, method, real)


def test_in_a_keyring(tmp_path: Path) -> None:
    """In pieces; nothing of it is in a file."""
    keyring = Keyring()
    store = KeyringLogins(keyring, tmp_path / "private" / "logins")
    assert store.read() == Logins()
    large = FULL.with_tokens(A, URL, tokens("x" * 5000), f"{A}/t")
    for logins in (large, FULL):
        with store.changing() as write:
            write(logins)
        assert KeyringLogins(keyring, tmp_path / "private" / "logins").read() == logins
    assert all(path.stat().st_size == 0 for path in (tmp_path / "private").iterdir())


def test_a_keyring_forgets(tmp_path: Path) -> None:
    """What is written over, as by a logout, is in no entry any more; nor is what a write that broke off has left."""
    keyring = Keyring()
    store = KeyringLogins(keyring, tmp_path / "private" / "logins")
    large = FULL.with_tokens(A, URL, tokens("SECRET" * 1000), f"{A}/t")
    keep(store, large)
    keep(store, large.without_tokens(URL))
    assert not any("SECRET" in text for text in keyring.kept.values())
    with pytest.raises(LoginsUnusable), breaking(keyring, "set_password", 4), store.changing() as write:
        write(large)
    assert any("SECRET" in text for text in keyring.kept.values())
    keep(store, FULL)
    assert not any("SECRET" in text for text in keyring.kept.values())


@pytest.mark.parametrize(("method", "calls"), [("set_password", 7), ("delete_password", 6)])
def test_a_keyring_change_that_breaks_off(tmp_path: Path, method: str, calls: int) -> None:
    """Wherever it breaks off, what is read is what was before or what is after, and the next change succeeds."""
    for call in range(calls):
        keyring = Keyring()
        store = KeyringLogins(keyring, tmp_path / "private" / "logins")
        before, after = (FULL.with_tokens(A, URL, tokens(one * 5000), f"{A}/t") for one in "xy")
        keep(store, before)
        with pytest.raises(LoginsUnusable), breaking(keyring, method, call), store.changing() as write:
            write(after)
        assert store.read() in (before, after)
        keep(store, FULL)
        assert store.read() == FULL
        assert len(keyring.kept) == 2


@pytest.mark.parametrize("changes", [1, 2, 1000])
def test_a_keyring_that_is_changed_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: int
) -> None:
    """The reader tries again, and waits for its turn where it never ends; it sees what was kept at one time."""
    keyring = Keyring()
    store = KeyringLogins(keyring, tmp_path / "private" / "logins")
    wanted = [FULL.with_tokens(A, URL, tokens(one * 3000), f"{A}/t") for one in "xy"]
    keep(store, wanted[0])
    left = list(range(changes))
    entries = Keyring()
    entries.kept = keyring.kept
    held = threading.Event()

    def get_password(service: str, name: str) -> str | None:
        found = entries.get_password(service, name)
        if name.endswith(".0") and left and not held.is_set():
            left.pop()
            keep(KeyringLogins(entries, tmp_path / "private" / "logins"), wanted[len(left) % 2])
        return found

    class Lock:
        """Says that it was taken."""

        def changing(self) -> Any:
            """Take it."""
            held.set()
            return contextlib.nullcontext()

    monkeypatch.setattr(keyring, "get_password", get_password)
    monkeypatch.setattr(store, "_file", Lock())
    assert store.read() in wanted
    assert held.is_set() is (changes == 1000)


def test_a_keyring_of_the_first_version(tmp_path: Path) -> None:
    """Its entries are read, and deleted with the first change, those that it had left behind among them."""
    keyring = Keyring()
    text = msgspec.json.encode(FULL).decode()
    keyring.kept = {("readingroom", "logins"): "1", ("readingroom", "logins.0"): text}
    keyring.kept |= {("readingroom", f"logins.{number}"): "left" for number in range(1, 5)}
    store = KeyringLogins(keyring, tmp_path / "private" / "logins")
    assert store.read() == FULL
    keep(store, FULL)
    assert store.read() == FULL
    assert len(keyring.kept) == 2


def test_a_keyring_that_is_locked(tmp_path: Path) -> None:
    """It is said what to do."""
    keyring = Keyring()
    keyring.broken = True
    with pytest.raises(LoginsUnusable, match="READINGROOM_LOGINS=file"):
        KeyringLogins(keyring, tmp_path / "logins").read()


def test_where_they_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the keyring when there is one that works, else in a file; the variable has its way."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "keyring", None)  # it is not installed
    assert isinstance(standard_logins({}), FileLogins)
    for keyring, kind in ((Keyring(), KeyringLogins), (Keyring(0), FileLogins)):
        monkeypatch.setitem(sys.modules, "keyring", keyring)
        assert isinstance(standard_logins({}), kind)
    keyring.broken = True
    assert isinstance(standard_logins({}), FileLogins)
    monkeypatch.setitem(sys.modules, "keyring", Keyring())
    kept = standard_logins({"READINGROOM_LOGINS": "file"})
    assert Path(kept.place).parts[-2:] == ("readingroom", "logins.json")
    assert standard_logins({"READINGROOM_LOGINS": str(tmp_path / "x")}).place == str(tmp_path / "x")
