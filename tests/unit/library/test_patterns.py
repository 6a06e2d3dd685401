"""Patterns: one line against one entry, and the last of many."""

import pytest

from readingroom.library.patterns import PatternSet, read

# pattern, entry (a folder with a slash), whether git matches it
CASES = [
    ("a.md", "a.md", True),
    ("a.md", "x/a.md", True),
    ("a.md", "a.md/", True),
    ("a.md", "ba.md", False),
    ("a.md", "axmd", False),
    ("/a.md", "a.md", True),
    ("/a.md", "x/a.md", False),
    ("x/a.md", "x/a.md", True),
    ("x/a.md", "y/x/a.md", False),
    ("x/", "x/", True),
    ("x/", "x", False),
    ("x/", "y/x/", True),
    ("x/", "x/a.md", False),
    ("*.md", "x/y/a.md", True),
    ("*.md", ".md", True),
    ("*", "a", True),
    ("?.md", "a.md", True),
    ("?.md", "ж.md", True),
    ("?.md", "ab.md", False),
    ("x/*", "x/a", True),
    ("x/*", "x/y/a", False),
    ("x/*", "x/", False),
    ("x/?", "x/", False),
    ("*/*", "a/", False),
    ("x/*/a", "x/y/a", True),
    ("x/*/a", "x/a", False),
    ("**/a", "a", True),
    ("**/a", "x/y/a", True),
    ("**/a/b", "x/a/b", True),
    ("x/**", "x/a/b", True),
    ("x/**", "x/", False),
    ("x/**/", "x/a/", True),
    ("x/**/", "x/a", False),
    ("x/**/a", "x/a", True),
    ("x/**/a", "x/y/z/a", True),
    ("x/**/y/**/a", "x/y/a", True),
    ("x/**/y/**/a", "x/1/y/2/a", True),
    ("x/**/y/**/a", "x/1/2/a", False),
    ("**/b*c/*d", "a/bxc/bc/yd", True),
    ("a**b", "axxb", True),
    ("x/a**b", "x/a/b", False),
    ("a**/b", "a/x/b", True),
    ("a**/b", "ab", True),
    ("?a**/b", "xa/y/b", False),
    ("[ab].md", "b.md", True),
    ("[a-c].md", "b.md", True),
    ("[c-a].md", "b.md", False),
    ("[!c-a].md", "b.md", True),
    ("[!ab].md", "b.md", False),
    ("[^ab].md", "c.md", True),
    ("[]].md", "].md", True),
    ("[]-].md", "-.md", True),
    ("[a\\]].md", "].md", True),
    ("[a\\-c].md", "b.md", False),
    ("[\\a-c].md", "b.md", True),
    ("[a-\\c].md", "b.md", True),
    ("[a-].md", "-.md", True),
    ("[[:digit:]x].md", "7.md", True),
    ("[[:digit:]].md", "x.md", False),
    ("[[:nope:]].md", "x.md", False),
    ("[[:x].md", ":.md", True),
    ("[[:", "[[:", False),
    ("[a", "[a", False),
    ("[a\\", "a", False),
    ("[a-\\", "a", False),
    ("x[!a]y/b", "x/y/b", False),
    ("\\*.md", "*.md", True),
    ("\\*.md", "a.md", False),
    ("\\#a", "#a", True),
    ("\\!a", "!a", True),
    ("a\\", "a", False),
    ("a\\ ", "a ", True),
    ("a ", "a", True),
    ("a\\\\ ", "a\\", True),
    ("a.md\r", "a.md", True),
    ("cafe\u0301", "café", True),
    ("a.md", "A.md", False),
]


@pytest.mark.parametrize(("pattern", "entry", "expected"), CASES)
def test_a_pattern_matches_what_git_says(pattern: str, entry: str, expected: bool) -> None:
    """One pattern matches, or does not match, the entry itself as git's does."""
    assert (PatternSet(read(pattern), ignore_case=False).last_match(entry) is not None) is expected


def test_the_last_line_that_matches_counts() -> None:
    """Of names and paths together the later line wins; its number and text are those of the file."""
    patterns = PatternSet(read("\ufeff# note\n*.md\n\n!x/a.md\na.*\n/x/b.md\n!b.md\n"), ignore_case=False)
    results = {entry: patterns.last_match(entry) for entry in ("y/c.md", "x/a.md", "x/b.md", "c.txt")}
    assert {entry: found and (found.line, found.negated) for entry, found in results.items()} == {
        "y/c.md": (2, False),
        "x/a.md": (5, False),
        "x/b.md": (7, True),
        "c.txt": None,
    }


def test_case_is_ignored_where_git_ignores_it() -> None:
    """On a system that does not tell case apart, patterns do not either."""
    assert PatternSet(read("Private/"), ignore_case=True).last_match("private/")
    assert not PatternSet(read("Private/"), ignore_case=False).last_match("private/")


def test_nothing_comes_of_lines_that_are_no_patterns() -> None:
    """Blank lines, comments and bare marks give an empty set, which is false."""
    assert not PatternSet(read("\n  \n#x\n/\n!\n!/\n"))
    assert PatternSet(read("a"))


@pytest.mark.parametrize(
    ("pattern", "entry"),
    [
        ("*a" * 60 + "b", "a" * 255),
        ("**/a/" * 60 + "b", "a/" * 1_000 + "a"),
        ("a*" * 60 + "/" + "*a" * 60 + "b", ("a" * 250 + "/") * 2 + "a" * 250),
        ("x**/" + "*a*a/**/" * 60 + "b", "x/" + ("a" * 250 + "/") * 15),
    ],
)
@pytest.mark.timeout(20)
def test_a_hostile_pattern_takes_no_time(pattern: str, entry: str) -> None:
    """Patterns of many stars, which would take longer than the universe by backtracking, are done at once."""
    assert PatternSet(read(pattern), ignore_case=False).last_match(entry) is None
