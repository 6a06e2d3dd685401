"""What a person should know of a change before reading it, in plain sentences.

Pure: it is given the bytes before and after and what stands around, and looks at nothing itself. A sentence names paths as
they are: whoever shows it makes what cannot be seen visible. Nothing here refuses anything.
"""

import posixpath
import time
from collections.abc import Iterator

import msgspec

from ..ledger.model import Kind
from ..model import Format, Parsed
from ..rules import Rules, format_of
from . import lookalikes, unseen

_NAMED = 5
_SHRUNK = 0.5  # of the lines: when more than that goes, it is said
_SHRUNK_LINES = 20
_WHOLE_BYTES = 512 * 1024
_NO_INDEX = "there is no whole index that has it; `readingroom index` makes one"


class Change(msgspec.Struct, frozen=True):
    """A change as bytes: `before` is None of a create, `after` of a delete; of a rename they are the same, or None."""

    kind: Kind
    path: str
    to: str = ""
    before: bytes | None = None
    after: bytes | None = None


class Around(msgspec.Struct, frozen=True):
    """What is known of the folder around a change, as far as whoever is told may see it.

    `incoming` are the links that lead to the document now, as path and line. `same_id` are other documents with the `id`
    that the document has after the change. `left_out` is why the path would no longer be served, or "". `is_known` is
    whether there was an index to tell links and ids: what is not known is said. `as_of` is when it was made, in seconds
    since 1970, if that is long ago.
    """

    incoming: tuple[tuple[str, int], ...] = ()
    same_id: tuple[str, ...] = ()
    left_out: str = ""
    is_known: bool = True
    as_of: float | None = None


def warnings(change: Change, rules: Rules, around: Around = Around()) -> tuple[str, ...]:  # noqa: B008  -- it is frozen
    """The sentences, the gravest first; none when there is nothing to say."""
    before = _parsed(change.path, change.before, rules, whole=change.kind == "rename")
    data = change.before if change.kind == "rename" and change.after is None else change.after
    after = _parsed(change.to or change.path, data, rules) if change.kind != "delete" else None
    found = [*_visibility(change, before, after)]
    found += _rules(change, data, after, rules, around)
    found += _going(change, before, after, around)
    found += _identifiers(before, after, around)
    if change.kind in ("create", "rename"):
        name = change.to or change.path
        found += (*unseen.in_name(name), *lookalikes.in_name(name))
    if after is not None and change.kind != "rename":
        found += unseen.brought_in(before.text if before is not None else "", after.text)
        found += _form(before, after)
        found += _faults(before, after)
    return tuple(found)


def _parsed(path: str, data: bytes | None, rules: Rules, *, whole: bool = False) -> Parsed | None:
    """What the bytes say, or None where there are none or nobody understands them.

    Of a long document only what stands ahead of its text is read, unless its links are needed (`whole`): the rest takes
    seconds.
    """
    from .. import parse

    form = format_of(posixpath.basename(path))
    if data is None or form is None:
        return None
    try:
        if whole or form == "html" or len(data) <= _WHOLE_BYTES:
            return parse.parse(path, form, data, rules)
        return _ahead(path, form, data, rules)
    except (
        parse.NotText,
        ValueError,
        LookupError,
        RecursionError,
    ):  # bytes that nobody understands: `_rules` says so
        return None


def _ahead(path: str, form: Format, data: bytes, rules: Rules) -> Parsed:
    """What front matter and path say of a document; it has no headings, passages and links here."""
    from ..decode import decode
    from ..front_matter import read
    from ..lines import Lines
    from ..parse import visibility_by

    decoded = decode(data)
    front = read(Lines(decoded.text))
    return Parsed(
        format=form,
        text=decoded.text,
        encoding=decoded.encoding,
        revision="",
        title=front.title,
        language=front.language,
        tags=front.tags,
        aliases=front.aliases,
        identifier=front.identifier,
        visibility=visibility_by(path, front, rules),
        headings=(),
        passages=(),
        links=(),
        warnings=front.warnings,
    )


def _visibility(change: Change, before: Parsed | None, after: Parsed | None) -> Iterator[str]:
    if after is None:
        return
    if before is None:
        if after.visibility == "internal":
            yield "The new document is internal: apps that may only read will not see it."
        elif _says_public(after):
            yield "The new document says of itself that it is public: every app that may read will see it."
    elif before.visibility == "internal" and after.visibility == "public":
        where = f" at {change.to}" if change.kind == "rename" else ""
        yield f"The document becomes public{where}: until now it is internal, and then every app that may read will see it."
    elif before.visibility == "public" and after.visibility == "internal":
        where = f" at {change.to}" if change.kind == "rename" else ""
        yield f"The document becomes internal{where}: apps that may only read will no longer see it."


