"""What a commit of a publication says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.git_message import Account, author, message


def account(kind: str = "edit", note: str = "", undoes: int | None = None) -> Account:
    """A decision of that kind."""
    return Account(12, "d-abc", kind, "local", 0.0, note, undoes)


@pytest.mark.parametrize(
    ("kind", "to", "undoes", "subject"),
    [
        ("create", "", None, "Add a.md"),
        ("edit", "", None, "Change a.md"),
        ("replace", "", None, "Change a.md"),
        ("delete", "", None, "Remove a.md"),
        ("rename", "b.md", None, "Rename a.md to b.md"),
        ("undo", "", 7, "Undo decision 7"),
    ],
)
def test_subjects(kind: str, to: str, undoes: int | None, subject: str) -> None:
    """The first line says what was done, in few words."""
    assert message(account(kind, undoes=undoes), "a.md", to).splitlines()[0] == subject


def test_trailers() -> None:
    """The last paragraph is for programs."""
    assert message(account("undo", undoes=7), "a.md").endswith(
        "\n\nReading-Room-Decision: 12\nReading-Room-Draft: d-abc\nReading-Room-Undoes: 7\n"
    )


def test_a_path_cannot_write_the_message() -> None:
    """Line ends and what a terminal obeys are shown, and a long path is cut."""
    (subject, *_) = message(account(), "a\n\nSigned-off-by: x\x1b[2J.md").splitlines()
    assert subject == "Change a⟨U+000A⟩⟨U+000A⟩Signed-off-by: x⟨U+001B⟩[2J.md"
    assert len(message(account(), "x" * 300).splitlines()[0]) == 72


def test_a_note_is_quoted_and_bounded() -> None:
    """The editor's words are told apart from ours, and end."""
    text = message(account(note=" Nine\r\nto\tsix.\u202e "), "a.md")
    assert text.split("\n\n")[1] == "> Nine\n> to six.⟨U+202E⟩"
    assert message(account(note="\n" * 9), "a.md").count("\n\n") == 1
    long = message(account(note="x" * 5_000), "a.md").split("\n\n")[1]
    assert (len(long), long[-3:]) == (2_006, "> …")
    assert message(account(note="x\n" * 900), "a.md").split("\n\n")[1].count("\n") == 40


@pytest.mark.parametrize(
    ("principal", "name", "mail"),
    [
        ("local", "local", "local"),
        ("Anna's app", "Anna's app", "anna-s-app"),
        ("Zoë <x@y>\n", "Zoë x@y⟨U+000A⟩", "zoe-x-yu-000a"),
        ("缓存", "缓存", "editor"),
        ("...<>", "editor", "editor"),
        (
            "https://issuer.example#sub|client",
            "https://issuer.example#sub|client",
            "https-issuer-example-sub-client",
        ),
    ],
)
def test_authors(principal: str, name: str, mail: str) -> None:
    """A principal has a name and an address that leads nowhere."""
    assert author(principal) == (name, f"{mail}@editor.readingroom.invalid")


@given(st.text(max_size=200))
def test_any_principal(principal: str) -> None:
    """Whatever it is called, git takes it: one line, no brackets, a name that is not empty, an address in ASCII."""
    name, mail = author(principal)
    assert name.strip(" .,:;\"'\\<>")
    assert not set("<>\n\0") & set(name + mail)
    assert mail.isascii()
    assert len(name) <= 100


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_note(note: str, path: str) -> None:
    """No note and no path makes a line that could be taken for a trailer or for ours."""
    lines = message(account(note=note), path).split("\n")
    assert lines[-3:] == ["Reading-Room-Decision: 12", "Reading-Room-Draft: d-abc", ""]
    assert all(not line or line.startswith(">") for line in lines[1:-3])
