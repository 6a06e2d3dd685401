"""The official conformance suite against the fixture, over HTTP: what it finds wrong, and that it can find anything.

One run per revision; each test looks at one side of its report.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.suite import Report, required, run
from support.serving import served

pytestmark = [pytest.mark.peers, pytest.mark.timeout(300)]

MODERN, OLDER = "2026-07-28", "2025-11-25"
SKIPPED_ALWAYS = "tasks-status-notifications"
"""The suite's own placeholder: it has no such test yet. What it stands for is tested in tests/unit/server/."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the fixture on a free port and give its address."""
    with served(str(Path(__file__).with_name("server.py")), "{port}") as address:
        yield address


@pytest.fixture(scope="module")
def modern(url: str, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Give the report on revision 2026-07-28."""
    return run(url, tmp_path_factory.mktemp("modern"), "--requirements", MODERN)


@pytest.fixture(scope="module")
def older(url: str, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Give the report on revision 2025-11-25."""
    return run(url, tmp_path_factory.mktemp("older"), "--requirements", OLDER)


def told(found: list[object]) -> str:
    """Give checks one a line."""
    return "\n" + "\n".join(map(str, found))


def test_modern_revision(modern):
    """Nothing fails or is warned of in revision 2026-07-28: in what is scored and what is not, tasks included."""
    found = modern.having("FAILURE", "WARNING")
    assert not found, told(found)


def test_modern_revision_was_tested_whole(modern):
    """Every scenario was run, and none skipped a check but the one that the suite has not written yet."""
    scored, others = required(MODERN)
    assert modern.scenarios == scored | others
    assert {check.scenario for check in modern.having("SKIPPED")} == {SKIPPED_ALWAYS}, told(
        modern.having("SKIPPED")
    )
    passed = {check.scenario for check in modern.having("SUCCESS")}
    assert passed == scored | others - {SKIPPED_ALWAYS}


def test_older_revision(older):
    """Nothing fails in what revision 2025-11-25 scores."""
    scored, _others = required(OLDER)
    found = older.having("FAILURE", among=scored)
    assert not found, told(found)


def test_older_revision_was_tested_whole(older):
    """Every scenario was run, and no scored one skipped a check."""
    scored, others = required(OLDER)
    assert older.scenarios == scored | others
    assert not older.having("SKIPPED", among=scored), told(older.having("SKIPPED", among=scored))
    assert {check.scenario for check in older.having("SUCCESS")} >= scored


@pytest.mark.parametrize("scenario", ["tools-list", "server-stateless"])
def test_that_the_suite_can_fail(url, scenario, tmp_path):
    """Where no server answers, the same reading of the same suite finds failures."""
    nowhere = url.removesuffix("/mcp") + "/nowhere"
    report = run(nowhere, tmp_path, "--scenario", scenario, "--spec-version", MODERN)
    assert report.having("FAILURE")
