"""Front matter: its borders, its fields, and that visibility fails closed."""

import pytest

from readingroom.library.front_matter import FrontMatter, language_of, read, tags_of
from readingroom.library.lines import Lines


def of(text: str) -> FrontMatter:
    """The front matter of a document with this text."""
    return read(Lines(text))


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\ntitle: A\n---\n\nText\n", 4),
        ("---\r\ntitle: A\r\n---\r\nText\r\n", 4),
        ("---\rtitle: A\r---\rText\r", 4),
        ("---  \ntitle: A\n---\t\nText\n", 4),
        ("---\ntitle: A\n...\nText\n", 4),
        ("---\ntitle: A\n---", 4),
        ("---\n---\nText\n", 3),
        ("---\n# note\n---\nText\n", 4),
    ],
)
def test_a_leading_block_is_taken_out(text: str, body: int) -> None:
    """Between a first line of three hyphens and the next such line, or three dots, stands front matter."""
    front = of(text)
    assert (front.body, front.shown, front.warnings) == (body, False, ())
    assert front.title == ("A" if "title" in text else "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Text\n---\ntitle: A\n---\n",
        "----\ntitle: A\n----\n",
        "--- a\ntitle: A\n---\n",
        "---\ntitle: A\n",
        "---",
        "---\nJust a rule above,\nand one below.\n---\nText\n",
        "---\n- a\n- list\n---\n",
        "\n---\ntitle: A\n---\n",
        "---\nThe visibility was poor.\n\nThe end.\n",
        "---\n# A heading\n\n- a list\n\ntext 'open\n---\n",
        "---\n" + "text\n\n- and\n\n" * 10_000 + "---\n",
        "---\nvisibility internal\n---\n",
        "+++\ntitle = 'A'\n+++\n",
    ],
)
def test_anything_else_is_text(text: str) -> None:
    """A block that is not leading, not closed or no mapping is text, without a warning."""
    assert of(text) == FrontMatter()


def test_the_known_fields_are_taken() -> None:
    """Six fields are known, in any case; what else stands there is no matter."""
    front = of(
        "---\nID: POL-358\nTitle:  Borrowing\n  rules\nlang: en-GB\ntags: [lending, '#members', lending, '']\n"
        "aliases:\n  - The rules\n  - Книга\nvisibility: public\nlayout: {a: b}\ndate: 2026-11-30\n---\n"
    )
    assert front == FrontMatter(
        body=14,
        title="Borrowing rules",
        language="en",
        tags=("lending", "members"),
        aliases=("The rules", "Книга"),
        identifier="POL-358",
        visibility="public",
    )


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("", ()),
        ("a", ("a",)),
        ("a b  #c", ("a", "b", "c")),
        ("a b, c ,, d", ("a b", "c", "d")),
        (["a b", " c "], ("a b", "c")),
        ("日本, #日記", ("日本", "日記")),
    ],
)
def test_tags_are_a_list_or_a_text(value: str | list[str], tags: tuple[str, ...]) -> None:
    """A text is split at commas, and only without any at blanks; a leading # is not part of a tag."""
    warnings: list[str] = []
    assert tags_of(value, warnings) == tags
    assert not warnings


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ""),
        ("ru", "ru"),
        ("RU", "ru"),
        ("zh-Hans-CN", "zh"),
        ("pt_BR", "pt"),
        (" de ", "de"),
        ("yue", "yue"),
    ],
)
def test_a_language_is_its_primary_tag(text: str, language: str) -> None:
    """Of a language tag the primary part is kept, in lower case."""
    warnings: list[str] = []
    assert language_of(text, warnings) == language
    assert not warnings


@pytest.mark.parametrize(
    ("field", "warning"),
    [
        ("lang: English", "lang is not a language tag"),
        ("lang: [en, de]", "lang is not a text"),
        ("title: [a]", "title is not a text"),
        ("tags: {a: b}", "tags is not a list of texts"),
        ("tags: [[a]]", "tags is not a list of texts"),
        ("aliases: {a: b}", "aliases is not a list of texts"),
        ("id: a/b", "id is not one segment"),
        ("id: ..", "id is not one segment"),
        ("id: " + "x" * 201, "id is not one segment"),
    ],
)
def test_a_wrong_field_is_a_warning(field: str, warning: str) -> None:
    """A field that cannot be used is left empty with a warning, and the others count."""
    front = of(f"---\n{field}\nname: x\nvisibility: public\n---\n")
    assert front == FrontMatter(body=6, visibility="public", warnings=front.warnings)
    assert len(front.warnings) == 1
    assert front.warnings[0].startswith(warning)


