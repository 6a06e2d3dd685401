"""What a person is told of a change in plain words, before the difference."""

from typing import Any

import pytest

from readingroom.library.drafts.warnings import Around, Change, warnings
from readingroom.library.rules import Rules

INTERNAL = b"---\nvisibility: internal\n---\ntext\n"
PUBLIC = b"---\nvisibility: public\n---\ntext\n"


def told(
    kind: Any, before: bytes | None, after: bytes | None, *, to: str = "", path: str = "a.md", **more: Any
) -> str:
    """All sentences under rules that make `secret/` internal, a line each."""
    rules = Rules(internal=("secret/",), max_file_bytes=2000)
    return "\n".join(warnings(Change(kind, path, to, before, after), rules, Around(**more)))


def test_an_ordinary_change_needs_no_words() -> None:
    """Neither an edit nor a new document of plain text."""
    assert told("edit", b"one\ntwo\n", b"one\nthree\n") == ""
    assert told("create", None, "# Новый\n\nтекст\n".encode()) == ""


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (INTERNAL, b"text\n", "becomes public: until now it is internal"),
        (b"text\n", INTERNAL, "becomes internal"),
        (b"text\n", b"---\nvisibility: [\n---\ntext\n", "becomes internal"),
        (None, INTERNAL, "new document is internal"),
        (None, PUBLIC, "says of itself that it is public"),
    ],
)
def test_a_change_of_visibility(before: bytes | None, after: bytes, sentence: str) -> None:
    """In both directions, said or caused by a fault, and in a new document."""
    assert sentence in told("create" if before is None else "replace", before, after)


def test_a_path_that_is_internal_stays_so() -> None:
    """Front matter alone does not make public what the rules make internal."""
    assert told("edit", INTERNAL, PUBLIC, path="secret/a.md") == ""


def test_a_rename_out_of_an_internal_folder_and_into_one() -> None:
    """The visibility changes by the path."""
    assert "becomes public at b.md" in told("rename", b"x\n", None, path="secret/a.md", to="b.md")
    assert "becomes internal at secret/b.md" in told("rename", b"x\n", b"x\n", to="secret/b.md")


def test_a_delete_says_what_goes_and_what_breaks() -> None:
    """Lines, and links up to a few."""
    incoming = tuple((f"{number}.md", number) for number in range(1, 8))
    text = told("delete", b"one\ntwo\n", None, incoming=incoming)
    assert "The document is deleted: 2 lines go." in text
    assert "7 links lead to it and break: 1.md, line 1; 2.md, line 2;" in text
    assert "5.md, line 5 and 2 more." in text
    assert "deleted." in told("delete", b"\x00", None)


def test_a_rename_says_where_to_and_which_links_change() -> None:
    """Those into it, and its own relative ones; links from the top stay."""
    own = b"[x](other.md) [y](/top.md) [z](https://example.org)\n"
    text = told("rename", own, None, to="folder/a.html", incoming=(("b.md", 3),))
    assert "moves to folder/a.html" in text
    assert "1 link of its own leads elsewhere" in text
    assert "1 link leads to it and breaks: b.md, line 3." in text
    assert "read as html then, and no longer as markdown" in text
    assert "2 links of its own lead elsewhere" in told("rename", b"[x](a) [y](b)\n", None, to="f/a.md")


def test_what_is_no_longer_served_is_said() -> None:
    """By the rules of the folder, by its size, or because nobody can read it."""
    assert "not served any more: ignored by .gitignore" in told(
        "edit", b"x\n", b"y\n", left_out="ignored by .gitignore"
    )
    assert "2,001 bytes, over the cap of 2,000" in told("edit", b"x\n", b"y" * 2001)
    assert "cannot be read as text" in told("edit", b"x\n", b"y\x00\n")
    assert "cannot be read as text" in told("rename", b"x\n", None, to="a.bin")


def test_an_identifier_that_goes_changes_or_is_taken() -> None:
    """Addresses by it lead elsewhere then."""
    assert "Its id one goes" in told("edit", b"---\nid: one\n---\n\nx\n", b"x\n")
    assert "Its id changes from one to two" in told(
        "edit", b"---\nid: one\n---\nx\n", b"---\nid: two\n---\nx\n"
    )
    taken = told("create", None, b"---\nid: one\n---\nx\n", same_id=("b.md", "c.md"))
    assert "Its id one is also that of b.md and 1 more" in taken


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        ("\u202e", "change the direction of text stand in what is added or changed: U+202E (line 2)."),
        ("\u200b", "Invisible characters stand in what is added or changed: U+200B (line 2)."),
        ("\U000e0041", "Invisible characters stand in what is added or changed: U+E0041 (line 2)."),
        (
            "a\ufe01\ufe02",
            "Invisible characters stand in what is added or changed: U+FE01 (line 2), U+FE02 (line 2).",
        ),
        (
            "п\ufe07р\u200cи",
            "Invisible characters stand in what is added or changed: U+FE07 (line 2), U+200C (line 2).",
        ),
        ("\U000e0155", "Invisible characters stand in what is added or changed: U+E0155 (line 2)."),
        (
            "\ufff5\U000e0ffe",
            "Invisible characters stand in what is added or changed: U+FFF5 (line 2), U+E0FFE (line 2).",
        ),
        ("\x1b[2J", "Control characters stand in what is added or changed: U+001B (line 2)."),
    ],
)
def test_what_cannot_be_seen_is_named(added: str, sentence: str) -> None:
    """With its code and its line."""
    assert sentence in told("edit", b"one\ntwo\n", f"one\ntwo {added}\n".encode())


