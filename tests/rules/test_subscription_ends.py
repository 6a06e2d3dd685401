"""SUB: how a subscription ends, by its client and by the server, and what comes after: nothing."""

import pytest

from support.listening import listened
from support.messages import SERVER, cancel, frame
from support.processes import ServerProcess

rule = pytest.mark.rule
ID = "io.modelcontextprotocol/subscriptionId"
CHANGED = "notifications/{}/list_changed"


@rule("SUB-10", "passing")
@rule("SUB-10", "violating")
def test_nothing_comes_after_a_client_has_ended_it() -> None:
    """Not what was due, no result, no error; the id may be used again."""
    app, server = listened("tools")
    server.listen(1, toolsListChanged=True)
    app.tools_changed()
    assert server.take(cancel(1, reason="enough")) == []
    app.tools_changed()
    app.close_subscriptions()
    assert server.heard() == []
    assert server.listen(1) == {}
    app.tools_changed()
    assert server.heard() == []


@rule("SUB-11", "passing")
def test_a_server_ends_a_subscription_with_its_result() -> None:
    """After what was due; it names the subscription, and the server, as every result does."""
    app, server = listened("tools")
    server.listen(5, toolsListChanged=True)
    app.tools_changed()
    app.close_subscriptions()
    event, result = server.heard()
    assert event["method"] == CHANGED.format("tools")
    identity = {"name": "srv", "version": "0.0.0"}
    assert result == {
        "jsonrpc": "2.0",
        "id": 5,
        "result": {"resultType": "complete", "_meta": {ID: 5, SERVER: identity}},
    }


@rule("SUB-11", "violating")
def test_nothing_comes_after_the_result() -> None:
    """And it comes once."""
    app, server = listened("tools")
    server.listen(5, toolsListChanged=True)
    app.close_subscriptions()
    app.close_subscriptions()
    assert [message["id"] for message in server.heard()] == [5]
    app.tools_changed()
    app.close_subscriptions()
    assert server.heard() == []


@rule("SUB-12", "passing")
def test_on_stdio_the_result_comes_first_and_then_the_cancellation() -> None:
    """In the other order clients take it for a loss."""
    process = ServerProcess("noticing.py")
    try:
        process.send(frame("s", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
        process.take()
        process.end_input()
        result, withdrawal = process.rest()
        assert (result["id"], result["result"]["_meta"][ID]) == ("s", "s")
        assert withdrawal == {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": "s", "_meta": {ID: "s"}},
        }
    finally:
        process.close()


@rule("SUB-12", "violating")
def test_on_stdio_a_subscription_that_its_client_has_ended_is_not_ended_again() -> None:
    """Neither with a result nor with a cancellation."""
    process = ServerProcess("noticing.py")
    try:
        process.send(frame("s", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}))
        process.take()
        process.send(cancel("s"))
        process.end_input()
        assert process.rest() == []
    finally:
        process.close()