@pytest.mark.parametrize("value", ["public", "'public'", '"public"', " public  # yes", '"pub\\x6cic"'])
def test_public_said_clearly_is_public(value: str) -> None:
    """The one word, in any quoting."""
    front = of(f"---\nvisibility: {value}\n---\n")
    assert (front.visibility, front.warnings) == ("public", ())


@pytest.mark.parametrize(
    "key", ["visibility", "Visibility", "VISIBILITY", "'visibility'", '"visibility"', "? visibility\n"]
)
def test_internal_is_internal(key: str) -> None:
    """The word is heeded under every spelling of its key."""
    front = of(f"---\ntitle: A\n{key}: internal\n---\n")
    assert (front.visibility, front.warnings) == ("internal", ())


@pytest.mark.parametrize(
    "block",
    [
        "visibility:",
        "visibility: ''",
        "visibility: Public",
        "visibility: PUBLIC",
        "visibility: secret",
        "visibility: [public]",
        "visibility: {to: public}",
        "visibility: public internal",
        "visibility: publіc",  # a Cyrillic letter
        "visibility: public\nVisibility: public",
        "visibility: public\nvisibility: public",
        "visibility: public\n'visibility': internal",
        "title: a: b\nvisibility: public",
        "title: 'open\nVISIBILITY: public",
        'title: a: b\n"\\x76isibility": public',
        'title: a: b\n"\\u0076isi\\U00000062ility": public',
        'title: a: b\n"visi\\\n  bility": public',
        "visibility: &a public",
        "visibility: *a",
        "<<: *a\nvisibility: public",
        "title: a: b\n# visibility",
        "- visibility: public",
        "x: " + "[" * 40 + "\nvisibility: public",
        "x: " + "y" * 66_000 + "\nvisibility: internal",
    ],
)
def test_visibility_fails_closed(block: str) -> None:
    """Doubled, unclear, or in a block that cannot be read: the document is internal, and a warning says so."""
    front = of(f"---\n{block}\n---\nText\n")
    assert front.visibility == "internal"
    assert len(front.warnings) == 1
    assert "internal until that is repaired" in front.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "---\nvisibility: internal\n\nText, and the block is never closed.\n",
        "---\ntitle: A\n 'Visibility' : internal\n",
        "\n---\nvisibility: internal\n---\n",
        '\n \n\ufeff---\n"visibility": internal\n---\n',
        "---\n- visibility: internal\n---\n",
        "---\n{title: A,\nvisibility: internal\n---\n",
        "---\rvisibility: internal\rText\r",
        "---\n&a visibility: internal\n",
        "---\n*text* and visibility\n---\n",
        '---\n"visibilit\\x79": internal\n',
    ],
)
def test_a_block_in_the_wrong_place_that_names_visibility_makes_internal(text: str) -> None:
    """Not closed, not on the first line or no mapping: it is text, but what it tried to say is not lost."""
    front = of(text)
    assert front.visibility == "internal"
    assert "internal until that is repaired" in front.warnings[0]


@pytest.mark.parametrize(
    "block", ["a: b: c", "# note\n\na: b: c", "{a: b: c", "'a b': [", "ключ: b: c", "a:\n - b\n c"]
)
def test_what_was_meant_as_front_matter_is_shown_apart(block: str) -> None:
    """A broken block that begins with a key is no text to be read for headings."""
    front = of(f"---\n{block}\n---\n")
    assert (front.shown, len(front.warnings)) == (True, 1)
    assert front.body == block.count("\n") + 4


def test_broken_front_matter_is_a_warning_and_shown() -> None:
    """Without visibility in it a broken block hides nothing; the warning says where, and repeats no text."""
    front = of("---\ntitle: Secret: plan\n---\nText\n")
    assert front == FrontMatter(body=4, shown=True, warnings=("front matter is not valid YAML (line 2)",))
    assert of("---\na: b\nc: &x d\n---\n").warnings == (
        "front matter has anchors or aliases, which are not followed (line 3)",
    )
    assert of(f"---\na: {'b' * 66_000}\n---\n").warnings == ("front matter is longer than 65,536 characters",)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "---\n" + "\n" * 60_000 + "x",
        "---\n" + "- " * 30_000 + "\nx",
        "---\n" + "\\\n " * 20_000,
        "---\n" + "a: " * 20_000 + "\n---\n",
    ],
)
def test_hostile_blocks_take_no_time(text: str) -> None:
    """Blocks that would send a careless expression back and forth are done at once."""
    assert of(text).visibility is None
