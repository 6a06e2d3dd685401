"""Lists: page by page, in one order, with cursors that only their maker reads."""

import json
from typing import Any

import pytest

from readingroom import Context, Limits, Page, Resource, Server
from support.everything import app as everything
from support.memory import MemoryServer


def pages(server: MemoryServer, method: str, key: str) -> list[list[str]]:
    """The names on all pages of a list."""
    found, members = [], {}
    while True:
        result = server.result(method, members)
        assert (result["ttlMs"], result["cacheScope"]) == (0, "private")
        found.append([item.get("uri") or item.get("uriTemplate") or item["name"] for item in result[key]])
        if "nextCursor" not in result:
            return found
        members = {"cursor": result["nextCursor"]}


def text(x: str) -> str:
    """A text."""
    return x


def listed(number: int, provider: Any = None, registered: int | None = None) -> MemoryServer:
    """A server with that many features of each kind, on pages of three."""
    app = Server("srv", limits=Limits(page_items=3), cursor_key=b"k" * 16)
    for count in sorted(range(number), key=lambda count: count * 7 % 5):
        app.tool(lambda: "x", name=f"t{count}", description="d")
        app.prompt(lambda: "x", name=f"t{count}", description="d")
        app.resource(f"t{count}:///{{x}}", name="n")(text)
    for count in range(number if registered is None else registered):
        app.resource(f"t{count}:///", name="n")(lambda: "x")
    if provider is not None:
        app.resource_list(provider)
    return MemoryServer(app)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 7])
def test_lists_come_in_pages_and_in_one_order(number: int) -> None:
    """Whatever the order of registration; the last page has no cursor (PAGE-1, TOOL-2)."""
    server = listed(number)
    expected = [f"t{count}" for count in range(number)]
    for method, key, form in (
        ("tools/list", "tools", "{}"),
        ("prompts/list", "prompts", "{}"),
        ("resources/list", "resources", "{}:///"),
        ("resources/templates/list", "resourceTemplates", "{}:///{{x}}"),
    ):
        found = pages(server, method, key)
        assert [name for page in found for name in page] == [form.format(name) for name in expected]
        assert all(len(page) == 3 for page in found[:-1])
        assert 0 < len(found[-1]) <= 3


@pytest.mark.parametrize("registered", [0, 1, 3, 4])
@pytest.mark.parametrize("provided", [0, 1, 5])
def test_resources_of_a_provider_follow_those_registered(registered: int, provided: int) -> None:
    """Page by page, until the provider says there are no more."""

    def provide(after: str | None, limit: int, ctx: Context) -> Page:
        assert limit > 0
        assert ctx.principal == "local"
        start = int(after or "0")
        items = [Resource(f"p{number}:///", "n") for number in range(provided)][start : start + limit]
        end = start + len(items)
        return Page(tuple(items), str(end) if end < provided else None)

    server = listed(0, provide, registered)
    found = [name for page in pages(server, "resources/list", "resources") for name in page]
    assert found == [f"t{number}:///" for number in range(registered)] + [
        f"p{number}:///" for number in range(provided)
    ]


@pytest.mark.parametrize(
    "method", ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]
)
def test_a_cursor_that_this_list_did_not_give_is_refused(method: str) -> None:
    """To this principal (PAGE-3)."""
    server = listed(4)
    other = "tools/list" if method != "tools/list" else "prompts/list"
    foreign = server.result(other)["nextCursor"]
    for cursor in ("", "AAAA", "x" * 100, foreign):
        assert server.error(method, {"cursor": cursor}) == {"code": -32602, "message": "Invalid cursor"}


def test_a_cursor_of_a_provider_that_is_gone_is_refused() -> None:
    """A restart may have taken it away, under the same key."""

    def provide(after: str | None, limit: int) -> Page:
        return Page((), "more")

    cursor = listed(1, provide).result("resources/list")["nextCursor"]
    assert listed(1).error("resources/list", {"cursor": cursor})["message"] == "Invalid cursor"
    assert listed(1, provide).result("resources/list", {"cursor": cursor})["resources"] == []


def test_listings_are_the_same_bytes_every_time() -> None:
    """So that a model's cache of its prompt holds (TOOL-2)."""
    first, second = MemoryServer(everything), MemoryServer(everything)
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
        assert (
            json.dumps(first.ask(method)) == json.dumps(first.ask(method)) == json.dumps(second.ask(method))
        )
