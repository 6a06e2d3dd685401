"""Tests of how the page is started: on this machine alone, with what it needs, and with an address that is printed once."""

import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from readingroom.apps.console import Console
from readingroom.apps.faults import UsageFault
from readingroom.apps.git_publications import CommitIncomplete
from readingroom.apps.page import needs, serve_page, serving
from readingroom.apps.page.counter import Counter, NotUnlocked
from readingroom.apps.page.forms import Form
from readingroom.apps.settings import Settings
from readingroom.apps.terminal import Terminal
from readingroom.library import FolderUnusable, Rules
from readingroom.library.ledger import Ledger
from readingroom.library.operator import Operator, derivation, set_passphrase
from support.pages import PASSPHRASE, Proposing

EVERYWHERE = "0.0.0.0"  # noqa: S104  -- it is refused


def console() -> Console:
    """Streams in memory."""
    return Console(Terminal(io.StringIO(), {}), Terminal(io.StringIO(), {}), {})


@pytest.fixture(autouse=True)
def shut(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes that the memory is shut, which would be for the rest of this process's life."""
    noted: list[str] = []
    monkeypatch.setattr("readingroom.apps.memory.shut", lambda: noted.append("shut"))
    return noted


@contextmanager
def served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What is told when the page runs, in a thread of its own, at a free port."""
    stopping, ready = threading.Event(), threading.Event()
    out = io.StringIO()
    listen = serving.listen

    def listen_until(app: object, site: object, **options: object) -> int:
        started = options.pop("started")

        def told(origin: str) -> None:
            started(origin)  # type: ignore[operator]  # what serve gives
            ready.set()

        return listen(app, site, started=told, stopping=stopping, **options)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(serving, "listen", listen_until)
    both = Terminal(out, {})
    run = threading.Thread(target=serve_page, args=(settings, Console(both, both, {})))
    run.start()
    try:
        assert ready.wait(20)
        yield out.getvalue()
    finally:
        stopping.set()
        run.join(20)


def asked(address: str) -> tuple[int, str]:
    """Ask for an address; its status, and the cookie that comes with it."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=20)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    connection.close()
    return answer.status, answer.getheader("set-cookie", "")


@pytest.mark.parametrize("host", [EVERYWHERE, "::", "localhost", "192.168.1.1", "127.0.0.2", ""])
def test_only_this_machine_is_served(settings: Settings, host: str) -> None:
    """Every other address is refused before anything is opened."""
    with pytest.raises(UsageFault, match="on this machine alone"):
        serve_page(settings, console(), host=host)


def test_a_package_that_is_missing_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to install."""
    monkeypatch.setattr(needs, "find_spec", lambda name: None if name == "nh3" else object())
    with pytest.raises(UsageFault, match=r"\(nh3\): pip install 'readingroom\[page\]'"):
        serve_page(settings, console())


def test_a_folder_that_is_not_there_is_refused(settings: Settings, folder: Path) -> None:
    """As by every command."""
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    with pytest.raises(FolderUnusable):
        serve_page(settings, console())


def test_the_address_is_printed_and_lets_in(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a real socket: one browser, once."""
    with served(settings, monkeypatch) as told:
        address = re.search(r"http://127\.0\.0\.1:\d+/\S+/enter\?key=\S+", told)
        assert address is not None
        assert str(settings.folder) in told
        assert "No passphrase is set yet" in told
        status, cookie = asked(address[0])
        assert status == 200
        assert "HttpOnly" in cookie
        assert asked(address[0]) == (403, "")
        assert asked(address[0].partition("/enter")[0].rpartition("/")[0] + "/") == (404, "")


def test_nobody_looks_into_what_a_passphrase_is_sent_to(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, shut: list[str]
) -> None:
    """The memory of the page's process is shut before the first browser comes, as a terminal's before it asks."""
    listen = serving.listen

    def noting(app: object, site: object, **options: object) -> int:
        shut.append("listen")
        return listen(app, site, **options)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(serving, "listen", noting)
    with served(settings, monkeypatch):
        assert shut == ["shut", "listen"]


def test_git_is_told_of_what_is_published(
    folder: Path, ledger: Ledger, operator: Operator, proposing: Proposing
) -> None:
    """Checked before, committed after; a commit that fails is said, and the decision stands."""

    class Git:
        """Notes what it is asked."""

        asked: list[str] = []  # noqa: RUF012  -- one use

        def check(self, draft: str) -> None:
            self.asked.append(f"check {draft}")

        def check_undo(self, number: int) -> None:
            self.asked.append(f"check undo {number}")

        def commit(self, decision: object) -> str:
            self.asked.append("commit")
            if len(self.asked) > 2:
                raise CommitIncomplete("decision 3 is published, but not committed")
            return "0123456789abcdef"

    git = Git()
    counter = Counter(operator, ledger, git)  # type: ignore[arg-type]  # all of it that is asked for
    draft = proposing.create("new.md", "# New\n")
    form = Form((("passphrase", PASSPHRASE),))
    (outcome,) = counter.publish([operator.show(draft.id).approval], form, "")
    assert outcome.notes == ("It is commit 0123456789.",)
    undone = counter.undo(2, form, "")
    assert undone.notes == ("decision 3 is published, but not committed",)
    assert git.asked == [f"check {draft.id}", "commit", "check undo 2", "commit"]
    assert not (folder / "new.md").exists()


def test_without_a_passphrase_nothing_opens(
    folder: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says how to set one."""

    monkeypatch.setattr(derivation, "_N", 2**14)
    operator = Operator(folder, Rules(), ledger, operator="somebody")
    counter = Counter(operator, ledger)
    form = Form((("passphrase", PASSPHRASE),))
    assert counter.since() is None
    with pytest.raises(NotUnlocked, match="readingroom operator set"), counter.unlocked(form):
        pass
    set_passphrase(ledger, "somebody", PASSPHRASE, manifest={}).forget()
    with counter.unlocked(form) as key:
        assert not key.is_spent()
    assert key.is_spent()
    with pytest.raises(NotUnlocked, match="type it again"):
        _accept_too_late(counter, form)


def _accept_too_late(counter: Counter, form: Form) -> None:
    with counter.unlocked(form) as key:
        key.forget()
        counter.operator.accept(key)
