"""Edits of drafts against texts and encodings of all kinds: what is meant is what is read, and all else stays."""

from hypothesis import given
from hypothesis import strategies as st

from readingroom.library.decode import decode
from readingroom.library.drafts.diff import hunks
from readingroom.library.drafts.splices import flat, spliced
from readingroom.library.errors import DraftRefused
from readingroom.library.ledger import Edit

TEXTS = st.text(st.sampled_from("ab \n\r\täя日😀-#"), max_size=60)
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])


@given(TEXTS, TEXTS.filter(bool), TEXTS, ENCODINGS)
def test_an_edit_is_a_replacement_in_the_text(text: str, old: str, new: str, encoding: str) -> None:
    """Where `old` occurs once; else the refusal says whether it is missing or ambiguous."""
    data = text.encode(encoding)
    places = [at for at in range(len(flat(text))) if flat(text).startswith(flat(old), at)]
    result = _result(data, Edit(old, new))
    if len(places) == 1 and result != "encoding":
        assert isinstance(result, bytes)
        assert flat(decode(result).text) == flat(text).replace(flat(old), flat(new))
    else:
        assert result == {0: "edit_not_found", 1: "encoding"}.get(len(places), "edit_ambiguous")


def _result(data: bytes, edit: Edit) -> bytes | str:
    try:
        return spliced(data, [edit])
    except DraftRefused as error:
        return error.code


@given(st.lists(TEXTS, min_size=2, max_size=6), ENCODINGS)
def test_all_other_bytes_stay(parts: list[str], encoding: str) -> None:
    """Before, between and behind what the edits name."""
    names = [f"<{number}>" for number in range(len(parts) - 1)]
    text = parts[0] + "".join(name + part for name, part in zip(names, parts[1:], strict=True))
    edits = [Edit(name, name[1:-1] * 3) for name in reversed(names)]
    expected = text
    for edit in edits:
        expected = expected.replace(edit.old, edit.new)
    assert spliced(text.encode(encoding), edits) == expected.encode(encoding)


@given(TEXTS, TEXTS)
def test_a_difference_holds_both_texts(before: str, after: str) -> None:
    """With all lines as context."""
    rows = [row for hunk in hunks(before, after, context=1000) for row in hunk.rows]
    for kind, text in (("-", before), ("+", after)):
        assert not rows or "".join(row.text + row.end for row in rows if row.kind in (" ", kind)) == text
    assert bool(rows) == (before != after)
