"""The official conformance suite against our client, over HTTP: what it finds wrong, and that it can find anything.

The client is `client.py`, which is written on the public API. One run per revision.
"""

import sys
from pathlib import Path

import pytest

from conformance.suite import Report, required, run_client

pytestmark = [pytest.mark.peers, pytest.mark.timeout(300)]

MODERN, OLDER = "2026-07-28", "2025-11-25"
COMMAND = f"{sys.executable} {Path(__file__).with_name('client.py')}"

NOT_OFFERED = {
    "auth/client-credentials-jwt": "logins without a person: the client is for people",
    "auth/client-credentials-basic": "the same",
    "auth/enterprise-managed-authorization": "tokens of an identity provider: an extension that we do not have",
    "auth/wif-jwt-bearer": "identities of workloads: the same",
    "auth/dpop": "tokens that are bound to a key: an extension that we do not have",
    "auth/dpop-nonce": "the same",
}
"""The scenarios of extensions of authorization that fail, which no revision scores, and why."""


@pytest.fixture(scope="module", params=[MODERN, OLDER])
def revision(request: pytest.FixtureRequest) -> str:
    """Give each revision in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def report(revision: str, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Give the report on one revision."""
    return run_client(COMMAND, tmp_path_factory.mktemp("suite"), "--requirements", revision)


def told(found: list[object]) -> str:
    """Give checks one a line."""
    return "\n" + "\n".join(map(str, found))


def test_what_is_scored(revision, report):
    """Nothing fails and nothing is warned of in any scenario that the revision scores."""
    scored, _others = required(revision, "client")
    found = report.having("FAILURE", "WARNING", among=scored)
    assert not found, told(found)


def test_it_was_tested_whole(revision, report):
    """Every scenario was run, and each that is scored has found something right."""
    scored, others = required(revision, "client")
    assert report.scenarios == scored | others
    assert {check.scenario for check in report.having("SUCCESS")} >= scored


def test_what_is_not_scored(revision, report):
    """Beyond what is scored, only the extensions fail that we say we do not have."""
    _scored, others = required(revision, "client")
    failed = {check.scenario for check in report.having("FAILURE", among=others)}
    assert failed == set(NOT_OFFERED), told(report.having("FAILURE", among=others))


def test_that_the_suite_can_fail(tmp_path):
    """With a client that does nothing, the same reading of the same suite finds failures."""
    report = run_client(
        f"{sys.executable} -c pass", tmp_path, "--scenario", "tools_call", "--spec-version", MODERN
    )
    assert report.having("FAILURE")
