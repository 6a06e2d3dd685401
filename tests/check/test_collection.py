"""`check` names exactly the rule that each server of the collection breaks, and nothing for a good one."""

import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from check.collection import FAULTS, checked, command, named

ROOT = Path(__file__).resolve().parents[2]
# Seen from outside alone, so their tests are these: RPC-0, STDIO-11, STDIO-12, STDIO-13.
AT_ONCE = 6
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Runs:
    """Checks of servers, several at once, for each spends its time waiting: that of a name, and of those that follow."""

    def __init__(self, names: tuple[str, ...], pool: ThreadPoolExecutor) -> None:
        self._names = names
        self._pool = pool
        self._futures: dict[str, Future] = {}

    def of(self, name: str) -> Any:
        """What was found of a server; the next ones are begun, and no more, for they may be another process's to test."""
        at = self._names.index(name)
        for each in self._names[at : at + AT_ONCE]:
            if each not in self._futures:
                self._futures[each] = self._pool.submit(checked, command(each))
        return self._futures[name].result()


@pytest.fixture(scope="module")
def runs(request):
    """The checks of the servers of the tests that are run."""
    specs = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    names = dict.fromkeys(params["name"] for params in specs if params.get("name") in FAULTS)
    pool = ThreadPoolExecutor(AT_ONCE)
    yield Runs((*names, "good"), pool)
    pool.shutdown(cancel_futures=True)


def test_the_collection_is_large():
    """At least forty servers, and as many rules as can be had."""
    assert len(FAULTS) >= 40
    assert len(set(FAULTS.values())) >= 40


@pytest.mark.parametrize("name", FAULTS)
def test_one_rule_is_named(runs, name):
    """The one that is broken, and no other."""
    found = runs.of(name)
    told = [
        (one.rule, one.detail, one.evidence) for one in found.findings if one.verdict in ("broken", "warning")
    ]
    assert named(found) == [FAULTS[name]], told


def test_nothing_is_named_of_the_good_one(runs):
    """And what was not reached is only what a server can do without."""
    found = runs.of("good")
    assert named(found) == []
    missed = {one.rule for one in found.findings if one.verdict == "not reached"}
    assert missed == {"MRTR-1", "MRTR-2", "MRTR-3", "MRTR-4", "CACHE-2"}


@pytest.mark.parametrize(
    "argv",
    [
        ["-m", "readingroom", "serve", str(ROOT / "examples" / "library")],
        [str(ROOT / "examples" / "minimal_server.py")],
        [str(ROOT / "examples" / "notes_server.py")],
        [str(ROOT / "examples" / "stocktaking_server.py")],
        [str(ROOT / "examples" / "board_server.py")],
        [str(ROOT / "examples" / "booking_server.py")],
    ],
    ids=lambda argv: Path(argv[-1]).name,
)
def test_nothing_is_named_of_ours(argv, tmp_path):
    """The library and the examples of the kit."""
    found = checked([sys.executable, *argv], timeout=20, env={"XDG_CACHE_HOME": str(tmp_path)})
    assert [(one.rule, one.detail, one.evidence) for one in found.findings if one.rule in named(found)] == []
