"""The client and servers of the older era: how they are found, and that everything is as with others."""

import asyncio
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from readingroom import (
    Client,
    Closed,
    ConnectFailed,
    PeerProtocolError,
    ResourceUpdated,
    Resumed,
    Sampled,
    TimedOut,
    ToolsChanged,
    UsageError,
)

SERVERS = Path(__file__).parents[1] / "fault" / "servers"
FORM = {
    "method": "elicitation/create",
    "params": {
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
}
UPDATED = {"method": "notifications/resources/updated"}


def made(*arguments: str, server: str = "older.py", **how: Any) -> Client:
    """Make a client of a server."""
    settings = {"timeout": 30, "stderr": lambda _: None, **how}
    return Client.stdio([sys.executable, str(SERVERS / server), *arguments], **settings)


def seen(client: Client) -> Any:
    """What an older server has seen after the handshake, and the handshake."""
    return client.call_tool("seen").structured


@pytest.mark.parametrize("how", ["unknown", "invalid", "odd", "silent", "stuck", "exit"])
def test_an_older_server_is_found(how: str) -> None:
    """Whatever it does with a question that it does not know: any error, none, or its end (ERA-1, ERA-2, ERA-3)."""
    with made("2025-11-25", how, probe_seconds=0.5 if how in ("silent", "stuck") else 30) as client:
        assert (client.server.era, client.server.version) == ("older", "2025-11-25")
        assert client.server.server == {"name": "old", "version": "1"}
        assert [tool.name for tool in client.list_tools()] == ["ask"]
        assert client.call_tool("x").text == "x"
        assert client.violations == (0, [])


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
def test_versions_that_are_agreed_on(version: str) -> None:
    """The newest is asked for, and any of the older era is taken; the handshake is told to be over (LEG-1)."""
    with made(version, roots=["file:///a"]) as client:
        assert client.server.version == version
        found = seen(client)
        assert found["seen"][0] == "notifications/initialized"
        hello = found["hello"]
        assert (hello["protocolVersion"], hello["capabilities"]) == ("2025-11-25", {"roots": {}})
        assert hello["clientInfo"]["name"] == "readingroom"


@pytest.mark.parametrize("version", ["2026-07-28", "2023-01-01", ""])
def test_versions_that_are_not(version: str) -> None:
    """End the connection (LEG-1)."""
    with pytest.raises(ConnectFailed, match="answered initialize with the version"):
        made(version).open()


def test_a_server_that_is_slow_to_start_is_of_today() -> None:
    """When it says so at last, whether it takes the handshake or not (ERA-5)."""
    for how in ("late", "late_alone"):
        with made("2025-11-25", how, probe_seconds=0.3) as client:
            assert client.server.era == "modern"


def test_a_server_that_only_lists_older_versions() -> None:
    """Is spoken to in one of them (VER-3)."""
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['method'] == 'server/discover':\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **json.loads(sys.argv[1])}), flush=True)\n"
        "    elif m['method'] == 'initialize':\n"
        "        r = {'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': {'name': 'n', 'version': '1'}}\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': r}), flush=True)\n"
    )
    versions = ["2025-06-18"]
    error = '{"error": {"code": -32022, "message": "no", "data": {"supported": ["2025-06-18"], "requested": "x"}}}'
    found = '{"result": {"supportedVersions": ["2025-06-18"], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"}}'
    for answer in (error, found):
        with Client.stdio([sys.executable, "-c", program, answer], timeout=30) as client:
            assert [client.server.version] == versions


def test_an_era_may_be_asked_for() -> None:
    """And then no other is tried."""
    with pytest.raises(ConnectFailed, match="not now"):
        made("2025-11-25", era="modern").open()
    with made(server="asking.py", era="older") as client:
        assert (client.server.era, client.server.version) == ("older", "2025-11-25")
    with pytest.raises(ConnectFailed, match="did not answer"):
        made("2025-11-25", "silent", era="modern", timeout=0.3).open()
    with pytest.raises(UsageError):
        made("2025-11-25", era="newest")


