"""Names of documents as keys, and what a written link asks for."""

import pytest

from readingroom.library import names
from readingroom.library.model import Link


def asked(target: str, source: str = "guide/start.md", kind: str = "markdown") -> tuple[str, str]:
    """The key and fragment of a link."""
    return names.asked_by(source, Link(kind, target, "", 1))  # type: ignore[arg-type]  # a parametrized literal


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("next.md", "guide/next.md"),
        ("./next.md", "guide/next.md"),
        ("../top.md", "top.md"),
        ("a/../b.md", "guide/b.md"),
        ("/top.md", "top.md"),
        ("with%20space.md", "guide/with space.md"),
        ("%D0%B0.md", "guide/а.md"),
        ("cafe\u0301.md", "guide/caf\u00e9.md"),
        ("next.md?plain=1", "guide/next.md"),
        ("", "guide/start.md"),
        ("library:///a/b%20c.md", "a/b c.md"),
        ("LIBRARY:///a.md", "a.md"),
        ("../../outside.md", "../outside.md"),
    ],
)
def test_a_relative_link_asks_for_a_path(target: str, path: str) -> None:
    """A destination is decoded once and taken from the document's folder, or from the top with a leading slash."""
    assert asked(target) == (f"={path}", "")


def test_a_fragment_is_kept_apart() -> None:
    """What follows the first # is the fragment, in links of both kinds."""
    assert asked("next.md#part-2") == ("=guide/next.md", "part-2")
    assert asked("#part-2") == ("=guide/start.md", "part-2")
    assert asked("Next#Part 2", kind="wiki") == ("~next", "Part 2")
    assert asked("#Part 2", kind="wiki") == ("=guide/start.md", "Part 2")


@pytest.mark.parametrize(
    "target", ["https://a.example/x.md", "mailto:a@b.example", "//a.example/x", "x-app+1.2:y"]
)
def test_what_leads_out_asks_for_nothing(target: str) -> None:
    """A destination with a scheme or an authority is external."""
    assert asked(target) == ("", "")


def test_an_identifier_is_asked_for_by_its_address() -> None:
    """An address by id has the key of the id."""
    assert asked("library:///.id/POL-1#x") == ("#POL-1", "x")


@pytest.mark.parametrize("target", ["library:///a/../b.md", "library://other/a.md", "library:///%zz"])
def test_a_malformed_address_leads_nowhere(target: str) -> None:
    """It asks for a key that no document has."""
    assert asked(target)[0] == "=/"


def test_a_name_with_a_colon_is_no_scheme_when_it_is_not_spelt_like_one() -> None:
    """Only letters, digits and + - . before the colon make a scheme, and a letter first."""
    assert asked("1:2.md") == ("=guide/1:2.md", "")
    assert asked("глава:2.md") == ("=guide/глава:2.md", "")


def test_a_document_is_found_by_its_path_its_file_its_title_and_its_aliases() -> None:
    """The stronger kind of name has the lower rank."""
    keys = names.keys_of("a/Note One.md", "First Note", "N-1", ("Old name",))
    assert set(keys) == {
        ("=a/Note One.md", names.EXACT),
        ("#N-1", names.EXACT),
        ("^first note", names.EXACT),
        ("@old name", names.EXACT),
        ("~a/note one.md", names.PATH),
        ("~a/note one", names.PATH),
        ("~note one.md", names.FILE),
        ("~note one", names.FILE),
        ("~first note", names.TITLE),
        ("~old name", names.ALIAS),
    }
    assert len(keys) == len(set(keys))


def test_names_differ_neither_by_case_nor_by_unicode_form() -> None:
    """A wiki link finds a title however it is typed."""
    assert names.wiki_key("CAFE\u0301 ") == names.wiki_key("caf\u00e9")
    assert names.tag_key(" News ") == "news"
