"""Two worlds of several folders: one in which a collection holds nothing but internal documents, and one without it.

And one in which a collection that readers see holds internal documents, too. Both are asked the same random things.
"""

import random
import shutil
from pathlib import Path

import pytest

from readingroom.library import JointView, Role
from support.several import Several
from support.worlds import NAMES, PATHS, RULES, SECRET, WORDS, differences, internal, prose, public, told

SEEDS = 4
REQUESTS = 60


def made(place: Path, seed: int, *, having: bool) -> Several:
    """Two collections of public documents; with internal ones among them, and a third that is wholly internal."""
    place.mkdir()
    several = Several(place, ["d0", "other", *(["secret"] if having else [])], RULES)
    for name in ("d0", "other"):
        public(several.shelves[name], random.Random(f"{seed} {name}"))
    if having:
        internal(several.shelves["other"], random.Random(f"{seed} hidden"))
        dice = random.Random(f"{seed} secret")
        for number in range(20):
            text = f"# {dice.choice(WORDS + SECRET)}\n\n{prose(dice, WORDS + SECRET * 2)}\n"
            several.write(
                f"secret/d1/{number:02}.md", text, visibility="internal", id=f"P-{number}", aliases="[ghost]"
            )
    return several.scan()


class Under:
    """A view asked for what stands under a collection, or under none."""

    def __init__(self, view: JointView, name: str) -> None:
        self._view = view
        self._name = name

    def ask(self, kind: str) -> bytes:
        """One kind of request, told as bytes."""
        paths = [f"{self._name}/{path}" for path in [*PATHS, *NAMES]]
        asks = {
            "read": lambda view, path: view.read(path, max_chars=200),
            "list": lambda view, path: view.list(path, limit=7),
            "after": lambda view, path: view.list(after=path, limit=7),
            "search": lambda view, path: view.search("apple zanzibar", path=path),
            "query": lambda view, path: view.search(f"apple path:{path.split()[0]}"),
            "complete": lambda view, path: view.complete_path(path[:-1]),
        }
        return b"\n".join(told(lambda view, path=path: asks[kind](view, path), self._view) for path in paths)  # type: ignore[misc]  # bound at once


def compared(place: Path, seed: int, role: Role = "reader") -> list[tuple[bytes, bytes]]:
    """The pairs of answers that differ."""
    without, having = made(place / "without", seed, having=False), made(place / "having", seed, having=True)
    one, other = without.view(), having.view(role)
    differ = differences(one, other, seed, REQUESTS)
    for name in ("d0", "other", "secret", "d1", "none"):
        for kind in ("read", "list", "after", "search", "query", "complete"):
            pair = Under(one, name).ask(kind), Under(other, name).ask(kind)
            differ += [pair] if pair[0] != pair[1] else []
    without.close()
    having.close()
    return differ


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_reader_cannot_tell_the_worlds_apart(tmp_path: Path, seed: int) -> None:
    """Neither by its documents nor by its name is an internal collection noticed."""
    assert compared(tmp_path, seed)[:2] == []


def test_the_comparison_would_tell(tmp_path: Path) -> None:
    """A control: an editor's view of the second world is another one."""
    assert len(compared(tmp_path, 1, "editor")) > 5


def test_a_hidden_collection_that_has_gone(tmp_path: Path) -> None:
    """Not even that it cannot be read is told to a reader."""
    without, having = made(tmp_path / "without", 1, having=False), made(tmp_path / "having", 1, having=True)
    shutil.rmtree(having.shelves["secret"].docs)
    assert differences(without.view(), having.view(), 3, REQUESTS) == []
    without.close()
    having.close()
