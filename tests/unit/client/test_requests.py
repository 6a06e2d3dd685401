"""Building requests: metadata, ids, what JSON cannot say."""

import json
import math
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from readingroom.client import RequestBuilder
from readingroom.errors import UsageError
from readingroom.protocol import CLIENT_CAPABILITIES, CLIENT_INFO, LATEST, PROTOCOL_VERSION, Identity

HOST = Identity("host", "1.2")


def built(params: object, *, progress: bool = False, method: str = "tools/call") -> dict:
    """Build a request with the id 7 and read it back."""
    line = RequestBuilder(HOST, {"roots": {}}).prepare(method, params, progress=progress).framed(7)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    return json.loads(line)


def test_request_carries_the_metadata():
    """Every request has the version, the capabilities and the host's name in its metadata (META-1, META-2)."""
    assert built(None) == {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {
            "_meta": {
                PROTOCOL_VERSION: LATEST,
                CLIENT_CAPABILITIES: {"roots": {}},
                CLIENT_INFO: {"name": "host", "version": "1.2"},
            }
        },
    }


@pytest.mark.parametrize("params", [{}, None])
def test_no_parameters_leave_the_metadata_alone(params):
    """Without parameters, or with none among them, the metadata is the only member."""
    assert list(built(params)["params"]) == ["_meta"]


def test_parameters_stand_beside_the_metadata():
    """The caller's parameters are sent as they are, with the metadata added."""
    params = built({"name": "é\n", "arguments": {"a": [1, None]}})["params"]
    assert params["name"] == "é\n"
    assert params["arguments"] == {"a": [1, None]}
    assert params["_meta"][PROTOCOL_VERSION] == LATEST


def test_any_mapping_will_do():
    """Parameters may be any mapping."""
    assert built(MappingProxyType({"uri": "x:/1"}))["params"]["uri"] == "x:/1"


def test_metadata_of_the_caller_is_kept_under_ours():
    """Members of the caller's metadata are sent, but cannot replace those of the protocol."""
    meta = built({"_meta": {"traceparent": "00-1", PROTOCOL_VERSION: "1999", "progressToken": 3}})["params"][
        "_meta"
    ]
    assert meta["traceparent"] == "00-1"
    assert meta[PROTOCOL_VERSION] == LATEST
    assert "progressToken" not in meta


def test_a_log_level_is_noticed():
    """A request says whether its caller asked for log lines, for only then may they come (LOG-1)."""
    prepare = RequestBuilder(HOST, {}).prepare
    assert prepare("tools/call", {"_meta": {"io.modelcontextprotocol/logLevel": "info"}}).wants_log
    assert not prepare("tools/call", {"_meta": {"com.example/x": 1}}).wants_log
    assert not prepare("tools/call", {"name": "add"}).wants_log


def test_the_callers_parameters_are_not_changed():
    """Building leaves what the caller gave as it was."""
    given = {"name": "x", "_meta": {"a": 1}}
    built(given)
    assert given == {"name": "x", "_meta": {"a": 1}}


@pytest.mark.parametrize("params", [{"name": "x"}, {}, {"_meta": {"a": 1}}])
def test_progress_is_asked_for_with_the_id_as_token(params):
    """A request that wants progress has its id as the token, which no other request in flight has (PROG-1)."""
    assert built(params, progress=True)["params"]["_meta"]["progressToken"] == 7
    assert "progressToken" not in built(params)["params"]["_meta"]


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, [1, [math.nan]], {"a": (math.nan,)}, object(), "\ud800", {1, math.nan}],
    ids=["nan", "inf", "minus inf", "in a list", "in a tuple", "object", "surrogate", "in a set"],
)
def test_what_json_cannot_say_is_refused(value):
    """NaN, infinities, lone surrogates and foreign objects are refused and not changed into something else."""
    with pytest.raises(UsageError, match="cannot be said in JSON"):
        built({"arguments": {"a": value}})


def test_null_is_no_nan():
    """A None among the parameters is sent as null, also beside numbers."""
    assert built({"arguments": {"a": None, "b": 1.5}})["params"]["arguments"] == {"a": None, "b": 1.5}


def test_endless_parameters_are_refused():
    """Parameters that hold themselves are refused."""
    endless: list = []
    endless.append(endless)
    with pytest.raises(UsageError):
        built({"arguments": endless})


@pytest.mark.parametrize("params", [[1], "x", 3])
def test_parameters_must_be_a_mapping(params):
    """Parameters that are no mapping are refused."""
    with pytest.raises(UsageError, match="params must be a mapping"):
        built(params)


def test_metadata_must_be_a_mapping():
    """Metadata that is no mapping is refused."""
    with pytest.raises(UsageError, match="_meta must be a mapping"):
        built({"_meta": [1]})


def test_cancellation_names_the_request():
    """A cancellation is a notification with the id and the reason (CAN-1)."""
    line = RequestBuilder.cancelled(7, "why")
    assert json.loads(line) == {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 7, "reason": "why"},
    }
    assert line.endswith(b"\n")


def test_capabilities_may_be_any_mapping():
    """Capabilities are copied, so that a later change does not reach requests (META-5)."""
    declared: Mapping = {"roots": {}}
    builder = RequestBuilder(HOST, declared)
    assert builder.capabilities == {"roots": {}}
    assert builder.capabilities is not declared


def test_requests_of_the_older_era():
    """Have no metadata but the caller's, and a progress token where one is asked for (LEG-1)."""
    builder = RequestBuilder(Identity("n", "1"), {"roots": {}}, "2025-06-18")
    assert (builder.is_older, builder.version) == (True, "2025-06-18")
    for params, progress, expected in (
        (None, False, {"_meta": {}}),
        (None, True, {"_meta": {"progressToken": 7}}),
        ({"a": 1}, True, {"a": 1, "_meta": {"progressToken": 7}}),
        ({"_meta": {"x": 1, "progressToken": 3}}, True, {"_meta": {"x": 1, "progressToken": 7}}),
    ):
        prepared = builder.prepare("m", params, progress=progress)
        assert prepared.version == "2025-06-18"
        assert json.loads(prepared.framed(7)) == {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "m",
            "params": expected,
        }


def test_what_is_prepared_says_what_it_was_made_of():
    """So that a carrier can put it into headers (HDR-2)."""
    params = {"name": "t", "arguments": {"a": 1}}
    prepared = RequestBuilder(Identity("n", "1"), {}).prepare("tools/call", params)
    assert (prepared.method, prepared.params, prepared.version) == ("tools/call", params, "2026-07-28")
