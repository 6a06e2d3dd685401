"""`check` names exactly the rule that each server over HTTP breaks, and nothing for a good one."""

from pathlib import Path

import pytest

from check.collection import checked_over_http, named, posting
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
        return checked_over_http(url, 3.0)
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
    assert missed == {"MRTR-1", "MRTR-2", "MRTR-3", "MRTR-4", "CACHE-2", "SUB-10"}


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
