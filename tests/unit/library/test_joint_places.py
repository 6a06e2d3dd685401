"""Where a document of several collections stands."""

import pytest

from readingroom.library.joint_places import apart, is_name, path_of, uri_of

NAMES = ("notes", "Мои заметки", "a+b")


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("notes/a/b.md", ("notes", "a/b.md")),
        ("./notes/", ("notes", "")),
        ("notes", ("notes", "")),
        ("other/a.md", None),
        ("", None),
        ("library:///notes/a%20b.md#x", ("notes", "library:///a%20b.md#x")),
        ("library:///notes", ("notes", "library:///")),
        ("library:///notes#x", ("notes", "library:///#x")),
        ("library:///notes/.id/I", ("notes", "library:///.id/I")),
        ("library:///.id/I", None),
        (
            "library:///%D0%9C%D0%BE%D0%B8%20%D0%B7%D0%B0%D0%BC%D0%B5%D1%82%D0%BA%D0%B8/a.md",
            ("Мои заметки", "library:///a.md"),
        ),
        ("library:///a%2Bb/c", ("a+b", "library:///c")),
        ("library://notes/a.md", None),
        ("library:///%ff/a", None),
    ],
)
def test_taken_apart(asked: str, found: tuple[str, str] | None) -> None:
    """The first segment names the collection, decoded; what follows is an address or a path within it."""
    assert apart(asked, NAMES) == found


def test_put_together() -> None:
    """An address is that of the joint path; nothing stays nothing."""
    assert uri_of("Мои", "library:///a%20b.md").endswith("/a%20b.md")
    assert apart(uri_of("a+b", "library:///c/d"), NAMES) == ("a+b", "library:///c/d")
    assert (uri_of("notes", ""), path_of("notes", ""), path_of("notes", "x")) == ("", "", "notes/x")


@pytest.mark.parametrize(
    "text", ["", ".", "..", ".x", "a/b", "a\\b", "a=b", " a", "a\n", "e\u0301", "x" * 65]
)
def test_no_names(text: str) -> None:
    """What could be taken for something else is no name of a collection."""
    assert not is_name(text)


@pytest.mark.parametrize("text", ["notes", "Мои заметки", "v1.2", "x" * 64, "é"])
def test_names(text: str) -> None:
    """Letters of any script, digits, spaces within."""
    assert is_name(text)