def test_what_was_there_before_is_not_told_again() -> None:
    """And what scripts and emoji need is not told at all."""
    assert told("edit", "a\u200b\nb\n".encode(), "a\u200b\nc\n".encode()) == ""
    assert told("edit", b"x\n", "می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f\tx\n".encode()) == ""


def test_many_such_characters_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some are named, and no more are looked at than anybody would read."""
    from readingroom.library.drafts import unseen

    text = "".join(f"{number}\u200b\n" for number in range(9))
    assert "U+200B (line 5) and 4 more." in told("create", None, text.encode())
    monkeypatch.setattr(unseen, "_LOOKED_AT", 7)
    assert "and 2 more." in told("create", None, text.encode())


def test_such_characters_in_a_path_are_named() -> None:
    """For a path is shown beside others."""
    assert "Invisible characters stand in the path: U+200B." in told(
        "create", None, b"x\n", path="a\u200b.md"
    )
    assert "direction of text stand in the path: U+202E." in told("rename", b"x\n", None, to="a\u202e.md")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("docs/\u0430.md", "Letters of the path are Cyrillic or Greek and pass for Latin ones: U+0430."),
        ("re\u0430dme.md", "pass for Latin ones: U+0430."),
        ("n\u03bfte/b.md", "pass for Latin ones: U+03BF."),
        ("a\u00a0b\u3000c.md", "Blanks stand in the path that are no spaces: U+00A0, U+3000."),
        ("a → b.md", "An arrow stands in the path itself, and nothing is renamed by it: U+2192."),
    ],
)
def test_names_that_pass_for_others(path: str, sentence: str) -> None:
    """Of a new document and of one that moves there."""
    assert sentence in told("create", None, b"x\n", path=path)
    assert sentence in told("rename", b"x\n", None, to=path)


@pytest.mark.parametrize(
    "path", ["о проекте.md", "docs/Δx-β.md", "και το.md", "图书馆.md", "größe.md", "2024 v1.md"]
)
def test_names_of_other_scripts(path: str) -> None:
    """They are what they are."""
    assert told("create", None, b"x\n", path=path) == ""


def test_encoding_and_line_ends_that_change() -> None:
    """A byte order mark is part of the encoding."""
    text = "Привет, мир, это письмо\r\nс вложением и ответом на вопрос\r\n"
    changed = told("replace", text.encode("cp1251"), text.replace("\r", "").encode())
    assert "Its encoding changes from cp1251 to UTF-8." in changed
    assert "Its line ends change from CR LF to LF." in changed
    assert "from UTF-8 to UTF-8 with a byte order mark" in told("replace", b"a\n", b"\xef\xbb\xbfa\n")
    assert "from LF to CR LF and LF" in told("replace", b"a\nb\n", b"a\r\nb\n")


def test_a_document_that_shrinks_or_gets_a_fault() -> None:
    """What is lost is said, and what a scan would find fault with."""
    long = b"line\n" * 100
    assert "It becomes much shorter: 3 of 100 lines." in told("replace", long, b"x\n" * 3)
    assert "Nothing of its text is left." in told("replace", long, b"")
    assert "then has a fault: lang is not a language tag" in told(
        "edit", b"x\n", b"---\nlang: 12345\n---\nx\n"
    )


def test_of_a_long_document_what_stands_ahead_of_its_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but headings and links, which take long."""
    from readingroom.library.drafts import warnings as module

    monkeypatch.setattr(module, "_WHOLE_BYTES", 10)
    assert "becomes public" in told(
        "edit", b"---\nvisibility: internal\n---\ntext\n", b"---\nid: x\n---\ntext\n"
    )
    assert told("edit", INTERNAL, PUBLIC, path="secret/a.md") == ""
    assert "1 link of its own leads elsewhere" in told(
        "rename", b"[x](other.md) and more\n", None, to="f/a.md"
    )
    meta = b'<html><head><meta name="visibility" content="internal"></head><body>text</body></html>'
    assert "becomes internal" in told("edit", b"<html><body>text</body></html>", meta, path="a.html")


@pytest.mark.parametrize("kind", ["delete", "rename"])
def test_links_that_could_not_be_looked_at(kind: Any) -> None:
    """That they are not known is said, for silence would mean that none breaks."""
    after = None if kind == "delete" else b"x\n"
    to = "b.md" if kind == "rename" else ""
    assert "Whether links lead to it" not in told(kind, b"x\n", after, to=to)
    assert "Whether links lead to it and break could not be looked at" in told(
        kind, b"x\n", after, to=to, is_known=False
    )
    assert "1 link leads" in told(kind, b"x\n", after, to=to, incoming=(("c.md", 1),), is_known=False)


def test_an_id_that_could_not_be_looked_at() -> None:
    """Where a document gets one; one that it has already is no news."""
    bare, named = b"x\n", b"---\nid: own\n---\nx\n"
    assert "id own could not be looked at" in told("edit", bare, named, is_known=False)
    assert "could not be looked at" not in told("edit", named, named + b"y\n", is_known=False)
    assert "could not be looked at" not in told("edit", bare, b"y\n", is_known=False)


@pytest.mark.parametrize("kind", ["delete", "rename"])
def test_links_that_were_looked_up_long_ago(kind: Any) -> None:
    """When it was is said, for what was written since is not in it."""
    after, to = (None, "") if kind == "delete" else (b"x\n", "b.md")
    said = told(kind, b"x\n", after, to=to, as_of=0.0)
    assert "The whole folder was last looked through on 1970-01-01 00:00 UTC" in said
    assert "last looked through" not in told("edit", b"x\n", b"y\n", as_of=0.0)
