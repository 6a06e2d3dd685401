"""A folder that keeps changing under processes that keep its index, what kills them, and what the index has to hold then."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tantivy

from readingroom.library import Library, Role, catalog
from support.keeping import SECRET, STEADY
from support.shelves import Shelves, edition

ROLES: tuple[Role, ...] = ("reader", "editor")
PATIENCE_S = 60.0
TABLES = {
    "documents": "path, format, size, revision, title, language, tags, identifier, aliases",
    "outlines": "*",
    "tags": "*",
    "names": "*",
    "links": "*",
}


def put(file: Path, text: str) -> None:
    """Write a file in one step."""
    beside = file.with_suffix(".new")
    beside.write_text(text)
    beside.replace(file)


def change(docs: Path, dice: random.Random, turn: int) -> None:
    """One change as people and programs make them."""
    file = docs / f"d{dice.randrange(4)}/{dice.randrange(40):02}.md"
    kind = dice.choice(["write", "write", "replace", "append", "hide", "remove", "move"])
    text = f"---\nid: D-{turn % 50}\ntags: [t{turn % 3}]\n---\n# Turn {turn}\n\napple turn {turn}\n\n## More\n\n[x](00.md)\n"
    if kind == "hide":
        text = f"---\nvisibility: internal\n---\n# Hidden\n\napple {SECRET} {turn}\n"
    if kind in ("write", "hide"):
        file.write_text(text)
    elif kind == "replace":
        put(file, text)
    elif not file.exists():
        return
    elif kind == "append" and SECRET not in file.read_text():
        file.write_text(file.read_text() + f"\n\n## Turn {turn}\n\napple pear {turn}\n")
    elif kind == "remove":
        file.unlink()
    elif kind == "move":
        file.rename(docs / f"d{dice.randrange(4)}/{dice.randrange(40):02}.md")


def doom(control: Path, dice: random.Random) -> None:
    """Who gets the lock next dies, early or late."""
    kind = (
        f"point {int(10 ** dice.uniform(0, 4.3))}" if dice.random() < 0.6 else f"time {dice.uniform(0, 0.06)}"
    )
    put(control / "doom", kind)


def furnished(place: Path) -> tuple[Shelves, Path]:
    """A folder with an index for every role, and the place for what processes on it are told."""
    shelves, control = Shelves(place), place / "control"
    control.mkdir()
    (control / "ask").write_text("steady")
    for path in STEADY:
        shelves.document(path, "# Steady\n\nsteady apple\n")
    for number in range(160):
        shelves.document(f"d{number % 4}/{number // 4:02}.md", f"# Note {number}\n\napple {number}\n")
    shelves.scanned(*ROLES).close()
    return shelves, control


def rows(library: Library, role: Role) -> dict[str, list[Any]]:
    """Every live row of a role's index and of its catalogue."""
    folder = edition(library, role)
    index = tantivy.Index.open(str(folder / "index"))
    connection = catalog.connect(folder / catalog.FILE)
    try:
        found = {
            table: sorted(connection.execute(f"SELECT {columns} FROM {table}"))  # noqa: S608  -- constants above
            for table, columns in TABLES.items()
        }
    finally:
        connection.close()
    searcher = index.searcher()
    stored = [
        searcher.doc(at).get_first("stored") or b""
        for _, at in searcher.search(tantivy.Query.all_query(), 100_000).hits
    ]
    return found | {"passages": sorted(stored)}


def fresh_rows(shelves: Shelves, name: str) -> dict[str, dict[str, list[Any]]]:
    """The rows of an index that is built now, elsewhere."""
    cache = shelves.cache.with_name(name)
    with Library.open(shelves.docs, cache=cache, roles=ROLES) as fresh:
        fresh.reconcile()
        return {role: rows(fresh, role) for role in ROLES}


def told_times(took: list[float]) -> str:
    """How long it took until another one had taken over."""
    ordered, count = sorted(took), len(took)
    late = sum(seconds > 2 for seconds in ordered)
    return (
        f"{count} kills, taken over p50 {ordered[count // 2]:.2f} s, p95 {ordered[int(count * 0.95)]:.2f} s, "
        f"at most {ordered[-1]:.2f} s, {late} over 2 s"
    )


def check_rows(shelves: Shelves, take: Callable[[], object]) -> Callable[[], None]:
    """Wait until the index has the rows of a fresh one, or the time is up, calling `take` meanwhile; what is given asserts
    that it has them.
    """
    expected = fresh_rows(shelves, "fresh")
    end = time.monotonic() + PATIENCE_S
    with shelves.library(*ROLES) as library:
        while (got := {role: rows(library, role) for role in ROLES}) != expected and time.monotonic() < end:
            take()

    def same() -> None:
        for role in ROLES:
            for table, wanted in expected[role].items():
                assert got[role][table] == wanted, (role, table)

    return same
