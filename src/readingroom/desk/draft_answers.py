"""What the editor's tools answer, as their output schemas say it. Values only.

A refusal has the same shape, with `code` in place of the rest: some clients check the structured content of a refusal
against the output schema, too, and would hide it if it did not keep that. Docstrings are sent to models, and are short for
it: `reason` says why a draft is outdated, or that its publication was undone, and `state_now` what the draft of a replayed
answer has become since.
"""

from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["create", "replace", "edit", "rename", "delete"]
DraftState: TypeAlias = Literal["open", "outdated", "published", "rejected", "withdrawn"]
Unset: TypeAlias = msgspec.UnsetType
UNSET = msgspec.UNSET


class Draft(msgspec.Struct, frozen=True, omit_defaults=True):
    """`comment` is the operator's."""

    id: str
    uri: str
    kind: str
    path: str
    state: DraftState
    draft_revision: int
    changed: str
    to: str | Unset = UNSET
    base_revision: str | Unset = UNSET
    note: str | Unset = UNSET
    comment: str | Unset = UNSET
    reason: str | Unset = UNSET


class Candidate(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that `old` may mean."""

    line: int
    text: str
    edit: int | Unset = UNSET


class WriteResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The draft, or the code of a refusal."""

    draft: str | Unset = UNSET
    uri: str | Unset = UNSET
    state: str | Unset = UNSET
    draft_revision: int | Unset = UNSET
    replayed: bool = False
    state_now: str | Unset = UNSET
    code: str | Unset = UNSET
    candidates: tuple[Candidate, ...] | Unset = UNSET


class DraftListResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """Drafts."""

    items: tuple[Draft, ...] | Unset = UNSET
    cursor: str | Unset = UNSET
    code: str | Unset = UNSET


class DraftReadResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """A draft and its unified diff, or a part of that."""

    draft: Draft | Unset = UNSET
    diff: str | Unset = UNSET
    cursor: str | Unset = UNSET
    code: str | Unset = UNSET


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a call was refused: a code of docs/reference/drafts.md, and where there are some, candidates."""

    code: str
    candidates: tuple[Candidate, ...] | Unset = UNSET
