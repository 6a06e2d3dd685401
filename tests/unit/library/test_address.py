"""Addresses: canonical on the way out, strict on the way in."""

import pytest

from readingroom.library import address
from readingroom.library.address import Identifier, Path
from readingroom.library.errors import BadQuery


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", "library:///a.md"),
        ("notes/a b.md", "library:///notes/a%20b.md"),
        ("статья.md", "library:///%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F.md"),
        ("a(1)*!'.md", "library:///a%281%29%2A%21%27.md"),
        ("what?#100%.md", "library:///what%3F%23100%25.md"),
        ("C++/a+b&c;d.md", "library:///C%2B%2B/a%2Bb%26c%3Bd.md"),
        ("~x-y_z.1,2=3:4@5$.md", "library:///~x-y_z.1,2=3:4@5$.md"),
        ("cafe\u0301.md", "library:///caf%C3%A9.md"),
    ],
)
def test_an_address_is_percent_encoded_and_canonical(path: str, expected: str) -> None:
    """A path has one address: NFC, UTF-8, all but safe characters percent-encoded."""
    assert address.uri(path) == expected
    assert isinstance(address.parse(expected), Path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("library:///a%20b.md", Path("a b.md")),
        ("LIBRARY:///a.md", Path("a.md")),
        ("library:///%61.md", Path("a.md")),
        ("library:///a(1)+!'*;&.md", Path("a(1)+!'*;&.md")),
        ("library:///статья.md", Path("статья.md")),
        ("library:///cafe%CC%81.md", Path("café.md")),
        ("library:///cafe\u0301.md", Path("café.md")),
        ("library:///%252e%252e/a.md", Path("%2e%2e/a.md")),
        ("library:///.hidden/a.md", Path(".hidden/a.md")),
        ("library:///می\u200cخواهم.md", Path("می\u200cخواهم.md")),
        ("library:///.id/POL-358", Identifier("POL-358")),
        ("library:///.id/%D1%8F%20b", Identifier("я b")),
        ("library:///x/.id/y", Path("x/.id/y")),
        ("library:///a.md#L10", Path("a.md")),
        ("library:///a.md#../b.md", Path("a.md")),
        ("library:///a.md#b%ZZ?c", Path("a.md")),
        ("library:///c%23.md", Path("c#.md")),
        ("library:///c%23.md#c%23", Path("c#.md")),
        ("library:///.id/N-1#Steps", Identifier("N-1")),
    ],
)
def test_an_address_is_decoded_once(text: str, expected: Path | Identifier) -> None:
    """What is percent-encoded is decoded once, in NFC; letters of any script may stand unencoded."""
    assert address.parse(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.md",
        "/a.md",
        "file:///a.md",
        "library:a.md",
        "library:/a.md",
        "library://host/a.md",
        "library:///",
        "library:///a/",
        "library:////a",
        "library:///a//b",
        "library:///.",
        "library:///..",
        "library:///../a.md",
        "library:///a/../b.md",
        "library:///a/./b.md",
        "library:///%2e%2e/a.md",
        "library:///a/%2E/b.md",
        "library:///a%2fb.md",
        "library:///..%2fb.md",
        "library:///a%5Cb.md",
        "library:///a\\b.md",
        "library:///a%00.md",
        "library:///a\x00.md",
        "library:///a%0A.md",
        "library:///a.md\n",
        "library:///a%7F.md",
        "library:///a%C2%85.md",
        "library:///a%E2%80%A8.md",
        "library:///a\u2028.md",
        "library:///a b.md",
        "library:///a?x=1",
        "library:///#a.md",
        "library:///../a.md#b",
        "library:///a%.md",
        "library:///a%4",
        "library:///a%zz.md",
        "library:///a%+1.md",
        "library:///a%FF.md",
        "library:///a%ED%A0%80.md",
        "library:///a\ud800.md",
        'library:///"a".md',
        "library:///{+path}",
        "library:///.id",
        "library:///.id/",
        "library:///.id/a/b",
        "library:///.id/..",
        "library:///.id/" + "x" * 201,
        "library:///" + "x" * 16_400,
    ],
)
def test_what_is_not_an_address_of_ours_is_refused(text: str) -> None:
    """Another scheme, a traversal in any spelling, or malformed encoding is a BadQuery, never a path."""
    with pytest.raises(BadQuery):
        address.parse(text)


def test_an_identifier_is_one_segment() -> None:
    """Identifiers are encoded like one segment of a path, a slash would not come back."""
    assert address.identifier_uri("a b+c") == "library:///.id/a%20b%2Bc"
    assert address.is_identifier("POL-358")
    assert not any(map(address.is_identifier, ["", "a/b", "..", "a\\b", "a\nb", "x" * 201]))


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("library:///a.md", ""),
        ("library:///a.md#", ""),
        ("library:///a.md#Two%20words", "Two words"),
        ("LIBRARY:///c%23.md#cafe%CC%81#x", "café#x"),
        ("notes/c#.md", ""),
    ],
)
def test_a_fragment_is_told_apart_from_an_encoded_hash(text: str, fragment: str) -> None:
    """What follows the first # of an address is its fragment, decoded; a path has none."""
    assert address.fragment_of(text) == fragment
