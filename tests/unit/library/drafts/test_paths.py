"""Which paths a draft may name, by their text."""

import pytest

from readingroom.library.drafts.paths import check_new, folded, normal
from readingroom.library.errors import DraftRefused


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("notes/a b.md", "notes/a b.md"),
        ("u\u0308ber.md", "über.md"),
        ("library:///notes/%C3%BCber.md#part", "notes/über.md"),
        (".hidden/a.md", ".hidden/a.md"),
        ("what?.md", "what?.md"),
    ],
)
def test_a_path_is_taken_in_its_normal_form(asked: str, path: str) -> None:
    """As text or as an address; what is served there is another question."""
    assert normal(asked) == path


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "/a.md",
        "a//b.md",
        "a/",
        "../a.md",
        "a/../b.md",
        "./a.md",
        "a\\b.md",
        "a\0.md",
        "a\n.md",
        "a\ud800.md",
        "library:///.id/x",
        "library://other/a.md",
        "library:///%2e%2e/a.md",
        "library:///a%2Fb.md",
        "x" * 20_000,
    ],
)
def test_what_can_be_no_path_is_refused(asked: str) -> None:
    """Nothing is made of it."""
    with pytest.raises(DraftRefused) as caught:
        normal(asked)
    assert caught.value.code == "bad_path"


@pytest.mark.parametrize(
    "path", ["a.md", "конспект/文書.md", "a/" * 16 + "a.md", "می\u200cخواهم.md", "console.md"]
)
def test_a_new_document_may_have_an_ordinary_name(path: str) -> None:
    """Of any script."""
    check_new(path)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("a/" * 17 + "a.md", "16 folders"),
        ("日" * 70 + ".md", "200 bytes"),
        ("/".join(["a" * 190] * 6) + ".md", "1,024 bytes"),
        ("what?.md", "none of"),
        ("a:b.md", "none of"),
        ("folder /a.md", "blank"),
        ("folder./a.md", "dot"),
        (" a.md", "blank"),
        ("CON.md", "device"),
        ("com1.tar.md", "device"),
        ("lpt²/a.md", "device"),
        ("a\u202egnp.md", "cannot be seen"),
        ("a\u200b.md", "cannot be seen"),
        ("a\u2028.md", "cannot be seen"),
    ],
)
def test_a_name_that_not_every_system_holds_is_refused(path: str, why: str) -> None:
    """Or that does not show what it is; the text says which, and holds nothing that cannot be shown."""
    with pytest.raises(DraftRefused, match=why) as caught:
        check_new(path)
    assert caught.value.code == "bad_path"
    assert str(caught.value).isprintable()


def test_names_are_folded_as_file_systems_do() -> None:
    """Case and Unicode's forms do not matter."""
    assert folded("ÜBER.md") == folded("u\u0308ber.MD")
    assert folded("a.md") != folded("b.md")
