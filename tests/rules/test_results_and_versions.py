"""RES, VER, DISC, EXT: what every result has, which versions are served, and what is advertised."""

from typing import Any

import pytest

from readingroom import CallResult, Server
from readingroom.protocol import METHODS
from support.memory import MemoryServer
from support.messages import CAPABILITIES, LATEST, VERSION, frame, message

rule = pytest.mark.rule
GATED = {name: row.capability for name, row in METHODS.items() if row.capability}
# The server here has everything but tasks; test_tasks.py has one with tasks.
KNOWN = [name for name, capability in GATED.items() if capability != "tasks"]


def words() -> str:
    """Give words."""
    return "x"


@rule("RES-1", "passing")
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "resources/list", "prompts/list"])
def test_every_result_says_that_it_is_complete(server: MemoryServer, method: str) -> None:
    """In so many words."""
    assert server.result(method)["resultType"] == "complete"


@rule("RES-1", "violating")
@pytest.mark.parametrize("tool", ["add", "untyped", "own", "loose"])
def test_a_handler_cannot_leave_the_type_out(server: MemoryServer, tool: str) -> None:
    """Failed calls and results that it made itself have it too."""
    assert server.call(tool)["resultType"] == "complete"


@rule("RES-4", "passing")
@rule("RES-4", "violating")
def test_a_result_holds_what_its_method_has_and_no_more(server: MemoryServer) -> None:
    """Further members are allowed; ours have none, so that no client has anything to pass over."""
    assert set(server.call("words")) == {"resultType", "content", "structuredContent", "_meta"}


@rule("RES-5", "passing")
@rule("COMP-1", "passing")
@pytest.mark.parametrize("method", KNOWN)
def test_a_method_whose_capability_is_advertised_is_known(server: MemoryServer, method: str) -> None:
    """Whatever else is wrong with the request."""
    answer = server.ask(method)
    assert answer.get("error", {}).get("code") != -32601


@rule("RES-5", "violating")
@rule("COMP-1", "violating")
@pytest.mark.parametrize("method", GATED)
def test_a_method_whose_capability_is_not_advertised_is_unknown(bare: MemoryServer, method: str) -> None:
    """As is every method there is not."""
    assert bare.error(method)["code"] == -32601


@rule("VER-1", "passing")
def test_the_version_that_is_served_is_served(server: MemoryServer) -> None:
    """By every method."""
    assert server.result("server/discover", None, {VERSION: LATEST})["supportedVersions"] == [LATEST]


@rule("VER-1", "violating")
@rule("VER-2", "violating")
@pytest.mark.parametrize("version", ["2025-11-25", "2024-11-05", "2099-01-01", "", "latest"])
def test_another_version_is_refused_with_what_is_served(server: MemoryServer, version: str) -> None:
    """And with what was asked for; older ones, which need a handshake, are not offered."""
    for method in ("tools/list", "no/such"):
        error = server.error(method, None, {VERSION: version})
        assert (error["code"], error["data"]) == (-32022, {"supported": [LATEST], "requested": version})


@rule("VER-2", "passing")
def test_versions_offered_are_those_of_discovery(server: MemoryServer) -> None:
    """Each can be used at once."""
    for version in server.result("server/discover")["supportedVersions"]:
        assert server.result("tools/list", None, {VERSION: version})["tools"]


@rule("VER-4", "passing")
@rule("VER-4", "violating")
def test_a_server_that_offers_nothing_answers_discovery(bare: MemoryServer) -> None:
    """And says that there is nothing."""
    assert bare.result("server/discover")["capabilities"] == {}


@rule("VER-5", "passing")
@rule("VER-5", "violating")
@pytest.mark.parametrize("version", ["2025-11-25", LATEST])
def test_an_older_client_is_told_which_versions_are_served(server: MemoryServer, version: str) -> None:
    """The handshake is refused, for it is no more; in words and in data."""
    told = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"' + version + '"}}'
    error = server.answer(told.encode())["error"]
    assert error["data"]["supported"] == [LATEST]
    assert LATEST in error["message"]
    assert server.answer(frame(1, "initialize"))["error"]["code"] == -32601


@rule("DISC-1", "passing")
def test_discovery_gives_versions_capabilities_and_how_long_that_holds(server: MemoryServer) -> None:
    """And instructions, if there are any."""
    found = server.result("server/discover")
    assert found["supportedVersions"] == [LATEST]
    assert found["instructions"] == "Ask."
    assert type(found["ttlMs"]) is int
    assert found["cacheScope"] in ("public", "private")


@rule("DISC-1", "violating")
@pytest.mark.parametrize("more", [{"cursor": "x"}, {"name": 1}])
def test_discovery_takes_nothing_but_metadata(server: MemoryServer, more: dict[str, Any]) -> None:
    """What else it is given changes nothing."""
    assert server.result("server/discover", more) == server.result("server/discover")


@rule("DISC-2", "passing")
def test_what_is_advertised_is_served(server: MemoryServer) -> None:
    """Every method of every capability."""
    advertised = server.result("server/discover")["capabilities"]
    assert set(advertised) == {"tools", "resources", "prompts", "completions", "logging"}
    for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list"):
        assert server.result(method)


@rule("DISC-2", "violating")
@pytest.mark.parametrize("offered", ["tools", "prompts", "resources"])
def test_what_is_not_served_is_not_advertised(offered: str) -> None:
    """A server with one kind of feature advertises that one."""
    app = Server("srv")
    {"tools": app.tool, "prompts": app.prompt, "resources": app.resource("a:///x")}[offered](words)
    server = MemoryServer(app)
    assert server.result("server/discover")["capabilities"] == {offered: {}}
    for method, capability in GATED.items():
        assert (server.ask(method).get("error", {}).get("code") == -32601) is (capability != offered)


def extended() -> MemoryServer:
    """A server with a tool that needs an extension."""
    app = Server("srv")
    app.tool(words, requires={"extensions": {"org.example/maps": {}}})
    return MemoryServer(app)


@rule("EXT-2", "passing")
def test_an_extension_that_was_declared_is_enough() -> None:
    """The tool that needs it can be called."""
    assert extended().call("words", None, {CAPABILITIES: {"extensions": {"org.example/maps": {}}}})["content"]


@rule("EXT-2", "violating")
@pytest.mark.parametrize("declared", [{}, {"extensions": {}}, {"extensions": {"org.example/other": {}}}])
def test_an_extension_that_was_not_declared_is_named(declared: dict[str, Any]) -> None:
    """In the refusal."""
    error = extended().error("tools/call", {"name": "words"}, {CAPABILITIES: declared})
    missing = {"extensions": {"org.example/maps": {}}}
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": missing})


def test_a_result_that_a_handler_made_keeps_its_own_members() -> None:
    """Its type is added to it."""
    app = Server("srv")
    app.tool(lambda: CallResult(()), name="x", description="d")
    assert MemoryServer(app).call("x")["resultType"] == "complete"
    assert message(1, "x")["method"] == "x"
