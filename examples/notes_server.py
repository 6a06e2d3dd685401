"""Notes that belong to whoever wrote them: `python examples/notes_server.py NAME` serves them to the principal NAME."""

import itertools
import sys
from typing import Annotated

import msgspec

from readingroom import Context, Page, Resource, Server, ToolError

app = Server("notes", version="1.0.0", instructions="Notes of several people; one may delete only one's own.")


class Note(msgspec.Struct, frozen=True):
    """A note; `author` is the principal who wrote it, never what a request says of itself."""

    id: str
    author: str
    title: str
    text: str


Limit = Annotated[int, msgspec.Meta(ge=1, le=100)]

_notes = {"n0": Note("n0", "the house", "Welcome", "Write the first note with notes_create.")}
_numbers = itertools.count(1)


@app.tool(destructive=False, open_world=False)
def notes_create(title: str, text: str, ctx: Context) -> Note:
    """Write a note."""
    note = Note(f"n{next(_numbers)}", ctx.principal, title, text)
    _notes[note.id] = note
    return note


@app.tool(read_only=True, open_world=False)
def notes_search(query: str, limit: Limit = 10) -> list[Note]:
    """Find notes whose title or text has all the words of the query."""
    words = query.casefold().split()
    texts = {note: f"{note.title} {note.text}".casefold() for _, note in sorted(_notes.items())}
    return [note for note, text in texts.items() if all(word in text for word in words)][:limit]


@app.tool(idempotent=True, open_world=False)
def notes_delete(id: str, ctx: Context) -> str:
    """Delete a note of one's own."""
    note = _notes.get(id)
    if note is None:
        raise ToolError(f"There is no note {id!r}; notes_search finds those there are.")
    if note.author != ctx.principal:
        raise ToolError(f"The note {id!r} belongs to {note.author}; only its author may delete it.")
    _notes.pop(id, None)
    return f"Deleted {id}."


@app.resource("notes:///{id}", name="note", mime_type="text/markdown")
def note_text(id: str) -> str | None:
    """A note as Markdown."""
    note = _notes.get(id)
    return None if note is None else f"# {note.title}\n\n{note.text}\n\n— {note.author}\n"


@app.resource_list
def note_list(after: str | None, limit: int) -> Page:
    """All notes, in order of their ids."""
    notes = [note for key, note in sorted(_notes.items()) if after is None or key > after]
    items = tuple(Resource(f"notes:///{note.id}", note.id, title=note.title) for note in notes[:limit])
    return Page(items, items[-1].name if len(notes) > limit else None)


@app.prompt
def review_note(id: str) -> str:
    """Ask for a review of a note."""
    return f"Review the note below: is it clear, and what is missing?\n\n{note_text(id) or 'There is no such note.'}"


if __name__ == "__main__":
    app.run(principal=sys.argv[1] if len(sys.argv) > 1 else "local")
