"""A reader cannot tell a library with internal documents from one without: not by one byte of any answer.

Two folders hold the same public documents; one of them also holds internal ones, made to be noticed: they share words,
titles, ids, aliases, tags and folders with the public ones, link to them and are linked from them. The same random
requests go to both, and whatever comes back, answers and refusals alike, is compared byte for byte.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from readingroom.library import (
    Follower,
    Library,
    LibraryError,
    Principal,
    Role,
    Rules,
    View,
    comparison,
    identifier_uri,
    uri,
)
from readingroom.library.hooks import Hooks
from support.shelves import Shelves

WORDS = [
    "apple",
    "pear",
    "plum",
    "cherry",
    "orchard",
    "harvest",
    "ladder",
    "basket",
    "cider",
    "press",
    "frost",
    "blossom",
    "graft",
    "root",
    "bark",
    "seed",
    "soil",
    "rain",
    "постоянный",
    "адрес",
    "ссылка",
    "документ",
    "сад",
    "яблоко",
    "урожай",
    "корень",
    "苹果",
    "果园",
    "收获",
    "缓存",
    "地址",
]
SECRET = [
    "zanzibar",
    "kumquat",
    "budget",
    "merger",
    "salary",
    "секретный",
    "слияние",
    "机密",
    "预算",
    "quokka",
]
RULES = Rules(internal=("vault/", "*.private.md"))
REQUESTS = 250
HOOKS = Hooks(pause=lambda: None, tell=lambda progress: None, clock=lambda: 1e9)


class World:
    """One library over one folder, under a clock that stands still."""

    def __init__(self, place: Path) -> None:
        place.mkdir()
        self.shelves = Shelves(place)
        self.library = Library.open(
            self.shelves.docs,
            cache=self.shelves.cache,
            rules=RULES,
            roles=("reader", "editor"),
            clock=lambda: 1e9,
        )

    def scan(self) -> "World":
        """Bring the index in step."""
        self.library.reconcile()
        return self

    def view(self, role: Role = "reader") -> View:
        """What somebody with this role sees."""
        return self.library.view(Principal("somebody", role))


def prose(dice: random.Random, words: list[str]) -> str:
    """Some sentences."""
    return " ".join(dice.choice(words) for _ in range(dice.randint(5, 60)))


def public(shelves: Shelves, dice: random.Random) -> None:
    """Thirty documents that link to each other, to internal ones and to nowhere."""
    for number in range(30):
        links = [
            f"[next]({(number + 1) % 30:02}.md)",
            "[secret](../vault/plan.md#x)",
            "[gone](gone.md)",
            "[[Shared Title]]",
            "[[shadow]]",
            "[id](library:///.id/SHARED-3)",
        ]
        body = f"{prose(dice, WORDS)}\n\n## {dice.choice(WORDS)}\n\n{dice.choice(links)}\n"
        text = f"# {dice.choice(WORDS)} {number}\n\n{body}"
        front = {"id": f"P-{number}", "tags": f"[t{number % 3}]", "lang": dice.choice(["en", "ru", "zh"])}
        if number % 7 == 0:
            front |= {"id": f"SHARED-{number % 4}", "title": "Shared Title", "aliases": "[shadow, ghost]"}
        shelves.document(f"d{number % 4}/{number:02}.md", text, **front)


def internal(shelves: Shelves, dice: random.Random, *, hidden: bool = True) -> None:
    """Twenty documents that a reader must not see: by front matter, by folder and by name."""
    for number in range(20):
        text = f"# {dice.choice(WORDS + SECRET)}\n\n{prose(dice, WORDS + SECRET * 3)}\n\n[up](../d0/00.md) [[shadow]]\n"
        front = {
            "id": f"SHARED-{number % 6}",
            "title": "Shared Title",
            "tags": "[t0, t9]",
            "aliases": "[shadow, specter]",
        }
        path = (f"d0/0{number}x.md", f"vault/plan{number}.md", f"a{number}.private.md", f"!{number}.md")[
            number % 4
        ]
        if hidden and number % 4 in (0, 3):
            front["visibility"] = "internal"
        shelves.document(path, text, **front)
    shelves.document("vault/plan.md", "# Plan\n\nzanzibar budget\n", id="PLAN", aliases="[scheme]")


PATHS = [
    "",
    "d0",
    "d1/",
    "d2/02.md",
    "vault",
    "vault/plan.md",
    "a2.private.md",
    "d0/00x.md",
    "!3.md",
    "none",
    "d",
]
NAMES = [
    *("d0/00.md", "d1/01.md", "vault/plan.md", "d0/00x.md", "a2.private.md", "!3.md", "missing.md", "shadow"),
    *(
        "ghost",
        "specter",
        "scheme",
        uri("d2/02.md"),
        uri("vault/plan.md"),
        uri("missing.md"),
        "library:///%zz",
    ),
    *(identifier_uri(name) for name in ("P-1", "SHARED-0", "SHARED-3", "SHARED-5", "PLAN", "NONE")),
]


def query(dice: random.Random) -> str:
    """Words of both kinds, as they stand, cut short, misspelt, quoted, excluded; with and without filters."""

    def word() -> str:
        found = dice.choice(WORDS + SECRET * 2)
        return dice.choice(
            [
                found,
                found,
                found,
                found[:-1] + "x",
                found[1:],
                found[:3] + "*",
                "-" + found,
                f'"{found} {dice.choice(WORDS)}"',
            ]
        )

    filters = ["path:d0", "path:vault", "tag:t0", "tag:t9", "lang:ru", "lang:zh", "-path:d1", "nosuch:x"]
    parts = [word() for _ in range(dice.randint(1, 4))]
    return " ".join(parts + ([dice.choice(filters)] if dice.random() < 0.3 else []))


def request(dice: random.Random) -> Callable[[View], object]:
    """One request, with all that it asks for drawn now."""
    name, path, limit = dice.choice(NAMES), dice.choice(PATHS), dice.randint(1, 50)
    tags, text, start = (
        dice.choice([(), ("t0",), ("t9",), ("T0", "t9")]),
        query(dice),
        dice.choice([0, 0, 0, 3, 11]),
    )
    prefix = dice.choice(
        ["", "d", "d0/0", "v", "a", "S", "SHARED", "P-1", "PL", "shared", "z", "!", "яб", "k"]
    )
    language, per_document = dice.choice([None, "en", "ru", "zh"]), dice.choice([1, 3, 50])
    size, after = dice.choice([400, 6000, 50_000]), dice.choice([None, *PATHS[1:], "zzz"])
    kinds: list[Callable[[View], object]] = [
        lambda view: view.list(path, tags=tags, after=after, limit=limit),
        lambda view: view.read(name, max_chars=200),
        lambda view: view.read(name, section=text.split()[0]),
        lambda view: view.read(name, lines=(2, 5)),
        lambda view: view.find(name),
        lambda view: view.outline(name),
        lambda view: view.links(name),
        lambda view: view.complete_path(prefix, limit),
        lambda view: view.complete_identifier(prefix, limit),
        lambda view: view.complete_title(prefix, limit),
        lambda view: (view.generation, view.reconciled),
    ]
    searching: Callable[[View], object] = lambda view: view.search(  # noqa: E731  -- one of the kinds
        text,
        limit=limit,
        start=start,
        path=path if dice_for_path else None,
        tags=tags,
        language=language,
        per_document=per_document,
        max_chars=size,
    )
    dice_for_path = dice.random() < 0.3
    return dice.choice([*kinds, *[searching] * 12])


def told(ask: Callable[[View], object], view: View) -> bytes:
    """The answer or the refusal, as bytes."""
    try:
        return msgspec.json.encode(ask(view))
    except LibraryError as error:
        return f"{type(error).__name__}: {error}".encode()


def differences(one: View, other: View, seed: int, count: int = REQUESTS) -> list[tuple[bytes, bytes]]:
    """The pairs of answers to the same requests that are not equal."""
    asked = [request(random.Random(f"{seed} {number}")) for number in range(count)]
    pairs = [(told(ask, one), told(ask, other)) for ask in asked]
    return [pair for pair in pairs if pair[0] != pair[1]]


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
        for ask in (view.read, view.find, view.outline, view.links):
            refused = told(lambda _, ask=ask, name=name: ask(name), view)  # type: ignore[misc]  -- bound now
            missing = told(lambda _, ask=ask: ask("missing"), view)  # type: ignore[misc]
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
