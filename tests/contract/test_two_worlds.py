"""Two worlds through their history: a folder with internal documents, and the same one without.

Public documents come, change, move and go in both. In the second, internal ones do too, and become public; and public ones
become internal, at their place or on moving away, where in the first world they go. After each step both are asked the same
twenty random things, as bytes.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from readingroom.library import Role
from support.worlds import HOOKS, SECRET, WORDS, World, differences, internal, prose, public

REQUESTS = 20
STEPS = 25
"""So many steps a world lives for; each is followed by a script of requests."""

PLACES = [
    f"{folder}/{name}.md" for folder in ("d0", "d1", "d2/deep", "új") for name in ("x", "00x", "zz", "apple")
]
HIDDEN = [*PLACES, "vault/plan.md", "vault/x.md", "b.private.md", "!3.md", "d0/+.md"]


class Pair:
    """The two worlds, and what is done to them."""

    def __init__(self, place: Path, seed: int) -> None:
        place.mkdir()
        self.dice = random.Random(seed)
        self.without, self.having = World(place / "without"), World(place / "having")
        for world in (self.without, self.having):
            public(world.shelves, random.Random(seed))
        internal(self.having.shelves, random.Random(f"{seed} of the others"))
        self.open: set[str] = set()
        self.hidden: set[str] = set()
        for world in (self.without, self.having):
            world.scan()

    def close(self) -> None:
        """Close both."""
        for world in (self.without, self.having):
            world.library.close()

    def step(self) -> None:
        """Something public, the same in both, and something secret in the second; then both are looked at."""
        indexed = set(self.open)
        for _ in range(self.dice.randint(0, 2)):
            self.dice.choice([self.publish, self.publish, self.remove, self.move])()
        for _ in range(self.dice.randint(0, 3)):
            self.dice.choice([self.hide_new, self.hide_new, self.forget, self.disclose])()
        if self.dice.random() < 0.2:
            self.conceal(indexed)
        everything = self.dice.random() < 0.5
        for world in (self.without, self.having):
            world.library._scan(HOOKS, None if everything else [""])

    def text(self, words: list[str]) -> str:
        """Of a document, with links to both kinds."""
        up = self.dice.choice(["[[apple]]", "[up](../d0/x.md)", "[plan](/vault/plan.md)", "[[shadow]]"])
        return f"# {self.dice.choice(words)}\n\n{prose(self.dice, words)}\n\n## {self.dice.choice(words)}\n\n{up}\n"

    def front(self) -> dict[str, str]:
        """Of a document: names that others have, too."""
        number = self.dice.randrange(6)
        return {"id": f"SHARED-{number}", "tags": f"[t{number}]", "aliases": "[shadow]"}

    def both(self, change: Callable[[World], object]) -> None:
        """The same in both."""
        for world in (self.without, self.having):
            change(world)

    def publish(self) -> None:
        """A public document comes or changes; where there is an internal one, that goes on in secret."""
        path = self.dice.choice(PLACES)
        if path in self.hidden:
            return
        text, front = self.text(WORDS), self.front()
        self.both(lambda world: world.shelves.document(path, text, **front))
        self.open.add(path)

    def remove(self) -> None:
        """A public document goes."""
        if self.open:
            path = self.dice.choice(sorted(self.open))
            self.open.discard(path)
            self.both(lambda world: (world.shelves.docs / path).unlink())

    def move(self) -> None:
        """A public document moves."""
        free = sorted(set(PLACES) - self.open - self.hidden)
        if self.open and free:
            old, new = self.dice.choice(sorted(self.open)), self.dice.choice(free)
            self.open.symmetric_difference_update({old, new})

            def moved(world: World) -> None:
                (world.shelves.docs / new).parent.mkdir(parents=True, exist_ok=True)
                (world.shelves.docs / old).rename(world.shelves.docs / new)

            self.both(moved)

    def hide_new(self) -> None:
        """An internal document comes or changes, in the second world."""
        path, text, front = self.dice.choice(HIDDEN), self.text(WORDS + SECRET * 3), self.front()
        if path in self.open:
            return  # that would be a public one that has become internal
        self.having.shelves.document(path, text, **front, visibility="internal")
        self.hidden.add(path)

    def forget(self) -> None:
        """An internal document goes."""
        if self.hidden:
            path = self.dice.choice(sorted(self.hidden))
            self.hidden.discard(path)
            (self.having.shelves.docs / path).unlink()

    def disclose(self) -> None:
        """An internal document becomes public; in the first world one comes."""
        if able := sorted(self.hidden & set(PLACES)):
            path, text, front = self.dice.choice(able), self.text(WORDS), self.front()
            self.hidden.discard(path)
            self.open.add(path)
            self.both(lambda world: world.shelves.document(path, text, **front))

    def conceal(self, indexed: set[str]) -> None:
        """A public document becomes internal, with its text or another one; in the first world it goes."""
        able = sorted(self.open & indexed)
        if not able:
            return
        path = self.dice.choice(able)
        self.open.discard(path)
        self.hidden.add(path)
        file = self.having.shelves.docs / path
        if self.dice.random() < 0.5:
            file.write_text(file.read_text().replace("---\n", "---\nvisibility: internal\n", 1))
        else:
            self.having.shelves.document(
                path, self.text(WORDS + SECRET * 3), **self.front(), visibility="internal"
            )
        (self.without.shelves.docs / path).unlink()


def run(place: Path, scripts: int, seed: int, role: Role = "reader") -> tuple[int, list[tuple[bytes, bytes]]]:
    """Ask so many scripts of pairs of worlds; how many requests were made, and the pairs of answers that differ."""
    differ: list[tuple[bytes, bytes]] = []
    for script in range(scripts):
        if script % STEPS == 0:
            pair = Pair(place / f"{seed} {script}", seed * 10_000 + script)
        else:
            pair.step()
        differ += differences(pair.without.view(), pair.having.view(role), seed * 10_000 + script, REQUESTS)
        if script % STEPS == STEPS - 1 or script == scripts - 1:
            pair.close()
    return scripts * REQUESTS, differ


def test_no_script_tells_the_worlds_apart(tmp_path: Path) -> None:
    """Whatever happens to internal documents between the requests."""
    assert run(tmp_path, 10, 1)[1] == []


def test_the_comparison_would_tell(tmp_path: Path) -> None:
    """A control: an editor's view of the second world is another one."""
    assert len(run(tmp_path, 2, 2, "editor")[1]) > 5


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_two_thousand_scripts_do_not_tell_the_worlds_apart(tmp_path: Path) -> None:
    """The same, for longer."""
    requests, differ = run(tmp_path, 2_000, 3)
    print(f"2000 scripts, {requests} requests, {len(differ)} differences")
    assert differ[:3] == []