def _says_public(parsed: Parsed) -> bool:
    from .. import front_matter
    from ..lines import Lines

    return front_matter.read(Lines(parsed.text)).visibility == "public"


def _rules(
    change: Change, data: bytes | None, after: Parsed | None, rules: Rules, around: Around
) -> Iterator[str]:
    if change.kind == "delete":
        return
    if around.left_out:
        yield f"Afterwards the document is not served any more: {around.left_out}."
    if data is None:
        return
    if len(data) > rules.max_file_bytes:
        yield (
            f"Afterwards the document is not served any more: {len(data):,} bytes, over the cap of "
            f"{rules.max_file_bytes:,}."
        )
    elif after is None:
        yield "Afterwards the document is not served any more: it cannot be read as text of a served format."


def _going(change: Change, before: Parsed | None, after: Parsed | None, around: Around) -> Iterator[str]:
    """Of what goes, or goes elsewhere."""
    if change.kind == "delete":
        size = f": {_lines(before):,} lines go" if before is not None else ""
        yield f"The document is deleted{size}."
    elif change.kind == "rename":
        yield f"The document moves to {change.to}."
        yield from _moved(change, before, after)
    elif before is not None and after is not None:
        yield from _shrunk(_lines(before), _lines(after), after)
    if change.kind in ("delete", "rename") and around.incoming:
        count = len(around.incoming)
        places = [f"{path}, line {line}" for path, line in around.incoming[:_NAMED]]
        more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
        links = "1 link leads to it and breaks" if count == 1 else f"{count:,} links lead to it and break"
        yield f"{links}: {'; '.join(places)}{more}."
    elif change.kind in ("delete", "rename") and not around.is_known:
        yield f"Whether links lead to it and break could not be looked at: {_NO_INDEX}."
    if change.kind in ("delete", "rename") and around.as_of is not None:
        at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(around.as_of))
        yield f"The whole folder was last looked through on {at}: links that were written since may be missing here."


def _moved(change: Change, before: Parsed | None, after: Parsed | None) -> Iterator[str]:
    from ..names import asked_by

    if before is None or after is None:
        return
    if before.format != after.format:
        yield f"It is read as {after.format} then, and no longer as {before.format}."
    moved = sum(asked_by(change.path, link) != asked_by(change.to, link) for link in before.links)
    if moved:
        links = "1 link of its own leads" if moved == 1 else f"{moved:,} links of its own lead"
        yield f"{links} elsewhere from its new place."


def _shrunk(before: int, after: int, parsed: Parsed) -> Iterator[str]:
    if not parsed.text.strip():
        yield "Nothing of its text is left."
    elif before >= _SHRUNK_LINES and after < before * _SHRUNK:
        yield f"It becomes much shorter: {after:,} of {before:,} lines."


def _identifiers(before: Parsed | None, after: Parsed | None, around: Around) -> Iterator[str]:
    old = before.identifier if before is not None else ""
    new = after.identifier if after is not None else ""
    if old and old != new:
        what = f"Its id changes from {old} to {new}" if new else f"Its id {old} goes"
        yield f"{what}: the address by that id then leads nowhere, or to another document."
    if new and around.same_id:
        more = f" and {len(around.same_id) - 1:,} more" if len(around.same_id) > 1 else ""
        yield f"Its id {new} is also that of {around.same_id[0]}{more}: the address by that id may lead here then."
    elif new and new != old and not around.is_known:
        yield f"Whether another document has its id {new} could not be looked at: {_NO_INDEX}."


def _form(before: Parsed | None, after: Parsed) -> Iterator[str]:
    """Of the encoding and the line ends."""
    if before is None or not before.text:
        return
    if before.encoding != after.encoding:
        yield f"Its encoding changes from {_encoding(before)} to {_encoding(after)}."
    old, new = _ends(before.text), _ends(after.text)
    if old and new and old != new:
        yield f"Its line ends change from {old} to {new}."


def _encoding(parsed: Parsed) -> str:
    names = {
        "utf-8": "UTF-8",
        "utf-8-sig": "UTF-8 with a byte order mark",
        "utf-16": "UTF-16",
        "utf-32": "UTF-32",
    }
    return names.get(parsed.encoding, parsed.encoding)


def _ends(text: str) -> str:
    pairs = text.count("\r\n")
    counts = {"CR LF": pairs, "LF": text.count("\n") - pairs, "CR": text.count("\r") - pairs}
    return " and ".join(name for name, count in counts.items() if count)


def _faults(before: Parsed | None, after: Parsed) -> Iterator[str]:
    known = before.warnings if before is not None else ()
    for warning in after.warnings:
        if warning not in known:
            yield f"The document then has a fault: {warning}."


def _lines(parsed: Parsed | None) -> int:
    text = parsed.text if parsed is not None else ""
    ended = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ended + bool(text and text[-1] not in "\r\n")
