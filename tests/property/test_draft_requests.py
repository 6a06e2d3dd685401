"""Whatever an app asks for: a draft or a refusal with a code, and never a byte in the folder."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.library import DRAFT_CODES, DraftEdit, DraftRefused, Drafts, Library, Principal, Rules
from readingroom.library.ledger import digest_of

DOCUMENTS = {
    "a.md": b"# A\r\n\r\none\r\n",
    "folder/b.md": "---\nvisibility: internal\n---\nдва\n".encode(),
    "c.txt": "три\n".encode("utf-16"),
    "hidden.tmp.md": b"x\n",
    ".hidden.md": b"x\n",
    "binary.md": b"a\0b",
}
ANY = st.text(max_size=30) | st.text(st.characters(exclude_categories=()), max_size=10)
PATHS = (
    st.sampled_from(
        [*DOCUMENTS, "new.md", "folder", "A.md", "folder/../a.md", "library:///a.md", "library:///.id/x"]
    )
    | ANY
    | st.builds("{}/{}.md".format, ANY, ANY)
)
EDITS = st.lists(
    st.builds(DraftEdit, st.sampled_from(["one", "два", "три", "# A", "\n", "---"]) | ANY, ANY), max_size=3
)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """What a draft of some kind takes, mostly, and sometimes anything."""
    path = draw(PATHS)
    right = digest_of(DOCUMENTS.get(path, b""))
    fitting: dict[str, Any] = {
        "base_revision": draw(st.just(right) | st.just(right) | ANY),
        "content": draw(ANY),
        "edits": draw(EDITS),
        "to": draw(PATHS),
    }
    taken = {
        "create": ["content"],
        "replace": ["content", "base_revision"],
        "edit": ["edits", "base_revision"],
        "rename": ["to", "base_revision"],
        "delete": ["base_revision"],
        "other": [],
    }
    kind = draw(st.sampled_from(list(taken)))
    names = taken[kind] + draw(
        st.just([]) | st.just([]) | st.lists(st.sampled_from(list(fitting)), max_size=1)
    )
    return {"kind": kind, "path": path, **{name: fitting[name] for name in names}}


@pytest.fixture(scope="module")
def room() -> Iterator[tuple[Path, Drafts]]:
    """A folder and the drafts of an editor."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "docs"
        for path, data in DOCUMENTS.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        rules = Rules(leave_out=("*.tmp.md",))
        with Library.open(root, rules=rules, roles=("editor",), ledger=Path(place) / "ledger") as library:
            yield root, library.drafts(Principal("desk", "editor"))


@settings(max_examples=400)
@given(requests(), st.uuids())
def test_a_request_is_kept_or_refused(room: tuple[Path, Drafts], asked: dict[str, Any], key: Any) -> None:
    """With a code of the table; the text of a refusal names nothing that is left out."""
    root, drafts = room
    try:
        answer = drafts.create(str(key), **asked)
    except DraftRefused as error:
        code, text = error.code, str(error)
    else:
        code, text = "", answer.draft.path
        assert drafts.read(answer.draft.id).draft.id == answer.draft.id
        drafts.withdraw(f"{key}-w", answer.draft.id)
    assert code in ("", *DRAFT_CODES)
    assert "hidden" not in text or text.startswith("No document is served") or "hidden" in repr(asked)
    found = {
        file.relative_to(root).as_posix(): file.read_bytes() for file in root.rglob("*") if file.is_file()
    }
    assert found == DOCUMENTS
