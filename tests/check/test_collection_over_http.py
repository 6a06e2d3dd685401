"""`check` names exactly the rule that each server over HTTP breaks, and nothing for a good one."""

from pathlib import Path

import pytest

from check.collection import checked_over_http, named, posting
from readingroom import ConnectFailed
from support.serving import served

ROOT = Path(__file__).resolve().parents[2]
KIT = Path(__file__).parent / "servers" / "kit_over_http.py"
SERVERS = posting()
pytestmark = pytest.mark.slow


def told(found):
    """What is wrong, in full."""
    return [(one.rule, one.detail, one.evidence) for one in found.findings if one.rule in named(found)]


def run(handler):
    """Check one server, which runs in a thread."""
    server, url = SERVERS.start(handler)
    try:
        return checked_over_http(url, 3.0, token=getattr(handler, "token", ""))
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("name", SERVERS.FAULTS)
def test_one_rule_is_named(name):
    """The one that is broken, and no other."""
    rule, handler = SERVERS.FAULTS[name]
    found = run(handler)
    assert named(found) == [rule], told(found)


def test_nothing_is_named_of_the_good_one():
    """And what was not reached is only what a server can do without."""
    found = run(SERVERS.Posting)
    assert told(found) == []
    missed = {one.rule for one in found.findings if one.verdict == "not reached"}
    without_a_question = {"MRTR-1", "MRTR-2", "MRTR-3", "MRTR-4", "CACHE-2"}
    assert missed == without_a_question | {"SUB-10", "RS-1", "RS-2", "RS-3", "RS-5"}


def test_nothing_is_named_of_a_good_one_that_wants_a_token():
    """And how it asks for one has been seen."""
    found = run(SERVERS.Guarded)
    assert told(found) == []
    kept = {one.rule for one in found.findings if one.verdict == "kept"}
    assert {"RS-1", "RS-2", "RS-3", "RS-5", "HTTP-20"} <= kept


def test_metadata_elsewhere_is_not_fetched():
    """Nothing is asked of another origin, whoever names it."""
    found = {one.rule: one for one in run(SERVERS.GuardedElsewhere).findings}
    assert {found[rule].verdict for rule in ("RS-1", "RS-2")} == {"not reached"}
    assert "https://elsewhere.example/metadata" in found["RS-2"].detail
    assert found["RS-3"].verdict == "kept"


def test_how_a_token_is_asked_for_without_having_one():
    """These rules alone can be looked at; for the others one has to give a token."""
    server, url = SERVERS.start(SERVERS.SendsNoChallenge)
    try:
        assert named(checked_over_http(url, 3.0, only=("RS-1", "RS-2", "RS-3", "RS-5"))) == ["RS-3"]
        with pytest.raises(ConnectFailed, match="--only RS-1"):
            checked_over_http(url, 3.0)
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    "command",
    [
        ("-m", "readingroom", "serve", str(ROOT / "examples" / "library"), "--http", "127.0.0.1:{port}"),
        (str(KIT), "minimal_server", "{port}"),
        (str(KIT), "notes_server", "{port}"),
    ],
    ids=("library", "minimal", "notes"),
)
def test_nothing_is_named_of_ours(command):
    """The library and the examples of the kit."""
    with served(*command) as url:
        assert told(checked_over_http(url, 20.0)) == []
