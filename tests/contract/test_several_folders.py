"""`serve A B` as a process, over both carriers; and one folder, which is served as it always was."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.carriers import Http, Stdio, over_http
from support.messages import message
from support.processes import PATIENCE, until

READINGROOM = [sys.executable, "-m", "readingroom"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Two folders."""
    for name, text in (("notes", "A borrowed book is renewed."), ("manuals", "The pump has a book.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a b.md").write_text(f"# {name.title()}\n\n{text}\n")
    return tmp_path


@pytest.fixture(params=["stdio", "http"])
def peer(place: Path, request: pytest.FixtureRequest) -> Iterator[Stdio | Http]:
    """Both folders, served."""
    arguments = [str(place / "notes"), f"second={place / 'manuals'}", "--cache", str(place / "cache")]
    if request.param == "http":
        with over_http(*arguments) as port:
            yield Http(port)
    else:
        served = Stdio(*arguments)
        yield served
        served.close()


def paths(peer: Stdio | Http, tool: str, **arguments: Any) -> set[str]:
    """What a tool names."""
    answer = peer.ask("tools/call", name=tool, arguments=arguments)
    return {item["path"] for item in answer["result"]["structuredContent"]["items"]}


def test_searched_read_and_listed_as_one(peer: Stdio | Http) -> None:
    """Each document under its collection, by tools, as a resource, and by completion."""
    until(lambda: paths(peer, "library_list") == {"notes/a b.md", "second/a b.md"})
    assert paths(peer, "library_search", query="book") == {"notes/a b.md", "second/a b.md"}
    assert paths(peer, "library_search", query="book", path="second") == {"second/a b.md"}
    listed = [item["uri"] for item in peer.ask("resources/list")["result"]["resources"]]
    assert listed == ["library:///notes/a%20b.md", "library:///second/a%20b.md"]
    for uri in listed:
        assert peer.ask("resources/read", uri=uri)["result"]["contents"][0]["uri"] == uri
    ref = {"type": "ref/resource", "uri": "library:///{+path}"}
    completed = peer.ask("completion/complete", ref=ref, argument={"name": "path", "value": "sec"})
    assert completed["result"]["completion"]["values"] == ["second/a b.md"]


def test_a_change_is_told(place: Path) -> None:
    """To who listens to a document of the second folder."""
    served = Stdio(str(place / "notes"), str(place / "manuals"), "--cache", str(place / "cache"))
    until(lambda: len(paths(served, "library_list")) == 2)
    uri = "library:///manuals/a%20b.md"
    served.send(message(99, "subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}}))
    served.hear()
    (place / "manuals" / "a b.md").write_text("# Manuals\n\nAnother text, and a longer one.\n")
    told = served.hear()
    assert (told["method"], told["params"]["uri"]) == ("notifications/resources/updated", uri)
    served.close()


def test_the_tools_are_those_of_one_folder(place: Path) -> None:
    """Byte for byte; and of one folder nothing tells that there could be several."""
    one = Stdio(str(place / "notes"), "--cache", str(place / "cache"))
    two = Stdio(str(place / "notes"), str(place / "manuals"), "--cache", str(place / "cache"))
    tools = [json.dumps(served.ask("tools/list")["result"]["tools"]) for served in (one, two)]
    assert tools[0] == tools[1]
    said = [served.ask("server/discover")["result"]["instructions"] for served in (one, two)]
    assert said[1].startswith(said[0])
    assert "collection" not in said[0]
    until(lambda: paths(one, "library_list") == {"a b.md"})
    one.close()
    two.close()


def ran(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """A command, run."""
    return subprocess.run(
        [*READINGROOM, *arguments], capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
    )


def test_at_the_terminal(place: Path) -> None:
    """`search`, `read` and `status` over both, one of which may be missing."""
    notes, manuals, cache = str(place / "notes"), str(place / "manuals"), ("--cache", str(place / "cache"))
    found = json.loads(ran("search", notes, "--also", manuals, "book", "--json", *cache).stdout)
    assert {item["path"] for item in found["items"]} == {"notes/a b.md", "manuals/a b.md"}
    read = ran("read", notes, "--also", f"second={manuals}", "second/a b.md", *cache)
    assert "The pump" in read.stdout
    without = ran("search", notes, "--also", str(place / "none"), "book", *cache)
    assert "notes/a b.md" in without.stdout
    assert "The collection none is left out: There is no folder" in without.stderr
    nothing = ran("search", str(place / "no"), "--also", str(place / "none"), "book", *cache)
    assert nothing.returncode == 3
    status = ran("status", notes, str(place / "none"), *cache)
    assert status.returncode == 3
    assert "Collection notes" in status.stdout
    assert "cannot be served now: There is no folder" in status.stdout
    told = json.loads(ran("status", notes, str(place / "none"), "--json", *cache).stdout)
    assert [one["collection"] for one in told] == ["none", "notes"]
    clash = ran("serve", notes, f"{notes}/.")
    assert clash.returncode == 2
    assert "are one folder" in clash.stderr or "would both be called" in clash.stderr
