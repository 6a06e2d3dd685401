"""The values that the ledger keeps: drafts, operations, decisions, chains and the publication under way.

Nothing here knows SQL or a rule. Every value is frozen; times are seconds since the epoch; digests and revisions are
``sha256:`` and 64 hex digits of the bytes; paths are relative to the root, with `/`.
"""

from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["create", "replace", "edit", "rename", "delete"]
State: TypeAlias = Literal["open", "published", "rejected", "withdrawn"]
DecisionKind: TypeAlias = Literal["set", "reset", "publish", "reject", "undo", "accept"]


class Edit(msgspec.Struct, frozen=True):
    """One splice of a draft: `old`, found exactly once in the base, becomes `new`."""

    old: str
    new: str


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A change that a principal proposes.

    `to` is a rename's target. `base` is the revision of the file that the draft was made against, None for a create, and
    `base_content` are its bytes, kept so that the change can be shown when the file has gone on. `content` are the whole
    bytes proposed, None for rename and delete, and `digest` theirs, or "". `edits` are how an edit was put; `comment` is
    the operator's; `revision` begins at 1 and goes up with each update.
    """

    id: str
    principal: str
    kind: Kind
    path: str
    base: str | None
    content: bytes | None
    digest: str
    state: State
    revision: int
    created: float
    changed: float
    to: str = ""
    edits: tuple[Edit, ...] = ()
    note: str = ""
    comment: str = ""
    decided: float | None = None
    base_content: bytes | None = None


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What was answered to a principal under a key; `fingerprint` is the digest of what was asked, `result` the answer."""

    principal: str
    key: str
    fingerprint: str
    draft: str
    result: bytes
    at: float


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the journal; numbers go up by one, from 1, whatever the chain.

    `operator` is a login name, for information. `before` and `after` are revisions of the file, None where there was or
    is none. `undoes` is the number of the decision that is undone, `manifest` the digest of the one that begins here, or
    "". `mac` is made with the passphrase's key over the mac before it and every other field.
    """

    number: int
    at: float
    kind: DecisionKind
    operator: str
    chain: int
    mac: bytes
    draft: str = ""
    draft_revision: int = 0
    principal: str = ""
    path: str = ""
    to: str = ""
    before: str | None = None
    after: str | None = None
    comment: str = ""
    undoes: int | None = None
    manifest: str = ""


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """All decisions under one passphrase: how its key is made (scrypt's `salt`, `n`, `r`, `p`) and known to be right."""

    number: int
    salt: bytes
    n: int
    r: int
    p: int
    check: bytes
    began: float


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """A publication under way: what a crash would leave, and the next start of an operator's command has to settle.

    `temporary` is the hidden file's path, relative to the root. `number` is that of the decision that it will be, where
    known. `undoes` as in Decision.
    """

    id: str
    kind: Kind
    path: str
    before: str | None
    after: str | None
    temporary: str
    began: float
    number: int | None = None
    draft: str = ""
    draft_revision: int = 0
    principal: str = ""
    operator: str = ""
    to: str = ""
    undoes: int | None = None
    comment: str = ""
