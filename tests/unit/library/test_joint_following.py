"""Changes of several collections, told under the addresses that were asked for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library import Changes, JointFollower
from support.processes import until
from support.several import Several


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Several]:
    """Two collections with one document each, of one name."""
    found = Several(tmp_path, ["a", "b"])
    found.write("a/x.md", "one")
    found.write("b/x.md", "one")
    found.scan()
    yield found
    found.close()


def test_each_change_under_its_address(several: Several) -> None:
    """As it was spelt; an address without a collection hears of both; what is no more watched is not told."""
    heard: list[Changes] = []
    joint = JointFollower(heard.append, ["a", "b"])
    spelt = ["a/x.md", "%61/x.md", "b/x.md", "x.md", "c/x.md"]
    for uri in [*(f"library:///{path}" for path in spelt), "x"]:
        joint.watch(uri)
    for name, library in several.libraries.items():
        library.follow("reader", joint.part(name))
    until(lambda: all(joint.part(name)._facts is not None for name in ("a", "b")))
    several.shelves["a"].document("x.md", "two", tags="[t]")
    several.scan()
    told = {"library:///a/x.md", "library:///%61/x.md", "library:///x.md"}
    until(lambda: told <= {uri for changes in heard for uri in changes.updated})
    joint.unwatch("library:///%61/x.md")
    joint.unwatch("library:///a/x.md")
    joint.unwatch("library:///never")
    heard.clear()
    several.shelves["a"].document("x.md", "three", tags="[t, u]")
    several.scan()
    until(lambda: any(changes.updated == ("library:///x.md",) for changes in heard))


def test_a_list_that_changes(several: Several) -> None:
    """Is told for whichever collection it changed in."""
    heard: list[Changes] = []
    joint = JointFollower(heard.append, ["a", "b"])
    for name, library in several.libraries.items():
        library.follow("reader", joint.part(name))
    until(lambda: all(joint.part(name)._facts is not None for name in ("a", "b")))
    several.write("b/new.md", "new")
    several.scan()
    until(lambda: Changes(listed=True, updated=()) in heard)
