"""Parsing: what the bytes of a document say, all formats, with front matter and rules."""

import hashlib

import pytest

from readingroom.library import parse as parsing
from readingroom.library.model import Format, Link, Parsed
from readingroom.library.parse import NotText, parse
from readingroom.library.rules import Rules


def of(text: str, kind: Format = "markdown", path: str = "notes/a.md", rules: Rules | None = None) -> Parsed:
    """What a document with this text says."""
    return parse(path, kind, text.encode(), rules or Rules())


def test_everything_is_told_of_a_document() -> None:
    """Fields, structure and the text itself are those of the bytes."""
    text = "---\nid: A-1\nlang: ru\ntags: x\naliases: [B]\n---\n# T\r\n\n[l](m.md)\n"
    told = parse("a.md", "markdown", text.encode(), Rules())
    assert told.text == text
    assert (told.format, told.encoding, told.title, told.language) == ("markdown", "utf-8", "T", "ru")
    assert told.revision == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert (told.tags, told.aliases, told.identifier, told.visibility) == (("x",), ("B",), "A-1", "public")
    assert [(heading.title, heading.first, heading.last) for heading in told.headings] == [("T", 7, 9)]
    assert [(passage.first, passage.last, passage.text) for passage in told.passages] == [
        (7, 9, "# T\r\n\n[l](m.md)")
    ]
    assert told.links == (Link("markdown", "m.md", "l", 9),)
    assert told.warnings == ()


@pytest.mark.parametrize(
    ("kind", "text", "title"),
    [
        ("markdown", "---\ntitle: F\n---\n# H\n", "F"),
        ("markdown", "---\ntitle: ' '\n---\n## no\n# H\n# I\n", "H"),
        ("markdown", "#\n\n# H\n", "H"),
        ("markdown", "## no\n", "a name.v2"),
        ("text", "# no\n", "a name.v2"),
        ("rst", "H\n=\n", "H"),
        ("html", "<title>F</title><h1>H</h1>", "F"),
        ("html", "<h2>no</h2><h1>H</h1>", "H"),
        ("html", "---\ntitle: G\n---\n<title>F</title>", "G"),
        ("markdown", "", "a name.v2"),
    ],
)
def test_the_title_is_the_first_that_is_given(kind: Format, text: str, title: str) -> None:
    """Front matter, else the first heading of level 1, else the name of the file without its suffix."""
    assert of(text, kind, "x/a name.v2.md").title == title


def test_a_leading_block_is_taken_out_of_every_format() -> None:
    """Front matter counts in the lines and is in no passage, whatever the format."""
    for kind, body in (("markdown", "text"), ("text", "text"), ("rst", "text"), ("html", "<p>text")):
        told = of(f"---\ntitle: A\nvisibility: internal\n---\n{body}\n", kind)  # type: ignore[arg-type]  # a format
        assert (told.title, told.visibility) == ("A", "internal")
        assert [(passage.first, passage.text) for passage in told.passages] == [(5, body)]


def test_broken_front_matter_is_shown_as_text() -> None:
    """A block that cannot be read is a passage before all others, not a heading, and a warning."""
    for kind, shown in (("markdown", ""), ("rst", ""), ("text", ""), ("html", "---\ntitle: a: b\n---")):
        told = of("---\ntitle: a: b\n---\n", kind)  # type: ignore[arg-type]  # a format
        assert [
            (passage.section, passage.first, passage.last, passage.shown) for passage in told.passages
        ] == [((), 1, 3, shown)]
        assert told.headings == ()
        assert told.warnings == ("front matter is not valid YAML (line 2)",)


@pytest.mark.parametrize(
    ("kind", "text", "rules", "expected"),
    [
        ("markdown", "x", Rules(), "public"),
        ("markdown", "x", Rules(internal=("notes/",)), "internal"),
        ("markdown", "---\nvisibility: public\n---\n", Rules(internal=("*.md",)), "internal"),
        ("markdown", "---\nvisibility: internal\n---\n", Rules(internal=("other/",)), "internal"),
        ("html", "<meta name=visibility content=internal>", Rules(), "internal"),
        ("html", "<meta name=visibility content=' public '>", Rules(), "public"),
        ("html", "<meta name=visibility content=Public>", Rules(), "internal"),
        ("html", "<meta name=visibility>", Rules(), "internal"),
        (
            "html",
            "<meta name=visibility content=public><meta name=Visibility content=public>",
            Rules(),
            "internal",
        ),
        (
            "html",
            "---\nvisibility: internal\n---\n<meta name=visibility content=public>",
            Rules(),
            "internal",
        ),
        (
            "html",
            "---\nvisibility: public\n---\n<meta name=visibility content=internal>",
            Rules(),
            "internal",
        ),
        ("html", "<meta name=visibility content=public>", Rules(internal=("notes/**",)), "internal"),
    ],
)
def test_the_stricter_visibility_wins(kind: Format, text: str, rules: Rules, expected: str) -> None:
    """Front matter, the head of HTML and the rules can each make a document internal, and none makes it public again."""
    assert of(text, kind, rules=rules).visibility == expected


def test_the_head_of_html_gives_fields() -> None:
    """Language and keywords are taken where front matter gives none; a language that is none is nobody's."""
    told = of(
        '<html lang="PT-br"><meta name="keywords" content="a b, c"><meta name=keywords content=a>', "html"
    )
    assert (told.language, told.tags) == ("pt", ("a b", "c", "a"))
    told = of("---\nlang: de\ntags: [x]\n---\n<html lang=en><meta name=keywords content=y>", "html")
    assert (told.language, told.tags) == ("de", ("x", "y"))
    assert of("<html lang=english>", "html").language == ""
    assert of("<html lang=english>", "html").warnings == ()


