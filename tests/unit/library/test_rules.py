"""Rules: what is served, and that a rule which hides cannot fail silently."""

import subprocess
import sys

import pytest

from readingroom.library.errors import BadQuery
from readingroom.library.rules import MAX_FILE_BYTES, Rules, format_of


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", "markdown"),
        ("A.MD", "markdown"),
        ("a.markdown", "markdown"),
        ("a.mdown", "markdown"),
        ("a.txt", "text"),
        ("a.Text", "text"),
        ("a.rst", "rst"),
        ("a.rest", "rst"),
        ("a.html", "html"),
        ("a.htm", "html"),
        ("a.xhtml", "html"),
        ("a.b.md", "markdown"),
        ("a.png", None),
        ("README", None),
        ("a.", None),
        (".md", None),
        ("a.md.bak", None),
    ],
)
def test_a_format_is_told_by_the_suffix(name: str, expected: str | None) -> None:
    """The suffix, in any case, tells the format; a name that is nothing but a suffix has none."""
    assert format_of(name) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        " ",
        "#comment",
        "!",
        "/",
        "!/",
        "//",
        "a//b",
        "private/[a",
        "private/[[:nope:]]",
        "private\\",
        "private\\secret.md",
        "./private/",
        "../private",
        "a/../b",
        " private/",
        "private/ ",
        "a\nb",
    ],
)
def test_a_pattern_that_can_match_nothing_is_refused(pattern: str) -> None:
    """A setting that would hide nothing is refused at once, for either use."""
    with pytest.raises(BadQuery):
        Rules(internal=(pattern,))
    with pytest.raises(BadQuery):
        Rules(leave_out=("*.tmp", pattern))


def test_patterns_that_mean_something_are_taken() -> None:
    """Globs, anchors, classes, escapes and negations are taken as they are."""
    given = ("private/", "/a/**/b", "!private/open.md", "[a-z]*.md", "\\#x", "a\\*", "**/x", "Ж*")
    assert Rules(internal=given, leave_out=given).internal == given


@pytest.mark.parametrize("sizes", [{"max_file_bytes": 0}, {"passage_characters": 0}])
def test_sizes_are_at_least_one(sizes: dict[str, int]) -> None:
    """A size below 1 is refused."""
    with pytest.raises(BadQuery):
        Rules(**sizes)


def test_rules_without_patterns_load_no_pattern_code() -> None:
    """The default rules cost a start nothing: neither re nor the patterns are loaded for them."""
    code = (
        "import sys; from readingroom.library.rules import Rules; Rules(); "
        "sys.exit(any(name.endswith('library.patterns') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert Rules().max_file_bytes == MAX_FILE_BYTES == 8_388_608
