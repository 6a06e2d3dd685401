"""Nobody can tell by any answer what drafts others keep: two worlds that differ in nothing else answer alike, byte for byte.

The same random requests go to both: of a reader, to a library without drafts and to one that has many; of an editor, to one
with the editor's own drafts and to one where somebody else keeps drafts of the same documents under the same keys, too.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from readingroom.library import Library
from readingroom.library.drafts import drafts as door
from support.desks import Desk, decide, desk_over, editors_library
from support.shelves import Shelves

REQUESTS = 250
KEYS = [f"operation-{number}" for number in range(12)]
PATHS = [
    "fees.md",
    "hours.md",
    "staff/pay.md",
    "new.md",
    "other/new.md",
    "gone.md",
    "a.exe",
    ".hidden/a.md",
    "../a.md",
]
STATES = [None, "open", "outdated", "published", "rejected", "withdrawn"]


class Chance:
    """Gives the bytes of ids, the same each time, from a source for each principal."""

    def __init__(self) -> None:
        self.whose = "me"
        self.given: dict[str, int] = {}

    def token_bytes(self, size: int) -> bytes:
        """The next bytes of whoever acts."""
        self.given[self.whose] = number = self.given.get(self.whose, 0) + 1
        return hashlib.sha256(f"{self.whose} {number}".encode()).digest()[:size]


def identifier(whose: str, number: int) -> str:
    """The id of somebody's draft of that number, from 1."""
    chance = Chance()
    chance.whose, chance.given = whose, {whose: number - 1}
    from base64 import b32encode

    return "d-" + b32encode(chance.token_bytes(16)).decode().rstrip("=").lower()


IDS = [identifier(whose, number) for whose in ("me", "other") for number in range(1, 9)]
IDS += ["d-" + "a" * 26, "", "d-", "x/y", IDS[0].upper()]


class World:
    """A library with its ledger, under a clock that stands still, and a desk for each role."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.chance = Chance()
        self.editor, self.reader = desk_over(library, "editor"), desk_over(library, "reader")

    def raw(
        self, monkeypatch: pytest.MonkeyPatch, at: Desk, whose: str, request: tuple[str, dict[str, Any]]
    ) -> bytes:
        """Ask as a principal; the bytes of the answer."""
        self.chance.whose = whose
        monkeypatch.setattr(door, "secrets", self.chance)
        return at.raw(*request, principal=whose)


def call(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """A request for a tool."""
    return "tools/call", {"name": name, "arguments": {k: v for k, v in arguments.items() if v is not None}}


def write(dice: random.Random, revisions: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """One request of the kind that writes."""
    path, key = dice.choice(PATHS), dice.choice(KEYS)
    base = dice.choice([revisions.get(path), revisions.get(path), "sha256:" + "0" * 64])
    text = dice.choice(["# New\n", "ten cents", "twenty cents"])
    edits = [{"old": dice.choice(["Ten cents", "cents", "e", "nowhere"]), "new": text}]
    draft, revision = dice.choice(IDS), dice.choice([1, 1, 2])
    return dice.choice(
        [
            call(
                "draft_create",
                operation=key,
                kind="create",
                path=path,
                content=text,
                note=dice.choice(["", "why"]),
            ),
            call("draft_create", operation=key, kind="replace", path=path, base_revision=base, content=text),
            call("draft_create", operation=key, kind="edit", path=path, base_revision=base, edits=edits),
            call("draft_create", operation=key, kind="rename", path=path, to="new.md", base_revision=base),
            call("draft_create", operation=key, kind="delete", path=path, base_revision=base),
            call("draft_update", operation=key, draft=draft, draft_revision=revision, note=text),
            call("draft_update", operation=key, draft=draft, draft_revision=revision, content=text),
            call("draft_withdraw", operation=key, draft=draft),
        ]
    )


def look(dice: random.Random) -> tuple[str, dict[str, Any]]:
    """One request of the kind that looks."""
    draft = dice.choice(IDS)
    uri = f"library:///.draft/{draft}"
    ref = dice.choice(
        [
            {"type": "ref/resource", "uri": "library:///.draft/{id}"},
            {"type": "ref/prompt", "name": "review_draft"},
        ]
    )
    argument = {"name": dice.choice(["id", "draft"]), "value": dice.choice(["", "d-", draft[:4], "x"])}
    plain: list[tuple[str, dict[str, Any]]] = [
        (method, {})
        for method in (
            "server/discover",
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list",
        )
    ]
    return dice.choice(
        [
            call("draft_list", state=dice.choice(STATES)),
            call("draft_list"),
            call("draft_list"),
            call("draft_read", draft=draft),
            call("draft_read", draft=uri, max_chars=200),
            ("resources/read", {"uri": uri}),
            ("prompts/get", {"name": "review_draft", "arguments": {"draft": draft}}),
            ("completion/complete", {"ref": ref, "argument": argument}),
            call("library_read", path=dice.choice(PATHS)),
            call("library_read", uri=uri),
            call("library_search", query=dice.choice(["cents", "new", "why", "draft"])),
            call("library_list"),
            call("library_links", path="fees.md"),
            dice.choice(plain),
        ]
    )


@pytest.fixture
def worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[World, World]]:
    """Two worlds with the same documents."""
    monkeypatch.setattr("readingroom.desk.draft_tools._PAGE", 2)
    made = []
    for name in ("one", "two"):
        place = tmp_path / name
        place.mkdir()
        shelves = Shelves(place)
        shelves.write("fees.md", "# Fees\n\nTen cents a day.\n")
        shelves.write("hours.md", "# Hours\n\nTen to four. See [fees](fees.md).\n")
        shelves.document("staff/pay.md", "# Pay\n\nTen cents.\n", visibility="internal")
        made.append(editors_library(shelves, clock=lambda: 1e9))
    with made[0] as one, made[1] as two:
        yield World(one), World(two)


def revisions(world: World) -> dict[str, str]:
    """The revision of every document."""
    return {
        path: world.editor.tool("library_read", path=path)["structuredContent"]["revision"]
        for path in PATHS[:3]
    }


def others_act(
    world: World, monkeypatch: pytest.MonkeyPatch, dice: random.Random, known: dict[str, str]
) -> None:
    """Somebody else proposes, changes and withdraws, and the operator decides on that."""
    for _ in range(3):
        world.raw(monkeypatch, world.editor, "other", write(dice, known))
    with world.library.ledger.reading() as reading:
        theirs = reading.drafts(principal="other", state="open")
    if theirs and dice.random() < 0.4:
        decide(world.library, dice.choice(theirs).id, dice.choice(["published", "rejected"]), "zanzibar")


def followed(raw: bytes, request: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]] | None:
    """The request for what comes after a page, if more does."""
    result = json.loads(raw).get("result", {})
    cursor = result.get("structuredContent", {}).get("cursor")
    if cursor is None:
        return None
    method, members = request
    return method, {**members, "arguments": {**members["arguments"], "cursor": cursor}}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_principal_s_drafts_change_no_answer(
    worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Of an editor's, whatever both do; their ids, their keys and their paths are among what is asked for."""
    alone, crowded = worlds
    known = revisions(alone)
    dice, theirs = random.Random(seed), random.Random(f"{seed} of others")
    kept = set()
    for _ in range(REQUESTS):
        others_act(crowded, monkeypatch, theirs, known)
        request: tuple[str, dict[str, Any]] | None = write(dice, known) if dice.random() < 0.5 else look(dice)
        while request is not None:
            told = [world.raw(monkeypatch, world.editor, "me", request) for world in worlds]
            assert told[0] == told[1], request
            assert b"zanzibar" not in told[1]
            kept.add(told[0])
            request = followed(told[0], request)
    with crowded.library.ledger.reading() as reading:
        assert len(reading.drafts(principal="other", limit=1000)) >= 8
        assert len(reading.drafts(principal="me", limit=1000)) >= 4
    assert len(kept) > 50


