"""How values become rows of the ledger's tables and come out again. Knows SQL's names and opens nothing."""

from typing import Any

import msgspec

from .model import Chain, Decision, Draft, Edit, Operation, Publication

DRAFT = "drafts"
OPERATION = "operations"
DECISION = "decisions"
CHAIN = "chains"
PUBLICATION = "publications"

_COLUMNS = {
    DRAFT: (
        "id, principal, kind, path, target, base, digest, edits, note, comment, state, revision, created, changed, decided"
    ),
    OPERATION: "principal, key, fingerprint, draft, result, at",
    DECISION: (
        "number, at, kind, operator, chain, mac, draft, draft_revision, principal, path, target, before, after, comment, "
        "undoes, manifest"
    ),
    CHAIN: "number, salt, n, r, p, proof, began",
    PUBLICATION: (
        "id, kind, path, before, after, temporary, began, number, draft, draft_revision, principal, operator, target, "
        "undoes, comment"
    ),
}
_OF_COLUMNS = {"target": "to", "proof": "check"}
"""Where a column is not called as the field, for SQL has a meaning for that word."""

_edits = msgspec.json.Decoder(tuple[Edit, ...])


def select(table: str, rest: str) -> str:
    """Give the question for whole rows of a table."""
    return f"SELECT {_COLUMNS[table]} FROM {table} {rest}"  # noqa: S608  -- constants of ours


def insert(table: str, *, replacing: bool = False) -> str:
    """Give the order to put a row into a table."""
    how = "INSERT OR REPLACE" if replacing else "INSERT"
    marks = ", ".join("?" for _ in _fields(table))
    return f"{how} INTO {table}({_COLUMNS[table]}) VALUES ({marks})"


def row_of(value: Any, table: str) -> tuple[Any, ...]:
    """Give the values of a row; `edits` as JSON."""
    return tuple(
        msgspec.json.encode(value.edits) if field == "edits" else getattr(value, field)
        for field in _fields(table)
    )


def draft_of(row: tuple[Any, ...]) -> Draft:
    """Give a draft without its bytes. Raises msgspec.MsgspecError for edits that are none."""
    fields = _named(row, DRAFT)
    fields["edits"] = _edits.decode(fields["edits"])
    return Draft(**fields, content=None)


def operation_of(row: tuple[Any, ...]) -> Operation:
    """Give an operation."""
    return Operation(**_named(row, OPERATION))


def decision_of(row: tuple[Any, ...]) -> Decision:
    """Give a decision."""
    return Decision(**_named(row, DECISION))


def chain_of(row: tuple[Any, ...]) -> Chain:
    """Give a chain."""
    return Chain(**_named(row, CHAIN))


def publication_of(row: tuple[Any, ...]) -> Publication:
    """Give a publication."""
    return Publication(**_named(row, PUBLICATION))


def _named(row: tuple[Any, ...], table: str) -> dict[str, Any]:
    return dict(zip(_fields(table), row, strict=True))


def _fields(table: str) -> list[str]:
    return [_OF_COLUMNS.get(name, name) for name in _COLUMNS[table].split(", ")]