def test_html_shows_what_is_read_and_keeps_its_source() -> None:
    """The text of a passage is the source, what is shown of it has no tags."""
    (passage,) = of("<body>\n<h1>A</h1>\n<p>b &amp; <b>c</b>\n</body>\n", "html").passages
    assert passage.text == "<h1>A</h1>\n<p>b &amp; <b>c</b>"
    assert passage.shown == "A\n\nb & c"
    assert passage.section == ("A",)


def test_the_size_of_passages_is_that_of_the_rules() -> None:
    """Long sections are split near the size the rules give."""
    text = ("x" * 40 + "\n\n") * 20
    assert len(of(text).passages) == 1
    assert len(of(text, rules=Rules(passage_characters=100)).passages) == 10


def test_other_encodings_are_read_and_named() -> None:
    """The text is decoded, lines and all, and the encoding kept."""
    data = "# Заголовок\r\n\r\nТекст по-русски, как его писали раньше.\r\n".encode("cp1251")
    told = parse("a.md", "markdown", data, Rules())
    assert (told.title, told.encoding) == ("Заголовок", "cp1251")
    with pytest.raises(NotText):
        parse("a.md", "markdown", b"\x89PNG\0", Rules())


def test_headings_and_links_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number that no book reaches headings are text and links are dropped, with a warning for each."""
    monkeypatch.setattr(parsing, "MAX_HEADINGS", 3)
    monkeypatch.setattr(parsing, "MAX_LINKS", 2)
    told = of("# a\n[1](x)\n# b\n[2](x)\n# c\n[3](x)\n# d\n[4](x)\n")
    assert [heading.title for heading in told.headings] == ["a", "b", "c"]
    assert told.headings[-1].last == 8
    assert [passage.last for passage in told.passages] == [2, 4, 8]
    assert len(told.links) == 2
    assert told.warnings == ("only the first 3 headings make sections", "only the first 2 links are followed")


HOSTILE: list[tuple[Format, str]] = [
    ("markdown", "["),
    ("markdown", "[a](b"),
    ("markdown", "[["),
    ("markdown", "![["),
    ("markdown", ">"),
    ("markdown", "> \n"),
    ("markdown", "- "),
    ("markdown", "*a "),
    ("markdown", "*_"),
    ("markdown", "`a"),
    ("markdown", "# x\n"),
    ("markdown", "```\n"),
    ("markdown", "<a "),
    ("markdown", "<!-- "),
    ("markdown", "a <!A "),
    ("markdown", "[a]: b\n"),
    ("markdown", "[^a]\n\n[^a]: b\n"),
    ("markdown", "|-"),
    ("markdown", "\r"),
    ("text", "x"),
    ("text", "x\n\n"),
    ("rst", "="),
    ("rst", "a\n=\n"),
    ("rst", "== ==\n"),
    ("rst", "::\n\n"),
    ("rst", "`a <"),
    ("rst", "``a "),
    ("rst", ":a"),
    ("rst", ".. _a: b\n"),
    ("html", "<"),
    ("html", "<a "),
    ("html", "<a b='"),
    ("html", "<!--"),
    ("html", "</"),
    ("html", "<h1>a"),
    ("html", "<ul><li>a"),
    ("html", "<td>a"),
    ("html", "<template>"),
    ("html", "&#"),
    ("html", "<p>word\n"),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("kind", "piece"), HOSTILE)
def test_hostile_input_costs_no_more_than_its_length(kind: Format, piece: str) -> None:
    """A fifth of a megabyte of anything is read in seconds at most, where a quadratic reader would take minutes or days."""
    size = 200_000
    told = of(piece * (size // len(piece)), kind)
    assert sum(passage.last - passage.first + 1 for passage in told.passages) <= 2 * size


def test_deep_nesting_is_no_recursion() -> None:
    """Quotations, lists and elements nested thousands deep do not reach the limit of recursion."""
    depth = 5_000
    lists = "".join(f"{'  ' * level}- a\n" for level in range(2_000))
    for kind, text in (
        ("markdown", "> " * depth + "a"),
        ("markdown", lists),
        ("html", "<div><ul><li>" * depth + "a"),
    ):
        assert of(text, kind).passages  # type: ignore[arg-type]  # a format


@pytest.mark.parametrize(
    ("kind", "text", "line", "shown"),
    [
        (
            "markdown",
            "---\ntitle: Wheat paste\naliases: [Glue, Wheat paste]\n---\n\n",
            1,
            "Wheat paste\nGlue",
        ),
        ("text", "", 0, "a"),
        ("text", "\n \n", 1, "a"),
        ("html", "<head>\n<title>Wheat paste</title>\n</head>", 1, "Wheat paste"),
    ],
)
def test_a_document_without_text_has_a_passage_of_its_names(
    kind: Format, text: str, line: int, shown: str
) -> None:
    """It could not be found by its title otherwise; the passage stands at the first line that is not blank."""
    (passage,) = of(text, kind).passages
    assert (passage.section, passage.first, passage.last, passage.shown) == ((), line, line, shown)
    assert passage.text == (text.split("\n")[line - 1] if line else "")


def test_a_guessed_encoding_is_told() -> None:
    """Whoever keeps the documents reads in the warnings what was guessed; of UTF-8 there is nothing to tell."""
    (warning,) = parse("a.md", "markdown", "Grüße aus München".encode("cp1252"), Rules()).warnings
    assert "guessed to be cp1252" in warning
    assert of("Grüße aus München").warnings == ()