@pytest.mark.parametrize("seed", [4, 5])
def test_drafts_change_no_answer_of_a_reader_s(
    worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Whoever keeps them, and whatever is asked for."""
    without, having = worlds
    known = revisions(without)
    dice, theirs = random.Random(seed), random.Random(f"{seed} of others")
    for _ in range(REQUESTS):
        others_act(having, monkeypatch, theirs, known)
        request = write(dice, known) if dice.random() < 0.3 else look(dice)
        told = [world.raw(monkeypatch, world.reader, "me", request) for world in worlds]
        assert told[0] == told[1], request
        assert b"zanzibar" not in told[1]
    with without.library.ledger.reading() as reading:
        assert reading.drafts() == ()


def test_the_comparison_notices_drafts_of_one_s_own(
    worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: were principals ignored, these tests would be red."""
    alone, crowded = worlds
    known = revisions(alone)
    dice, theirs = random.Random(6), random.Random("6 of others")
    different = 0
    for _ in range(60):
        others_act(crowded, monkeypatch, theirs, known)
        request = look(dice)
        told = [
            alone.raw(monkeypatch, alone.editor, "me", request),
            crowded.raw(monkeypatch, crowded.editor, "other", request),
        ]
        different += told[0] != told[1]
    assert different > 10


def test_who_listens_to_another_s_draft_is_answered_like_who_listens_to_none(
    worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the same acknowledgement."""
    alone, crowded = worlds
    others_act(crowded, monkeypatch, random.Random(7), revisions(crowded))
    told = []
    for world in worlds:
        for desk in (world.editor, world.reader):
            subscription = desk.listen(
                resourceSubscriptions=[f"library:///.draft/{draft}" for draft in IDS[:-4]]
            )
            told.append(subscription.acknowledgement)
            subscription.close()
    assert len(set(told)) == 1
    assert alone is not crowded