def test_both_failures_are_told() -> None:
    """When neither era is spoken (ERA-5)."""
    program = "import sys; sys.stdin.readline(); sys.exit(9)"
    with pytest.raises(ConnectFailed, match=r"(?s)exit code 9.*initialize ended with.*exit code 9"):
        Client.stdio([sys.executable, "-c", program], timeout=30, stderr=lambda _: None).open()


def answered(client: Client, **request: Any) -> Any:
    """What the client answers when the server asks this."""
    found = client.call_tool("ask", request).structured
    assert found.pop("jsonrpc") == "2.0"
    assert found.pop("id") == "q"
    return found


def test_what_an_older_server_asks() -> None:
    """Goes to the same callbacks, and is answered by the rules of its era (LEG-9)."""
    message = {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}
    sampled = Sampled("assistant", {"type": "text", "text": "hi"}, "m")
    user = {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 5}
    threads = []

    def fill(_: Any) -> Any:
        threads.append(threading.current_thread().name)
        return {"name": "Ada"}

    with made("2025-11-25", on_elicit_form=fill, on_sample=lambda _: sampled, roots=["file:///a"]) as client:
        assert answered(client, method="ping") == {"result": {}}
        assert answered(client, **FORM) == {"result": {"action": "accept", "content": {"name": "Ada"}}}
        assert answered(client, method="sampling/createMessage", params=user) == {"result": message}
        assert answered(client, method="roots/list") == {"result": {"roots": [{"uri": "file:///a"}]}}
        assert answered(client, method="com.example/x")["error"]["code"] == -32601
        assert client.violations == (0, [])
        assert answered(client, method="elicitation/create", params={})["error"]["code"] == -32602
        assert [error.rule for error in client.violations[1]] == ["ELIC-2"]
    assert threads == ["readingroom-question"]


def test_an_older_server_that_does_not_stop_asking() -> None:
    """Is refused after sixteen questions for each round that a call may have, until the client asks something itself."""
    with made("2025-11-25", on_elicit_form=lambda _: {"name": "Ada"}, max_rounds=1) as client:
        for times, member in ((16, "result"), (17, "error"), (16, "result")):
            last = client.call_tool("pester", {"times": times, "question": FORM}).structured
            assert member in last, last
        assert client.call_tool("pester", {"times": 17, "question": FORM}).structured["error"] == {
            "code": -32603,
            "message": "too much has been asked",
        }


def test_what_there_is_no_callback_for() -> None:
    """Is a method that the client does not have."""
    with made("2025-11-25") as client:
        assert answered(client, **FORM)["error"]["code"] == -32601
    with made("2025-11-25", capabilities={"elicitation": {}}) as client:
        assert answered(client, **FORM)["error"]["code"] == -32603


