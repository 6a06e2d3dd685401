"""What a client can ask, and the walk over the pages of a list."""

import pytest

from readingroom.client import Operation, Page, Pages, operations
from readingroom.errors import PeerProtocolError, UsageError


def page(cursor: str | None, *items: str) -> Page:
    """Make a page."""
    return Page(items=list(items), next_cursor=cursor, raw={})


def test_operations():
    """Each operation names its method and its parameters, and leaves out what was not given."""
    assert operations.discover() == Operation("server/discover", None)
    assert operations.call_tool("t", None) == Operation("tools/call", {"name": "t"})
    assert operations.call_tool("t", {}) == Operation("tools/call", {"name": "t", "arguments": {}})
    assert operations.read_resource("x:/1") == Operation("resources/read", {"uri": "x:/1"})
    assert operations.get_prompt("p", {"a": "b"}) == Operation(
        "prompts/get", {"name": "p", "arguments": {"a": "b"}}
    )
    ref = {"type": "ref/prompt", "name": "p"}
    wanted = {"ref": ref, "argument": {"name": "a", "value": "v"}}
    assert operations.complete(ref, "a", "v", None) == Operation("completion/complete", wanted)
    assert operations.complete(ref, "a", "v", {"b": "c"}) == Operation(
        "completion/complete", {**wanted, "context": {"arguments": {"b": "c"}}}
    )


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (operations.call_tool, (5, None)),
        (operations.call_tool, ("t", [1])),
        (operations.read_resource, (None,)),
        (operations.get_prompt, ("p", {"a": 1})),
        (operations.get_prompt, (None, None)),
    ],
)
def test_what_cannot_be_asked(make, arguments):
    """A name that is no text, arguments that are no mapping and prompt arguments that are no texts are refused."""
    with pytest.raises(UsageError):
        make(*arguments)


def test_pages_are_walked_to_the_end():
    """Pages are asked for one after the other, an empty cursor included (PAGE-2)."""
    pages = Pages("tools")
    assert pages.next() == Operation("tools/list", None)
    pages.take(page("", "a"))
    assert pages.next() == Operation("tools/list", {"cursor": ""})
    pages.take(page("x", "b"))
    assert pages.next() == Operation("tools/list", {"cursor": "x"})
    pages.take(page(None, "c"))
    assert pages.next() is None
    assert pages.items == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("kind", "method"),
    [("resources", "resources/list"), ("templates", "resources/templates/list"), ("prompts", "prompts/list")],
)
def test_lists(kind, method):
    """Every list has its method."""
    assert Pages(kind).next() == Operation(method, None)


def test_a_repeated_cursor_ends_the_walk():
    """A cursor that was given before is a violation, for the walk would never end (PAGE-4)."""
    pages = Pages("tools")
    pages.take(page("x"))
    pages.take(page("y"))
    with pytest.raises(PeerProtocolError, match="same cursor twice") as caught:
        pages.take(page("x"))
    assert (caught.value.rule, caught.value.excerpt) == ("PAGE-4", "x")


def test_too_many_pages_end_the_walk():
    """More pages than allowed are a violation (PAGE-4)."""
    pages = Pages("tools", 3)
    pages.take(page("1"))
    pages.take(page("2"))
    with pytest.raises(PeerProtocolError, match="did not end within 3 pages"):
        pages.take(page("3"))


def test_too_many_bytes_end_the_walk():
    """More bytes on all pages than allowed are a violation (PAGE-4), on the last page, too."""
    for cursor, excerpt in (("3", "3"), (None, "")):
        pages = Pages("tools", most_bytes=20)
        pages.take(Page(items=[], next_cursor="2", raw={"a": "1234"}))
        with pytest.raises(PeerProtocolError, match="did not end within 20 bytes") as caught:
            pages.take(Page(items=[], next_cursor=cursor, raw={"a": "1234"}))
        assert (caught.value.rule, caught.value.excerpt) == ("PAGE-4", excerpt)


def test_one_page_alone_is_an_answer_as_any():
    """A list of one page has the limit of an answer, which the page has passed."""
    pages = Pages("tools", most_bytes=1)
    pages.take(page(None, "a"))
    assert pages.items == ["a"]


def test_one_list_has_one_scope():
    """Pages that say different things of who may have them are a fault of the server (CACHE-7)."""
    pages = Pages("tools")
    pages.take(Page(raw={"cacheScope": "public"}, items=[], next_cursor="a"))
    assert pages.fault is None
    pages.take(Page(raw={"cacheScope": "private"}, items=[]))
    assert "cacheScope" in pages.fault
