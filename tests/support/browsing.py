"""A browser in a process of its own, and the operator's page in another: `readingroom review --web` on real drafts."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from readingroom.library import DraftEdit, Library, Principal, Rules
from readingroom.library.ledger import Ledger, digest_of
from readingroom.library.operator import Operator, set_passphrase

from .peers import ROOT, installer

WEB = ROOT / "tests" / "web"
PASSPHRASE = "lantern harbour ferry noon"


class BrowserFault(Exception):
    """The browser could not do what it was told to."""


class Browser:
    """Does what `tests/web/driver.py` can, by the names there: `browser.goto(address)`."""

    def __init__(self) -> None:
        python = installer().python_of("playwright")
        assert python.exists(), "playwright is not installed; run: make test-peers"
        self._process = subprocess.Popen(
            [str(python), str(WEB / "driver.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._answer()

    def __getattr__(self, name: str) -> Any:
        def do(*arguments: Any, **options: Any) -> Any:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps({"do": name, "with": arguments, "by": options}) + "\n")
            self._process.stdin.flush()
            return self._answer()

        return do

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise BrowserFault("the browser has ended")
        told = json.loads(line)
        if "error" in told:
            raise BrowserFault(told["error"])
        return told.get("value")


class Shelf:
    """A folder with its ledger and its index, an editor that drafts changes, and a passphrase."""

    def __init__(
        self,
        place: Path,
        documents: Mapping[str, str | bytes],
        rules: Rules | None = None,
        name: str = "documents",
    ) -> None:
        self.folder, self.ledgers, self.cache = place / name, place / "ledgers", place / "cache"
        self._rules = rules or Rules()
        self._number = 0
        for path, text in documents.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode() if isinstance(text, str) else text)
        ledger = Ledger.open(self.folder, self.ledgers)
        operator = Operator(self.folder, self._rules, ledger, operator="")
        set_passphrase(ledger, "", PASSPHRASE, manifest=operator.manifest()).forget()
        ledger.close()

    def propose(self, kind: Any, path: str, principal: str = "desk", **wish: Any) -> str:
        """Draft a change, as an editor app does, and give the draft's id; `edits` are pairs."""
        self._number += 1
        if kind != "create":
            wish["base_revision"] = digest_of((self.folder / path).read_bytes())
        if "edits" in wish:
            wish["edits"] = [DraftEdit(old, new) for old, new in wish["edits"]]
        library = Library.open(
            self.folder, rules=self._rules, cache=self.cache, roles=("editor",), ledger=self.ledgers
        )
        with library:
            drafts = library.drafts(Principal(principal, "editor"))
            return drafts.create(f"operation-{self._number:04}", kind, path=path, **wish).draft.id

    def text(self, path: str) -> str:
        """Give what a file holds."""
        return (self.folder / path).read_text("utf-8")

    @contextmanager
    def served(self, *options: str) -> Iterator[str]:
        """Run `readingroom review --web`, and give the address that it prints."""
        command = [sys.executable, "-m", "readingroom", "review", str(self.folder), "--web"]
        places = ["--ledger", str(self.ledgers), "--cache", str(self.cache)]
        process = subprocess.Popen([*command, *places, *options], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            told = ""
            while (found := re.search(r"http://\S+/enter\?key=\S+", told)) is None:
                line = process.stdout.readline()
                assert line, f"the page has ended: {told}"
                told += line
            yield found[0]
        finally:
            process.terminate()
            code = process.wait(20)
            process.stdout.close()
        assert code == 0, "a signal is the way to end it"


def origin_of(address: str) -> str:
    """The origin of an address."""
    return "/".join(address.split("/")[:3])


def root_of(address: str) -> str:
    """The address under which every page stands, of the one that lets in."""
    return address.partition("/enter")[0]
