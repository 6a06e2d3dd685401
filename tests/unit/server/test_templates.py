"""URI templates: a URI in, its variables out, or nothing."""

import pytest

from readingroom import UsageError
from readingroom.server.templates import UriPattern


@pytest.mark.parametrize(
    ("template", "uri", "variables"),
    [
        ("a:///{id}", "a:///7", {"id": "7"}),
        ("a:///{id}", "a:///x%20y", {"id": "x y"}),
        ("a:///{id}", "a:///%2F", {"id": "/"}),
        ("a:///{id}", "a:///%252F", {"id": "%2F"}),
        ("a:///{id}", "a:///%D1%8F", {"id": "я"}),
        ("a:///{id}", "a:///x\ny", {"id": "x\ny"}),
        ("a:///{id}/x", "a:///7/x", {"id": "7"}),
        ("a:///{+path}", "a:///x/y/z.md", {"path": "x/y/z.md"}),
        ("a:///{+path}/end", "a:///x/end/end", {"path": "x/end"}),
        ("a:///{b}-{c}", "a:///1-2-3", {"b": "1-2", "c": "3"}),
        ("a:///(.*)/{id}", "a:///(.*)/7", {"id": "7"}),
    ],
)
def test_a_uri_of_the_family_gives_its_variables(template: str, uri: str, variables: dict[str, str]) -> None:
    """Percent-decoded once (RSRC-6)."""
    assert UriPattern(template).match(uri) == variables


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("a:///{id}", "a:///"),
        ("a:///{id}", "a:///x/y"),
        ("a:///{id}", "b:///x"),
        ("a:///{id}", "A:///x"),
        ("a:///{id}", "a:///x/"),
        ("a:///{id}", "xa:///x"),
        ("a:///{id}", "a:///%FF"),
        ("a:///{+path}", "a:///"),
        ("a:///{id}", "a:///" + "x" * 10_000),
        ("a:///.{id}", "a:///xy"),
        ("a:///{id}\n", "a:///x"),
    ],
)
def test_another_uri_gives_nothing(template: str, uri: str) -> None:
    """URIs are compared as text; one that is longer than any honest one is nobody's."""
    assert UriPattern(template).match(uri) is None


def test_matching_takes_a_moment() -> None:
    """However a URI is made; if time grew with a power of its length, this would take hours."""
    pattern = UriPattern("a:///{+b}-{+c}.md")
    assert pattern.match("a:///" + "-" * 4_000_000) is None
    assert pattern.match("a:///" + "-" * 8_000) is None


@pytest.mark.parametrize(
    "template",
    ["a:///{}", "a:///{a}{a}", "a:///{a*}", "a:///{?a}", "a:///{a,b}", "a:///{a", "a:///a}", "a:///{ a}"],
)
def test_a_template_that_cannot_be_matched_is_refused(template: str) -> None:
    """When it is registered."""
    with pytest.raises(UsageError, match="a:///"):
        UriPattern(template)


def test_a_template_knows_its_variables() -> None:
    """In their order."""
    assert UriPattern("a:///{b}/{+c}").variables == ("b", "c")
