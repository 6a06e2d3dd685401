"""What a commit of a publication says: its message, and its author. Pure: values in, text out.

What an editor wrote is quoted, so that it can be taken neither for the operator's words nor for a trailer.
"""

import unicodedata

import msgspec

from .characters import harmless, one_line

_SUBJECT_COLUMNS = 72
_NOTE_LENGTH = 2_000
_NOTE_LINES = 40
_NAME_LENGTH = 100
_DOMAIN = "editor.readingroom.invalid"  # .invalid: RFC 2606; mail to an app leads nowhere


class Account(msgspec.Struct, frozen=True):
    """What is told of a decision.

    `kind` is that of the draft ("create", "edit", …), or "undo", which `undoes` another decision; `author` is the principal
    whose draft it was, `at` the time of the decision in seconds, `note` what the editor says of it.
    """

    number: int
    draft: str
    kind: str
    author: str
    at: float
    note: str = ""
    undoes: int | None = None


def message(account: Account, path: str, to: str = "") -> str:
    """The message: what was done, the note as a quotation, and trailers for programs."""
    parts = [_subject(account, path, to)]
    if account.note.strip():
        parts.append(_quoted(account.note))
    parts.append("\n".join(f"{name}: {value}" for name, value in _trailers(account)))
    return "\n\n".join(parts) + "\n"


def author(principal: str) -> tuple[str, str]:
    """Name and mail address of an editor, in characters that git leaves as they are."""
    name = "".join(character for character in one_line(principal) if character not in "<>")
    name = name.strip(" .,:;\"'\\")[:_NAME_LENGTH].strip(" .,:;\"'\\") or "editor"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "".join(character if character.isalnum() else " " for character in plain).split()
    return name, f"{'-'.join(words) or 'editor'}@{_DOMAIN}"


def _subject(account: Account, path: str, to: str) -> str:
    verbs = {"create": "Add", "delete": "Remove", "rename": "Rename", "undo": "Undo"}
    verb = verbs.get(account.kind, "Change")
    what = f"decision {account.undoes}" if account.kind == "undo" else one_line(path)
    line = f"{verb} {what} to {one_line(to)}" if to and account.kind == "rename" else f"{verb} {what}"
    return line if len(line) <= _SUBJECT_COLUMNS else line[: _SUBJECT_COLUMNS - 1].rstrip() + "…"


def _quoted(note: str) -> str:
    shown = harmless(note.strip()[:_NOTE_LENGTH]).replace("\t", " ")
    lines = shown.split("\n")
    if len(note.strip()) > _NOTE_LENGTH or len(lines) > _NOTE_LINES:
        lines = [*lines[:_NOTE_LINES], "…"]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _trailers(account: Account) -> list[tuple[str, str]]:
    undone = [] if account.undoes is None else [("Reading-Room-Undoes", str(account.undoes))]
    return [
        ("Reading-Room-Decision", str(account.number)),
        ("Reading-Room-Draft", one_line(account.draft)),
        *undone,
    ]
