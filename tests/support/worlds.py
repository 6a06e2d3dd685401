"""Two folders with the same public documents, one of which also holds internal ones, and random requests to both.

The internal documents are made to be noticed: they share words, titles, ids, aliases, tags and folders with the public ones,
link to them and are linked from them.
"""

import random
from collections.abc import Callable
from pathlib import Path

import msgspec

from readingroom.library import Library, LibraryError, Principal, Role, Rules, View, identifier_uri, uri
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
        lambda view: view.whole(name),
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
