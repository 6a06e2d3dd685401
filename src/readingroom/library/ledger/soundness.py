"""Looks whether a ledger is sound: its pages, its tables, its journal and the bytes that it keeps.

Knows nothing of the passphrase: whether a decision was made with it is for the operator to verify.
"""

from typing import Any

import apsw

from ..digest import digest_of
from .schema import STEPS


def faults_of(connection: Any) -> tuple[str, ...]:
    """What is wrong with a ledger, in sentences; none when it is sound. Raises apsw.Error."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
    if found != ["ok"]:
        return tuple(found)
    return (*_changed_tables(connection), *_gaps(connection), *_altered(connection))


def _changed_tables(connection: Any) -> list[str]:
    made = apsw.Connection(":memory:")
    for step in STEPS:
        made.execute(step)
    asked = "SELECT type, name, sql FROM sqlite_schema"
    expected, found = set(made.execute(asked).fetchall()), set(connection.execute(asked).fetchall())
    names = sorted({f"{kind} {name}" for kind, name, _ in expected ^ found})
    return [f"its {name} is not as Reading Room made it" for name in names]


def _gaps(connection: Any) -> list[str]:
    count, last = connection.execute("SELECT count(*), coalesce(max(number), 0) FROM decisions").fetchone()
    return [] if count == last else [f"of {last} decisions in the journal {last - count} are missing"]


def _altered(connection: Any) -> list[str]:
    kept = "SELECT digest, bytes FROM contents UNION ALL SELECT digest, entries FROM manifests"
    return [
        f"it holds other bytes for {digest}"
        for digest, content in connection.execute(kept)
        if digest_of(content) != digest
    ]
