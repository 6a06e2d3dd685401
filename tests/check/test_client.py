"""The client with every server of the collection: each call ends, with the right error, and no process is left."""

import secrets
import time

import pytest

from check.collection import FAULTS, command
from readingroom import Client
from readingroom.apps.check import leftovers
from readingroom.errors import PeerProtocolError, ReadingRoomError

pytestmark = pytest.mark.slow
TIMEOUT = 2.0
MARGIN = 4.0
ENDS_WITHIN = 10.0

CALLS = {
    "list": lambda client: client.list_tools(),
    "call": lambda client: client.call_tool("count", {"text": "abc"}, on_progress=lambda _: None),
    "unknown": lambda client: client.call_tool("no_such_tool", {}),
    "read": lambda client: client.read_resource("good:///bytes"),
    "missing": lambda client: client.read_resource("good:///none"),
    "prompt": lambda client: client.get_prompt("greet", {"whom": "a"}),
    "prompts": lambda client: client.list_prompts(),
    "complete": lambda client: client.request(
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "whom", "value": ""}},
    ),
}
ORDINARY = {"unknown": "RemoteError", "missing": "RemoteError"}
SEEN = {
    "wrong-id": {"list": "RPC-4"},
    "id-as-text": {"list": "RPC-4"},
    "result-and-error": {"list": "RPC-5"},
    "result-is-a-list": {"list": "RPC-5"},
    "no-jsonrpc": {"list": "RPC-1"},
    "not-utf8": {"list": "RPC-1"},
    "sends-requests": {"list": "RPC-7"},
    "never-answers": {"list": "TimedOut"},
    "dies-of-a-request": {"list": "Closed"},
    "dies-within-an-answer": {"list": "Closed"},
    "code-is-text": {"unknown": "ERR-5"},
    "missing-resource-is-empty": {"missing": "RSRC-3"},
    "unknown-result-type": {"prompt": "RES-3"},
    "a-list-asks-for-input": {"prompts": "MRTR-1"},
    "asks-what-was-not-declared": {"call": "MRTR-4"},
    "no-cache-hints": {"list": "CACHE-1"},
    "tools-are-no-list": {"list": "SHAPE-1"},
    "schema-of-no-object": {"list": "TOOL-5"},
    "never-ends": {"list": "PAGE-4"},
    "breaks-its-output-schema": {"call": "TOOL-8"},
    "progress-stands-still": {"call": "PROG-2"},
    "message-without-a-role": {"prompt": "PRO-2"},
    "many-completions": {"complete": "COMP-2"},
    "image-is-no-base64": {"call": "SHAPE-1"},
    "prints": {"call": "STDIO-2"},
}
"""What the client sees of each fault in these calls; of all others it sees nothing, for it never provokes them."""

APART = "leaves-a-child-apart"
"""Its child has left the group of its parent: nobody who only knows the group can end it."""


def error_of(call, client):
    """Give the rule or the kind of the error that a call ends with, and how long it took."""
    begun = time.monotonic()
    try:
        call(client)
    except PeerProtocolError as error:
        return error.rule, time.monotonic() - begun
    except ReadingRoomError as error:
        return type(error).__name__, time.monotonic() - begun
    return None, time.monotonic() - begun


@pytest.mark.parametrize("name", ["good", *FAULTS])
def test_every_call_ends(name):
    """Within its timeout; what the client can see it names, and nothing that was started is left."""
    mark = secrets.token_hex(8)
    client = Client.stdio(command(name), timeout=TIMEOUT, stderr=lambda _: None, env={leftovers.MARK: mark})
    outcomes = {}
    try:
        client.open()
    except ReadingRoomError as error:
        outcomes["open"] = getattr(error, "rule", type(error).__name__)
    else:
        for what, call in CALLS.items():
            outcomes[what], took = error_of(call, client)
            assert took < TIMEOUT + MARGIN
    begun = time.monotonic()
    client.close()
    assert time.monotonic() - begun < ENDS_WITHIN
    if name == APART:
        leftovers.end(mark, 0)
    assert leftovers.remaining(mark, 0, 2.0) == []
    if name in SEEN:
        assert SEEN[name].items() <= outcomes.items()


@pytest.mark.parametrize(
    "name",
    ["good", "takes-nan", "another-order-each-time", "ignores-sigterm", "says-nothing-of-a-broken-line"],
)
def test_what_cannot_be_seen_is_no_error(name):
    """A client that keeps the rules never meets these faults."""
    with Client.stdio(command(name), timeout=TIMEOUT * 5, stderr=lambda _: None) as client:
        outcomes = {what: error_of(call, client)[0] for what, call in CALLS.items()}
    assert {what: found for what, found in outcomes.items() if found} == ORDINARY


@pytest.mark.parametrize(
    ("name", "rule"),
    [("greets", "STDIO-2"), ("no-discovery", "ConnectFailed"), ("no-versions", "ConnectFailed")],
)
def test_what_is_seen_at_once(name, rule):
    """A server that cannot be spoken to is known when it is opened."""
    with pytest.raises(ReadingRoomError) as caught:
        Client.stdio(command(name), timeout=TIMEOUT, stderr=lambda _: None).open()
    assert getattr(caught.value, "rule", type(caught.value).__name__) == rule
