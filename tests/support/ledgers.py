"""Ledgers for tests, and values to keep in them."""

from pathlib import Path
from typing import Any

from readingroom.library.ledger import Chain, Decision, Draft, Ledger, Operation, Publication, digest_of


def opened(folder: Path, **options: Any) -> Ledger:
    """The ledger of the folder `documents` in this one, kept beside it."""
    root = folder / "documents"
    root.mkdir(exist_ok=True)
    return Ledger.open(root, folder / "ledgers", **options)


def a_draft(name: str = "d-1", content: bytes | None = b"text", **fields: Any) -> Draft:
    """A draft that proposes a new file."""
    told = {"digest": "" if content is None else digest_of(content), "created": 1.0, "changed": 1.0} | fields
    usual: dict[str, Any] = {"principal": "local", "kind": "create", "path": "a.md", "base": None}
    return Draft(id=name, content=content, **(usual | {"state": "open", "revision": 1} | told))


def an_operation(key: str = "key-1", **fields: Any) -> Operation:
    """An answer under a key."""
    usual: dict[str, Any] = {
        "principal": "local",
        "fingerprint": "f",
        "draft": "d-1",
        "result": b"answer",
        "at": 1.0,
    }
    return Operation(key=key, **(usual | fields))


def a_decision(number: int = 1, **fields: Any) -> Decision:
    """A decision to publish."""
    usual: dict[str, Any] = {"at": 1.0, "kind": "publish", "operator": "me", "chain": 1, "mac": b"mac"}
    return Decision(number=number, **(usual | fields))


def a_chain(number: int = 1) -> Chain:
    """A chain of decisions."""
    return Chain(number=number, salt=b"salt", n=2, r=8, p=1, check=b"check", began=1.0)


def a_publication(name: str = "p-1", **fields: Any) -> Publication:
    """A publication under way."""
    usual: dict[str, Any] = {
        "kind": "create",
        "path": "a.md",
        "before": None,
        "after": "sha256:x",
        "temporary": ".t",
    }
    return Publication(id=name, began=1.0, **(usual | fields))
