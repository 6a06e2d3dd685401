"""Answers that are kept: by what, for whom, for how long, how many."""

from typing import Any

import pytest

from readingroom.client import Cache, CompleteAnswer, Operation, Page, ReadAnswer
from readingroom.client import caching as caching_module

TOOLS = Operation("tools/list")
READ = Operation("resources/read", {"uri": "x:///a"})
UPDATED = "notifications/resources/updated"


class Kept:
    """A cache, and the time that it looks at."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.cache = Cache(lambda: self.now)

    def keep(
        self,
        operation: Operation = TOOLS,
        ttl: Any = 5000,
        scope: Any = "private",
        principal: str | None = "me",
    ) -> Page:
        """Keep an answer, and give it."""
        answer = Page(raw={"ttlMs": ttl, "cacheScope": scope}, items=[operation])
        key = self.cache.key(operation)
        assert key is not None
        self.cache.keep(key, answer, principal, self.cache.generation, operation.params or {})
        return answer

    def find(self, operation: Operation = TOOLS, principal: str | None = "me") -> Any:
        """Give what is found."""
        key = self.cache.key(operation)
        assert key is not None
        return self.cache.find(key, principal)


def test_an_answer_is_fresh_for_as_long_as_it_says() -> None:
    """By a clock that is handed in, and not a moment longer (CACHE-4)."""
    kept = Kept()
    answer = kept.keep(ttl=5000)
    kept.now += 4.999
    assert kept.find() is answer
    kept.now += 0.001
    assert kept.find() is None
    assert len(kept.cache) == 0


@pytest.mark.parametrize("ttl", [0, -1, None, True, 1.5, "5000"])
def test_what_is_stale_at_once(ttl: Any) -> None:
    """Is not kept (CACHE-4)."""
    kept = Kept()
    kept.keep(ttl=ttl)
    assert len(kept.cache) == 0


def test_an_answer_is_for_its_question() -> None:
    """The method and all parameters, in whatever order they are (CACHE-3)."""
    kept = Kept()
    first = kept.keep(Operation("tools/list", {"cursor": "a", "x": 1}))
    assert kept.find(Operation("tools/list", {"x": 1, "cursor": "a"})) is first
    for other in (
        TOOLS,
        Operation("tools/list", {"cursor": "b", "x": 1}),
        Operation("prompts/list", {"cursor": "a"}),
    ):
        assert kept.find(other) is None


@pytest.mark.parametrize(
    "operation",
    [
        Operation("tools/call", {"name": "t"}),
        Operation("com.example/do"),
        Operation("resources/read", {"uri": "x:///a", "inputResponses": {}}),
        Operation("resources/read", {"uri": "x:///a", "requestState": "s"}),
    ],
)
def test_what_is_never_kept(operation: Operation) -> None:
    """Has no key (MRTR-17)."""
    assert Kept().cache.key(operation) is None


def test_an_answer_is_for_whom_it_says() -> None:
    """A private one for the principal who got it, and one that does not say so as well (CACHE-6)."""
    kept = Kept()
    for scope in ("private", None, "all"):
        answer = kept.keep(scope=scope)
        assert kept.find(principal="me") is answer
        assert kept.find(principal="you") is None
        assert kept.find(principal=None) is None
    answer = kept.keep(scope="public")
    assert kept.find(principal="you") is answer


@pytest.mark.parametrize(
    ("notice", "stale"),
    [
        ("notifications/tools/list_changed", {"tools/list", "page"}),
        ("notifications/prompts/list_changed", {"prompts/list"}),
        ("notifications/resources/list_changed", {"resources/list", "resources/templates/list"}),
        ("notifications/tasks", set()),
    ],
)
def test_a_changed_list_is_stale(notice: str, stale: set[str]) -> None:
    """All its pages (CACHE-5)."""
    kept = Kept()
    operations = {method: Operation(method) for method in ("tools/list", "prompts/list", "resources/list")}
    operations["resources/templates/list"] = Operation("resources/templates/list")
    operations |= {"page": Operation("tools/list", {"cursor": "a"}), "read": READ}
    for operation in operations.values():
        kept.keep(operation)
    kept.cache.hear(notice, {})
    assert {name for name, operation in operations.items() if kept.find(operation) is None} == stale


@pytest.mark.parametrize(
    ("uri", "is_stale"), [("x:///a", True), ("x:///a/below", True), ("x:///b", False), (None, False)]
)
def test_a_changed_resource_is_stale(uri: Any, is_stale: bool) -> None:
    """And what holds it, but no list (CACHE-5, SUB-8)."""
    kept = Kept()
    kept.keep(READ)
    kept.keep(TOOLS)
    kept.cache.hear(UPDATED, {"uri": uri})
    assert (kept.find(READ) is None) is is_stale
    assert kept.find(TOOLS) is not None


def test_what_changed_while_it_was_asked_for_is_not_kept() -> None:
    """For the answer may be older than the change (CACHE-5)."""
    kept = Kept()
    key = kept.cache.key(TOOLS)
    assert key is not None
    before = kept.cache.generation
    kept.cache.hear("notifications/tools/list_changed", {})
    answer = Page(raw={"ttlMs": 5000, "cacheScope": "public"}, items=[])
    kept.cache.keep(key, answer, None, before, {})
    assert kept.find() is None


def test_everything_may_be_dropped() -> None:
    """When the server is another one."""
    kept = Kept()
    kept.keep()
    kept.cache.clear()
    assert kept.find() is None


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first; what is larger than all there is is not kept at all."""
    kept = Kept()
    for number in range(300):
        kept.keep(Operation("tools/list", {"cursor": str(number)}))
    assert len(kept.cache) == 256
    assert kept.find(Operation("tools/list", {"cursor": "43"})) is None
    assert kept.find(Operation("tools/list", {"cursor": "44"})) is not None
    monkeypatch.setattr(caching_module, "MOST_BYTES", 5000)
    hints = {"ttlMs": 5000, "cacheScope": "public"}
    for text, expected in (("x" * 3000, 1), ("x" * 5000, 0)):
        kept.cache.clear()
        key = ("resources/read", text[:1].encode())
        part = {"uri": "x:///a", "text": text}
        kept.cache.keep(key, ReadAnswer(raw=hints, contents=[part]), None, kept.cache.generation, {})
        assert len(kept.cache) == expected
    kept.cache.clear()
    blob = ReadAnswer(raw=hints, contents=[{"uri": "x:///a", "blob": "x" * 3500}])
    for name in (b"a", b"b"):
        kept.cache.keep(("resources/read", name), blob, None, kept.cache.generation, {})
    assert len(kept.cache) == 1
    kept.cache.keep(("x", b""), CompleteAnswer(raw=hints, values=[]), None, kept.cache.generation, {})
    assert len(kept.cache) == 1
