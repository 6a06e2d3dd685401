"""What users of other servers over notes and documents report of names and places, asked here through the tools and doors.

Names are what they are: told apart by every character but the two spellings that Unicode takes for one; links, roots and
working folders of any script; and whatever lies outside, is hidden or ignored is not there.
"""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readingroom import Client
from readingroom.library import Library, Principal, walk
from readingroom.library.rules import Rules
from support.desks import Desk, desk_over
from support.serving import served
from support.shelves import Shelves

NFD = "Ju\u0308rgen Mu\u0308ller"
COMMAND = [sys.executable, "-m", "readingroom"]
posix = pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such names")


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    """An empty folder."""
    return Shelves(tmp_path)


def listed(desk: Desk) -> list[str]:
    """Every path."""
    return [item["path"] for item in desk.tool("library_list")["structuredContent"]["items"]]


def read(desk: Desk, **named: Any) -> str:
    """A document's text, or the words of the refusal."""
    result = desk.tool("library_read", **named)
    return str(result["content"][0]["text"] if result.get("isError") else result["structuredContent"]["text"])


def over(shelves: Shelves, check: Callable[[Desk], None]) -> None:
    """Ask a reader's desk over the folder, scanned."""
    with shelves.scanned() as library:
        check(desk_over(library, "reader"))


@pytest.mark.parametrize(
    "names",
    [
        ("my file.md", "my-file.md", "my_file.md"),
        ("🐘.md", "🐘🐘.md", "日本語.md"),
        ("100%25.md", "100%.md", "a%2Fb.md"),
        ("a#b.md", "a&b.md", "a+b.md", "a;b.md", "a=b.md"),
        pytest.param(("README.md", "readme.md"), marks=posix),
        pytest.param(("a:b.md", "c?.md", "d*.md", 'e".md', "f|.md"), marks=posix),
    ],
)
def test_every_name_is_a_document_of_its_own(shelves: Shelves, names: tuple[str, ...]) -> None:
    """By path and by address, whatever the name looks like."""
    for name in names:
        shelves.write(name, f"It is called {name}.\n")
    if len(list(shelves.docs.iterdir())) < len(names):
        pytest.skip("this file system takes some of them for one")

    def check(desk: Desk) -> None:
        assert listed(desk) == sorted(names)
        for item in desk.tool("library_list")["structuredContent"]["items"]:
            expected = f"It is called {item['path']}."
            assert expected in read(desk, path=item["path"])
            assert expected in read(desk, uri=item["uri"])

    over(shelves, check)


@posix
def test_both_spellings_of_a_name_are_the_same(shelves: Shelves) -> None:
    """A folder as macOS writes it is asked for as everybody else does, and linked to in both ways."""
    shelves.write(f"{NFD}/über.md", "# Over\n\nHello.\n")
    composed = unicodedata.normalize("NFC", NFD)
    links = f"[a]({NFD.replace(' ', '%20')}/u%CC%88ber.md) [b](<{composed}/über.md>) [[u\u0308ber]]\n"
    shelves.write("links.md", links)

    def check(desk: Desk) -> None:
        assert listed(desk) == [f"{composed}/über.md", "links.md"]
        for path in (f"{NFD}/u\u0308ber.md", f"{composed}/über.md"):
            assert "Hello." in read(desk, path=path)
        outgoing = desk.tool("library_links", path="links.md")["structuredContent"]["outgoing"]
        assert [link["state"] for link in outgoing] == ["found"] * 3

    over(shelves, check)


