"""Names of new servers."""

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.new import Names, python_names, typescript_names


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("notes", Names("notes", "notes", "notes")),
        ("my-notes", Names("my-notes", "my-notes", "my_notes")),
        ("My.Notes_2", Names("My.Notes_2", "my-notes-2", "my_notes_2")),
        ("a--b", Names("a--b", "a-b", "a_b")),
    ],
)
def test_python_names(given: str, names: Names) -> None:
    """A name is normalized as PyPI does it, for the command with dashes and for the package with underscores."""
    assert python_names(given) == names


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "ASCII letters"),
        ("-notes", "ASCII letters"),
        ("notes.", "ASCII letters"),
        ("my notes", "ASCII letters"),
        ("../notes", "ASCII letters"),
        ("nötes", "ASCII letters"),
        ("notes\n", "ASCII letters"),
        ("\N{KELVIN SIGN}", "ASCII letters"),
        ("@me/notes", "ASCII letters"),
        ("2-notes", "begin with a letter"),
        ("class", "no word of the language"),
        ("Import", "no word of the language"),
        ("json", "there is a package json already"),
        ("ReadingRoom", "there is a package readingroom already"),
        ("tests", "there is a package tests already"),
        ("aux", "Windows"),
        ("n" * 101, "at most 100"),
    ],
)
def test_no_python_names(given: str, why: str) -> None:
    """What PyPI, Python or a file system would not take is refused, with the reason."""
    with pytest.raises(UsageFault, match=why):
        python_names(given)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("notes", Names("notes", "notes")),
        ("my-notes.v2", Names("my-notes.v2", "my-notes.v2")),
        ("@me/my_notes", Names("@me/my_notes", "my_notes")),
        ("2-notes", Names("2-notes", "2-notes")),
    ],
)
def test_typescript_names(given: str, names: Names) -> None:
    """A name stays as it is; a scope belongs to the package alone."""
    assert typescript_names(given) == names


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "npm's names"),
        ("Notes", "lower case"),
        (".notes", "npm's names"),
        ("_notes", "npm's names"),
        ("my notes", "npm's names"),
        ("me/notes", "@scope/name"),
        ("@/notes", "@scope/name"),
        ("@me/you/notes", "@scope/name"),
        ("@me/", "npm's names"),
        ("..", "npm's names"),
        ("@../notes", "@scope/name"),
        ("@me/http", "does not take"),
        ("node_modules", "does not take"),
        ("nul.js", "Windows"),
        ("notes.", "Windows"),
        ("@me/" + "n" * 97, "at most 100"),
    ],
)
def test_no_typescript_names(given: str, why: str) -> None:
    """What npm or a file system would not take is refused, with the reason."""
    with pytest.raises(UsageFault, match=why):
        typescript_names(given)
