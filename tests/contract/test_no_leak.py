"""A reader cannot tell a library with internal documents from one without: not by one byte of any answer.

Two folders hold the same public documents; one of them also holds internal ones, made to be noticed. The same random
requests go to both, and whatever comes back, answers and refusals alike, is compared byte for byte.
"""

import random
from collections.abc import Iterator
from operator import methodcaller
from pathlib import Path

import msgspec
import pytest

from readingroom.library import Follower, Role, comparison, identifier_uri, uri
from support.worlds import (
    HOOKS,
    NAMES,
    PATHS,
    REQUESTS,
    WORDS,
    World,
    differences,
    internal,
    prose,
    public,
    told,
)


@pytest.fixture
def without(tmp_path: Path) -> Iterator[World]:
    """The library without internal documents."""
    world = World(tmp_path / "without")
    public(world.shelves, random.Random(1))
    yield world.scan()
    world.library.close()


@pytest.fixture
def having(tmp_path: Path) -> Iterator[World]:
    """The folder with them, not yet scanned."""
    world = World(tmp_path / "having")
    public(world.shelves, random.Random(1))
    yield world
    world.library.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_internal_documents_change_no_answer(without: World, having: World, seed: int) -> None:
    """Of none of some hundred random requests, whatever there is to be seen in them."""
    internal(having.shelves, random.Random(seed))
    having.scan()
    assert differences(without.view(), having.view(), seed) == []


def test_when_the_index_was_committed_changes_no_answer(
    without: World, having: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Internal documents may put off a commit, and no answer tells of it."""
    internal(having.shelves, random.Random(4))
    monkeypatch.setattr(comparison, "_COMMIT_DOCUMENTS", 3)
    having.scan()
    assert differences(without.view(), having.view(), 4, 3 * REQUESTS) == []


def test_a_document_that_became_internal_has_never_been_there(without: World, having: World) -> None:
    """After the next scan the library answers as if it had never held it."""
    internal(having.shelves, random.Random(5), hidden=False)
    having.scan()
    assert differences(without.view(), having.view(), 5, 100) != []
    internal(having.shelves, random.Random(5))
    having.scan()
    assert differences(without.view(), having.view(), 5) == []


def test_a_document_that_became_internal_is_not_shown_before_the_next_scan(
    without: World, having: World
) -> None:
    """Its text is served in no answer from the moment its file says so, although the index still has it."""
    having.shelves.document("d0/x.md", "# Shared Title\n\nzanzibar apple\n", id="LATE", aliases="[late]")
    having.scan()
    having.shelves.document("d0/x.md", "# Shared Title\n\nzanzibar apple\n", id="LATE", visibility="internal")
    view = having.view()
    for name in ("d0/x.md", "late", identifier_uri("LATE")):
        for method in ("read", "find", "outline", "links"):
            refused = told(methodcaller(method, name), view)
            missing = told(methodcaller(method, "missing"), view)
            assert refused.replace(repr(name).encode(), b"") == missing.replace(b"'missing'", b"")
    shown = msgspec.json.encode(
        [
            view.search("zanzibar"),
            view.search("apple", limit=50),
            view.list("d0"),
            view.complete_identifier("L"),
        ]
    )
    assert b"d0/x.md" not in shown
    assert b"zanzibar apple" not in shown
    assert b"LATE" not in shown


class Ear:
    """Somebody who listens to a world as one role: to the list, and to every address that might tell something."""

    def __init__(self, world: World, role: Role = "reader") -> None:
        self.world = world
        self.role: Role = role
        self.follower = Follower(lambda changes: None)
        for path in (
            *PATHS[1:],
            "d0/00.md",
            "d1/01.md",
            "d3/03.md",
            "d0/x.md",
            *(f"!{number}.md" for number in range(20)),
        ):
            self.follower.watch(uri(path))
        for name in NAMES:
            self.follower.watch(name)
        self.hears()

    def hears(self) -> tuple[object, ...]:
        """What is told now, with what names the set of documents and the last scan."""
        edition = self.world.library._shelf(self.role).edition()
        assert edition is not None
        changes = self.follower.look(edition)
        view = self.world.view(self.role)
        return changes, view.generation, view.reconciled


def step(world: World, dice: random.Random, turn: int, *, secretly: bool) -> list[str]:
    """Change public documents, and in secret internal ones; the paths. A document that goes is removed, or made internal."""
    changed = dice.choice(["d0/00.md", "d1/01.md", "d2/02.md", "d3/03.md", "d0/x.md"])
    text, kind = (
        f"# {dice.choice(WORDS)}\n\n{prose(dice, WORDS)}\n",
        dice.choice(["write", "write", "go", "nothing"]),
    )
    paths = [] if kind == "nothing" else [changed]
    if kind == "write":
        world.shelves.document(changed, text, id=f"P-{turn}")
    elif kind == "go" and secretly:
        world.shelves.document(changed, text, visibility="internal", id="SHARED-3")
    elif kind == "go":
        (world.shelves.docs / changed).unlink(missing_ok=True)
    if secretly:
        internal(world.shelves, random.Random(f"{turn} of the others"), hidden=True)
        world.shelves.document("vault/plan.md", f"# Plan {turn}\n", id="PLAN")
        paths += ["vault", "a2.private.md", "!3.md", "d0"]
    return paths


def test_nobody_is_told_of_internal_changes(without: World, having: World) -> None:
    """Whatever happens to internal documents, a reader hears what is heard where there are none, no more and no less, in the
    same order; where a document becomes internal, it is what is heard when it is removed."""
    internal(having.shelves, random.Random(8))
    having.scan()
    ears, editor = [Ear(without), Ear(having)], Ear(having, "editor")
    heard, overheard = 0, 0
    for turn in range(16):
        for world, secretly in ((without, False), (having, True)):
            paths = step(world, random.Random(f"{turn} of all"), turn, secretly=secretly)
            world.library._scan(HOOKS, paths if turn % 3 else None)
        told = [ear.hears() for ear in ears]
        assert told[0] == told[1]
        heard += told[0][0] is not None
        overheard += editor.hears()[0] is not None
    assert 4 < heard < overheard


def test_the_comparison_notices_what_an_editor_sees(without: World, having: World) -> None:
    """A control: were the role ignored, these tests would be red."""
    internal(having.shelves, random.Random(6))
    having.scan()
    assert len(differences(without.view(), having.view("editor"), 6, 100)) > 20