@posix
def test_names_as_long_as_they_may_be(shelves: Shelves) -> None:
    """A name of 255 bytes, and a path near the longest that the system takes."""
    name, deep = "ж" * 126 + ".md", "/".join(["d" * 100] * 20) + "/x.md"
    shelves.write(name, "# Long\n")
    shelves.write(deep, "# Deep\n")

    def check(desk: Desk) -> None:
        assert listed(desk) == sorted([name, deep])
        assert "Deep" in read(desk, path=deep)

    over(shelves, check)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md", "a/../../outside.md", "/etc/passwd", "..\\outside.md", "C:\\x.md", "C:/x.md", "\\\\?\\x.md",
        "file:///etc/passwd", "file:///c%3A/temp/x.md", "library:///../outside.md", "library:///%2e%2e/outside.md",
        "library:///a%2F..%2Foutside.md", "%2e%2e/outside.md", "a.md\x00", "a.md\n", "docs-evil/x.md", "./", "",
    ],
)  # fmt: skip
def test_no_spelling_leads_out(shelves: Shelves, path: str) -> None:
    """Each is answered like a document that is not there, or as no name at all; nothing outside is opened."""
    shelves.write("a.md", "# A\n")
    for outside in ("outside.md", "docs-evil/x.md"):
        file = shelves.docs.parent / outside
        file.parent.mkdir(exist_ok=True)
        file.write_text("outside secret")

    def check(desk: Desk) -> None:
        for named in ({"path": path}, {"uri": path}):
            answer = json.dumps(desk.ask("tools/call", name="library_read", arguments=named))
            assert "outside secret" not in answer
            assert '"isError": true' in answer or '"error"' in answer
        answer = json.dumps(desk.ask("resources/read", uri=path))
        assert '"error"' in answer
        assert "outside secret" not in answer

    over(shelves, check)


@posix
def test_a_root_behind_a_link_is_its_folder(shelves: Shelves) -> None:
    """As /tmp is on some systems: the root is resolved once, and what is asked for is found in it."""
    shelves.write("a.md", "# A\n")
    link = shelves.docs.parent / "link"
    link.symlink_to(shelves.docs)
    with Library.open(link, cache=shelves.cache) as library:
        library.reconcile()
        assert library.root == shelves.docs.resolve()
        assert library.view(Principal("me", "reader")).read("a.md").text == "# A"


def test_what_is_hidden_ignored_or_installed_is_not_there(
    shelves: Shelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no such folder is even listed, however large it is."""
    shelves.write("a.md", "# A\n")
    for path in (".secret.md", ".git/x.md", ".env/x.md", "node_modules/m/readme.md", "private/p.md"):
        shelves.write(path, "# Secret\n")
    shelves.write(".gitignore", "node_modules/\nprivate/\n.env\n")
    entered: list[str] = []
    listing = walk.listing

    def noted(folder: str) -> Any:
        entered.append(folder)
        return listing(folder)

    monkeypatch.setattr(walk, "listing", noted)
    assert [item.path for item in walk.walk(shelves.docs, Rules()) if isinstance(item, walk.Found)] == [
        "a.md"
    ]
    assert entered == [str(shelves.docs)]
    over(shelves, lambda desk: _is_alone(desk, "a.md"))


def _is_alone(desk: Desk, path: str) -> None:
    assert listed(desk) == [path]
    refused = {read(desk, path=name).replace(name, "") for name in ("private/p.md", ".git/x.md", "none.md")}
    assert len(refused) == 1


def test_every_script_passes_every_door(shelves: Shelves) -> None:
    """Over stdio in a working folder of another script, over HTTP, and at the command line: the same documents."""
    shelves.write("日記/🐘.md", "# 日記\n\n今日は象を見た 🐘。\n")
    here = shelves.docs.parent / "図書 館"
    shelves.docs.rename(here)
    query = "象を見た 🐘 日記"
    serve = ["serve", ".", "--cache", str(shelves.cache)]

    def asked(client: Client) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = client.call_tool("library_search", {"query": query}).structured["items"]
        assert [hit["path"] for hit in items] == ["日記/🐘.md"]
        return items

    index = subprocess.run(
        [*COMMAND, "search", "--json", "--cache", str(shelves.cache), ".", query],
        cwd=here, capture_output=True, check=True,
    )  # fmt: skip
    printed = json.loads(index.stdout)["items"]
    with Client.stdio([*COMMAND, *serve], cwd=here) as client:
        assert asked(client) == printed
    over_http = [str(here) if word == "." else word for word in serve]
    with (
        served("-m", "readingroom", *over_http, "--http", "127.0.0.1:{port}") as url,
        Client.http(url) as client,
    ):
        assert asked(client) == printed
