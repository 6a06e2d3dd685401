"""The pages of a list: read to the end of it, and no list is read without end."""

from typing import Any

import pytest

from readingroom.apps.check import bench as benches
from readingroom.apps.check.asking import Reply
from readingroom.apps.check.bench import Bench, Settings
from readingroom.apps.check.verdicts import Notebook, NotReached

GUARD = 500


class Pages:
    """A server of `many` pages, each of `size` bytes on the wire; it fails the test that reads on and on."""

    def __init__(self, many: int, size: int = 100) -> None:
        self.many, self.size, self.asked = many, size, 0

    def ask(self, message: dict[str, Any], headers: object = None) -> Reply:
        """Answer a list."""
        if message["method"] == "server/discover":
            return _reply({"capabilities": {"tools": {}}}, 100)
        self.asked += 1
        assert self.asked < GUARD, "the list is read without end"
        number = int(message["params"].get("cursor", "1"))
        last = {} if number == self.many else {"nextCursor": str(number + 1)}
        return _reply({"tools": [{"name": f"t{number}"}], **last}, self.size)

    def is_alive(self) -> bool:
        """Always."""
        return True


def _reply(result: dict[str, Any], size: int) -> Reply:
    return Reply(state="answered", sent=b"{}", got=b" " * size, message={"result": result})


def _bench(peer: Pages, timeout: float = 10.0) -> tuple[Bench, Notebook]:
    note = Notebook()
    return Bench(lambda: peer, note, Settings(timeout=timeout)), note


def test_all_pages() -> None:
    """A list that ends is read to its end, as often as somebody asks."""
    peer = Pages(3)
    bench, note = _bench(peer)
    assert [tool["name"] for tool in bench.listed("tools")] == ["t1", "t2", "t3"]
    assert len(bench.pages("tools")) == len(bench.pages("tools", peer)) == 3
    assert not note.is_broken("PAGE-4")


@pytest.mark.parametrize(
    ("size", "timeout", "asked", "told", "verdict"),
    [
        (100, 10.0, 200, "there are more than 200 pages", "broken"),
        (benches._MOST_BYTES // 4, 10.0, 4, "its pages hold more than 64 MiB", "broken"),
        (100, 0.0, 1, "its pages had no end within 0 s", "not reached"),
    ],
    ids=["pages", "bytes", "time"],
)
def test_pages_without_end(size: int, timeout: float, asked: int, told: str, verdict: str) -> None:
    """Number, bytes and time are bounded over all pages (PAGE-4), but slow is not endless; nobody reads it twice."""
    peer = Pages(GUARD * 2, size)
    bench, note = _bench(peer, timeout)
    assert len(bench.pages("tools")) == asked
    (found,) = [one for one in note.findings(["PAGE-4"]) if one.rule == "PAGE-4"]
    assert told in found.detail
    assert found.verdict == verdict
    for again in (None, peer):
        with pytest.raises(NotReached, match="tools/list"):
            bench.pages("tools", again)
    assert peer.asked == asked


def test_what_came_of_a_list_without_end() -> None:
    """The items that came before the bound are there for whoever looks at them."""
    bench, _ = _bench(Pages(GUARD * 2))
    bench.pages("tools")
    assert len(bench.listed("tools")) == 200