def test_callbacks_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Are told to the program, and to the server as no more than a failure (LEG-9)."""
    told: list[Any] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: told.append(error[1]))

    async def later(_: Any) -> Any:
        return {}

    def fail(_: Any) -> Any:
        raise ValueError("secret")

    for callback in (fail, later, lambda _: {"name": 1}):
        with made("2025-11-25", on_elicit_form=callback) as client:
            assert answered(client, **FORM) == {
                "error": {"code": -32603, "message": "the client failed to answer"}
            }
    assert [type(error) for error in told] == [ValueError, UsageError, UsageError]


def test_a_person_may_take_longer_than_the_server_may() -> None:
    """While a question is open, it is not the server that is silent (CAN-6)."""
    opened = threading.Event()

    def think(_: Any) -> Any:
        opened.wait(2.5)
        return {"name": "Ada"}

    with made("2025-11-25", on_elicit_form=think) as client:
        assert client.call_tool("ask", FORM, timeout=2).structured["result"]["action"] == "accept"
        with pytest.raises(TimedOut):
            client.call_tool("x", {"seconds": 1}, timeout=0.2)


def test_coroutines_answer_older_servers() -> None:
    """In the loop in which the client was opened."""

    async def fill(_: Any) -> Any:
        await asyncio.sleep(0)
        return {"name": threading.current_thread().name}

    async def run() -> Any:
        async with made("2025-11-25", on_elicit_form=fill) as client:
            return (await client.call_tool("ask", FORM)).structured

    content = asyncio.run(run())["result"]["content"]
    assert content == {"name": threading.current_thread().name}


def test_rounds_with_a_server_of_ours_in_the_older_era() -> None:
    """The same tools, the same callbacks."""

    def answer(_: Any) -> Any:
        return {"name": "Ada"}

    with made(server="asking.py", era="older", on_elicit_form=answer, roots=["file:///a"]) as client:
        assert client.call_tool("ask_form").text == "accept {'name': 'Ada', 'size': 3}"
        assert client.call_tool("ask_both").text == "accept 1"
        assert client.read_resource("ask:///page").text == "accept"
        assert client.violations == (0, [])


def test_changes_that_an_older_server_of_ours_tells() -> None:
    """Are asked for as ever (LEG-6)."""
    with made(server="noticing.py", era="older") as client:
        with client.listen(tools=True, uris=["a:///1"]) as both, client.listen(tools=True) as one:
            assert both.granted == {"toolsListChanged": True, "resourceSubscriptions": ["a:///1"]}
            client.call_tool("change", {"times": 1})
            assert {both.next(30), both.next(30)} == {ToolsChanged(), ResourceUpdated("a:///1")}
            assert one.next(30) == ToolsChanged()
            assert client.call_tool("state").structured["watched"] == 1
        client.call_tool("state")
        assert client.call_tool("state").structured["watched"] == 0
        assert client.violations == (0, [])


def test_what_an_older_server_tells_unasked() -> None:
    """Goes to whoever listens to it, and to nobody else; nonsense goes to nobody."""
    changes = [
        {"method": "notifications/tools/list_changed"},
        {"method": "notifications/prompts/list_changed"},
        {**UPDATED, "params": {"uri": "x:///b"}},
        {**UPDATED, "params": {"uri": "x:///a/below"}},
        {**UPDATED, "params": {}},
        {"method": "notifications/message", "params": {"level": "info", "data": 1}},
        {"method": "notifications/elicitation/complete", "params": {"elicitationId": "e"}},
    ]
    with made("2025-11-25") as client:
        with client.listen(tools=True, prompts=True, uris=["x:///a"]) as subscription:
            assert subscription.granted == {"toolsListChanged": True, "resourceSubscriptions": ["x:///a"]}
            client.call_tool("tell", {"notices": changes})
            found = [subscription.next(30), subscription.next(30)]
            assert found == [ToolsChanged(), ResourceUpdated("x:///a/below")]
            assert subscription.next(0.01) is None
        assert seen(client)["seen"].count("resources/unsubscribe") == 1
        with client.listen(prompts=True) as nothing:
            assert nothing.granted == {}
        assert client.violations == (0, [])


def test_a_subscription_outlives_an_older_server() -> None:
    """It is made anew with the server, and says so (SUB-13, STDIO-7)."""
    with made("2025-11-25") as client, client.listen(uris=["x:///a"]) as subscription:
        with pytest.raises(Closed):
            client.call_tool("die")
        assert next(subscription) == Resumed()
        client.call_tool("tell", {"notices": [{**UPDATED, "params": {"uri": "x:///a"}}]})
        assert next(subscription) == ResourceUpdated("x:///a")
    with made("2025-11-25", restart=False) as client, client.listen(uris=["x:///a"]) as subscription:
        with pytest.raises(Closed):
            client.call_tool("die")
        with pytest.raises(Closed, match="exit code 6"):
            next(subscription)


def test_a_handshake_that_is_none() -> None:
    """Names the rule that it breaks."""
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': {'capabilities': {}}}), flush=True)\n"
    )
    with pytest.raises(PeerProtocolError) as caught:
        Client.stdio([sys.executable, "-c", program], timeout=30, era="older").open()
    assert caught.value.rule == "LEG-1"


def test_a_subscription_that_an_older_server_refuses() -> None:
    """Is an error, and nothing of it is left."""
    with made("2025-11-25") as client:
        listening = client.listen(uris=["x:///silent"], timeout=0.5)
        with pytest.raises(TimedOut), listening:
            pass
        assert client._engine.listeners == set()
