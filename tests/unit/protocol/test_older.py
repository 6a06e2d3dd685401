"""The handshake of the older era, and its requests as those of today."""

import json
from typing import Any

import msgspec
import pytest

from readingroom.errors import InvalidParams, Refused
from readingroom.protocol.eras import OLDER
from readingroom.protocol.older import (
    FEATURES,
    Handshake,
    admit_older,
    meta_of,
    negotiate,
    read_address,
    read_handshake,
    read_level,
)
from readingroom.protocol.params import Identity
from readingroom.wire import Request

ALL = frozenset({"tools", "resources", "prompts", "completions"})
AGREED = Handshake("2025-06-18", {"roots": {}}, Identity("old", "1"))


def raw(value: Any) -> msgspec.Raw:
    """Parameters as they come."""
    return msgspec.Raw(json.dumps(value).encode())


def greeting(version: Any = OLDER[0], capabilities: Any = None, client: Any = None) -> msgspec.Raw:
    """The parameters of a handshake."""
    return raw(
        {
            "protocolVersion": version,
            "capabilities": {} if capabilities is None else capabilities,
            "clientInfo": {"name": "c", "version": "1"} if client is None else client,
        }
    )


def admitted(method: str, params: Any, level: str | None = None) -> Any:
    """What becomes of a request."""
    given = msgspec.UNSET if params is ... else raw(params)
    return admit_older(Request(7, method, "2.0", given), AGREED, level, ALL)


@pytest.mark.parametrize("asked", [*OLDER, "2026-07-28", "2027-01-01", "2024-10-07", "", "x"])
def test_the_version_is_that_asked_for_or_the_newest_of_the_era(asked: str) -> None:
    """Never a modern one."""
    assert negotiate(asked) == (asked if asked in OLDER else "2025-11-25")


@pytest.mark.parametrize(
    ("version", "declared", "known"),
    [
        ("2025-11-25", {"elicitation": {}}, {"elicitation": {"form": {}}}),
        ("2025-11-25", {"elicitation": {"url": {}}}, {"elicitation": {"url": {}}}),
        ("2025-06-18", {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        ("2025-03-26", {"elicitation": {}}, {}),
        ("2025-11-25", {"sampling": {"tools": {}}}, {"sampling": {"tools": {}}}),
        ("2025-06-18", {"sampling": {"tools": {}}}, {"sampling": {}}),
        ("2024-11-05", {"roots": {"listChanged": True}}, {"roots": {"listChanged": True}}),
        ("2025-11-25", {"experimental": {"a": {}}}, {"experimental": {"a": {}}}),
        ("2025-11-25", {"tasks": {}, "extensions": {"a/b": {}}}, {}),
    ],
)
def test_of_what_a_client_declares_the_versions_part_counts(version: str, declared: Any, known: Any) -> None:
    """In the form of today, so that handlers need not know."""
    agreed = read_handshake(greeting(version, declared))
    assert agreed == Handshake(version, known, Identity("c", "1"))


@pytest.mark.parametrize(
    "params",
    [
        msgspec.UNSET,
        raw({}),
        raw([]),
        greeting(1),
        greeting(capabilities=[]),
        greeting(capabilities={"roots": None}),
        greeting(client={}),
        greeting(client={"name": "c"}),
        msgspec.Raw(b'{"a":1e999}'),
    ],
)
def test_a_handshake_that_is_none_is_refused(params: Any) -> None:
    """As invalid."""
    with pytest.raises(InvalidParams):
        read_handshake(params)


def test_levels() -> None:
    """Those of the protocol, and no others."""
    assert read_level(raw({"level": "debug"})) == "debug"
    for params in ({"level": "loud"}, {"level": 1}, {}):
        with pytest.raises(InvalidParams):
            read_level(raw(params))


def test_addresses() -> None:
    """A text."""
    assert read_address(raw({"uri": "a:///x"})) == "a:///x"
    with pytest.raises(InvalidParams):
        read_address(raw({"uri": 1}))


def test_a_request_gets_the_metadata_of_the_handshake() -> None:
    """And keeps its own progress token."""
    found = admitted(
        "tools/call", {"name": "t", "arguments": {"a": 1}, "_meta": {"progressToken": 0, "x": 1}}
    )
    meta = found.params.meta
    assert (found.id, found.method, found.params.name) == (7, "tools/call", "t")
    assert bytes(found.params.arguments) == b'{"a": 1}'
    assert (meta.version, meta.capabilities, meta.client) == (
        "2025-06-18",
        {"roots": {}},
        Identity("old", "1"),
    )
    assert (meta.progress_token, meta.log_level) == (0, "info")


@pytest.mark.parametrize("params", [..., {}, {"_meta": {}}])
def test_a_request_needs_no_metadata_nor_parameters(params: Any) -> None:
    """Where nothing is asked of them."""
    assert admitted("tools/list", params, "error").params.meta.log_level == "error"


@pytest.mark.parametrize("name", ["inputResponses", "requestState", "task"])
def test_what_is_not_of_the_era_counts_for_nothing(name: str) -> None:
    """Whatever it is."""
    found = admitted("tools/call", {"name": "t", name: ["x"]})
    assert found.params.input_responses is msgspec.UNSET
    assert found.params.request_state is msgspec.UNSET


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {}),
        ("tools/call", []),
        ("tools/call", {"name": 1}),
        ("tools/list", {"cursor": None}),
        ("tools/list", {"_meta": None}),
        ("tools/list", {"_meta": []}),
        ("tools/list", {"_meta": {"progressToken": 1.5}}),
        ("tools/list", {"_meta": {"progressToken": None}}),
        ("prompts/get", {"name": "p", "arguments": {"a": 1}}),
    ],
)
def test_parameters_that_are_not_well_formed_are_refused(method: str, params: Any) -> None:
    """As strictly as those of today."""
    with pytest.raises(InvalidParams):
        admitted(method, params)


@pytest.mark.parametrize(
    "method",
    ["server/discover", "subscriptions/listen", "tasks/get", "tasks/result", "initialize", "no/such"],
)
def test_what_the_era_does_not_have_is_unknown(method: str) -> None:
    """Also what today's has."""
    with pytest.raises(Refused) as caught:
        admitted(method, {})
    assert caught.value.code == -32601


@pytest.mark.parametrize("method", sorted(FEATURES))
def test_what_is_not_offered_is_unknown(method: str) -> None:
    """Each method has its capability."""
    with pytest.raises(Refused) as caught:
        admit_older(Request(7, method, "2.0"), AGREED, None, frozenset())
    assert caught.value.code == -32601


def test_the_metadata_of_the_session_itself() -> None:
    """Are what was agreed on."""
    assert meta_of(AGREED).version == "2025-06-18"
