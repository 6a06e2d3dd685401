"""What is in flight on one connection, and what each line from the server means for it."""

import json

import pytest

from readingroom.client import Calls, Progress, Reported, Settled
from readingroom.errors import InputRequired, RemoteError
from support.flights import TEXT, Flight, error, result


def notice(method: str, **params: object) -> bytes:
    """Encode a notification."""
    return json.dumps({"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}).encode()


def test_ids_count_from_one():
    """Ids are integers from 1, and none is given twice (RPC-2)."""
    calls = Calls({}, 64, strict=True)
    assert [calls.add(None, "m") for _ in range(3)] == [1, 2, 3]
    assert calls.drop(3)
    assert calls.add(None, "m") == 4
    assert len(calls) == 3


def test_answers_in_any_order():
    """Each answer goes to the request whose id it has, in whatever order they come (STDIO-4)."""
    flight = Flight(("tools/call",) * 3)
    effects = flight.hear(result(3), result(1), error(id=2))
    assert [(effect.owner, effect.result) for effect in effects] == [("c", TEXT), ("a", TEXT), ("b", None)]
    assert effects[0].value.text == "t"
    assert isinstance(effects[2].error, RemoteError)
    assert (effects[2].error.code, effects[2].error.message, effects[2].error.data) == (-32602, "no", 1)
    assert len(flight.calls) == 0
    assert flight.recorded() == []


def test_answer_of_another_method():
    """The result of a method outside the core is any object, and has no value."""
    (effect,) = Flight(("com.example/do",)).hear(result(1, a=1))
    assert effect == Settled("a", {"a": 1}, None)


@pytest.mark.parametrize("kind", [{}, {"resultType": "complete"}])
def test_complete_is_what_is_meant(kind):
    """A result without a type is complete (RES-2)."""
    (effect,) = Flight().hear(result(1, **TEXT, **kind))
    assert effect.error is None


@pytest.mark.parametrize("kind", ["deferred", "task", "", None, 1, []])
def test_unknown_result_type(kind):
    """A result of another type is none (RES-3)."""
    flight = Flight(("tools/call", "tools/call"))
    assert flight.failures(result(1, **TEXT, resultType=kind)) == [("a", "RES-3", None)]
    assert flight.recorded() == ["RES-3"]


def test_input_required():
    """A result that asks for input is an error with what is asked; it breaks no rule."""
    flight = Flight()
    (effect,) = flight.hear(result(1, resultType="input_required", requestState="s"))
    assert isinstance(effect.error, InputRequired)
    assert flight.recorded() == []


def test_input_required_against_the_rules():
    """A result that asks for what was not declared fails its request (MRTR-4)."""
    asked = {"k": {"method": "roots/list"}}
    assert Flight().failures(result(1, resultType="input_required", inputRequests=asked)) == [
        ("a", "MRTR-4", None)
    ]


def test_result_of_the_wrong_shape():
    """A result without what its method's results have fails its request and names the method."""
    (effect,) = Flight().hear(result(1, content=5))
    assert effect.error.rule == "SHAPE-1"
    assert effect.error.detail.startswith("tools/call: ")
    assert '"content": 5' in effect.error.excerpt


def test_cache_hints_are_required_in_strict_mode_alone():
    """Missing hints fail the request in strict mode, and are only recorded in tolerant mode (CACHE-1)."""
    strict, tolerant = Flight(("tools/list",)), Flight(("tools/list",), strict=False)
    assert strict.failures(result(1, tools=[])) == [("a", "CACHE-1", None)]
    (effect,) = tolerant.hear(result(1, tools=[]))
    assert effect.value.items == []
    assert strict.recorded() == tolerant.recorded() == ["CACHE-1"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"1.0","id":2,"result":null}',
        b'{"jsonrpc":"2.0","id":2,"result":null}',
        b'{"jsonrpc":"2.0","id":2,"result":{"a":',
        b'{"jsonrpc":"2.0","id":2,"result":{"a":"\xff"}}',
        b'{"jsonrpc":"2.0","id":2.0,"result":{}}',
        b'{"jsonrpc":"2.0","id":2}',
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_broken_line_with_an_id(line, strict):
    """A broken line fails the request whose id it carries, and no other, in either mode."""
    flight = Flight(("tools/call",) * 3, strict=strict)
    assert [(owner, owed) for owner, _, owed in flight.failures(line)] == [("b", None)]
    assert len(flight.calls) == 2
    assert flight.calls.violations.count == 1


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"Listening on port 80", "STDIO-2"),
        (b"[]", "RPC-8"),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', "RPC-7"),
        (b'{"jsonrpc":"2.0","id":1,"method":"notifications/x"}', "RPC-6"),
        (b'{"jsonrpc":"2.0","id":true,"result":{}}', "RPC-4"),
        (b'{"jsonrpc":"2.0","id":1.5,"result":{}}', "RPC-4"),
        (b'{"jsonrpc":"2.0","result":{}}', "RPC-4"),
        (result(99), "RPC-4"),
        (result(0), "RPC-4"),
        (result(-1), "RPC-4"),
        (result("abc"), "RPC-4"),
        (result("7" * 5000), "RPC-4"),
        (result("٣"), "RPC-4"),
    ],
)
def test_broken_line_that_names_no_request(line, rule):
    """A broken line whose request cannot be known fails all in strict mode and none in tolerant mode."""
    flight = Flight(("tools/call",) * 2)
    assert flight.failures(line) == [("a", rule, 1), ("b", rule, 2)]
    tolerant = Flight(("tools/call",) * 2, strict=False)
    assert tolerant.failures(line) == []
    assert len(tolerant.calls) == 2
    assert flight.recorded() == tolerant.recorded() == [rule]


def test_each_failure_is_an_exception_of_its_own():
    """Requests that fail together get an exception each, since each is raised by itself."""
    first, second = Flight(("tools/call",) * 2).hear(b"junk")
    assert first.error is not second.error


def test_id_of_another_type():
    """An answer with the text of an id fails the request that it was meant for (RPC-4)."""
    flight = Flight(("tools/call",) * 2)
    assert flight.failures(result("2")) == [("b", "RPC-4", None)]
    assert "another type" in flight.calls.violations.last[0].detail


def test_second_answer():
    """A second answer is recorded, and costs no other request its answer."""
    flight = Flight(("tools/call",) * 2)
    flight.hear(result(1))
    assert flight.hear(result(1)) == []
    assert flight.recorded() == ["RPC-4"]
    (effect,) = flight.hear(result(2))
    assert effect.error is None


def test_answer_to_what_was_dropped():
    """The late answer to a dropped request is ignored, and a second one is a violation (CAN-5)."""
    flight = Flight(("tools/call",) * 2)
    assert flight.calls.drop(1)
    assert not flight.calls.drop(1)
    assert flight.hear(error(id=1)) == []
    assert flight.recorded() == []
    assert flight.hear(result(1)) == []
    assert flight.recorded() == ["RPC-4"]


def test_broken_answer_to_what_was_dropped():
    """A broken late answer is recorded and fails nobody."""
    flight = Flight(("tools/call",) * 2)
    flight.calls.drop(1)
    assert flight.hear(b'{"jsonrpc":"2.0","id":1,"result":7}') == []
    assert flight.recorded() == ["RPC-5"]


def test_what_failed_together_may_still_be_answered():
    """After a line that failed everything, the answers that come are ignored."""
    flight = Flight(("tools/call",) * 2)
    flight.failures(b"junk")
    assert flight.hear(result(1), result(2)) == []
    assert flight.recorded() == ["STDIO-2"]


def test_very_many_dropped_requests_are_forgotten():
    """Requests that are never answered do not fill the memory."""
    flight = Flight(())
    for _ in range(10_000):
        flight.calls.drop(flight.calls.add("x", "tools/call"))
    assert len(flight.calls._retired) <= 4096
    assert flight.hear(result(10_000)) == []
    assert flight.recorded() == []


def test_what_came_before_a_request_does_not_reach_it():
    """Lines that were heard before a request was sent neither answer nor fail it."""
    flight = Flight(())
    flight.calls.hear()
    flight.calls.add("a", "tools/call")
    for line in (result(1), b"junk", error(), b'{"jsonrpc":"2.0","id":1,"result":7}', result("1")):
        assert flight.calls.take(line) == []
    (effect,) = flight.hear(result(1))
    assert effect.error is None


@pytest.mark.parametrize("members", [{}, {"id": None}])
def test_error_without_id(members):
    """An error whose id the server could not read ends every request, since any may be meant (RPC-4)."""
    effects = Flight(("tools/call",) * 2).hear(error(**members))
    assert [(effect.owner, effect.error.code) for effect in effects] == [("a", -32602), ("b", -32602)]
    assert effects[0].error is not effects[1].error


def test_drop_all():
    """Everything in flight can be taken out at once, oldest first."""
    flight = Flight(("tools/call",) * 3)
    flight.hear(result(2))
    assert flight.calls.drop_all() == ["a", "c"]
    assert len(flight.calls) == 0
    assert flight.hear(result(1)) == []


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("head", "tail"),
    [(b'{"jsonrpc":"2.0","id":2,"result":{"content":[', b"]}}"), (b'{"result":{"content":[', b']},"id":2}')],
)
def test_overlong_answer_with_an_id(head, tail, strict):
    """An answer beyond the limit fails the request whose id stands at its beginning or its end."""
    flight = Flight(("tools/call",) * 2, strict=strict)
    flight.calls.hear()
    (effect,) = flight.calls.take_overlong(5000, 1000, head, tail)
    assert (effect.owner, effect.error.rule, effect.owed) == ("b", "RPC-10", None)
    assert "5000" in effect.error.detail
    assert "1000" in effect.error.detail
    assert effect.error.excerpt == head.decode()


@pytest.mark.parametrize("strict", [True, False])
def test_overlong_answer_without_an_id(strict):
    """An answer beyond the limit whose id cannot be read fails every request, in either mode: one is lost."""
    flight = Flight(("tools/call",) * 2, strict=strict)
    flight.calls.hear()
    effects = flight.calls.take_overlong(5000, 1000, b'{"result":{"content":[')
    assert [effect.owner for effect in effects] == ["a", "b"]


def test_progress():
    """Progress goes to the request that asked for it (PROG-2)."""
    flight = Flight(("tools/call",) * 2, token=True)
    effects = flight.hear(
        notice("progress", progressToken=2, progress=1),
        notice("progress", progressToken=2, progress=1.5, total=3),
    )
    assert effects == [Reported("b", Progress(1)), Reported("b", Progress(1.5, 3))]


@pytest.mark.parametrize("token", [3, 0, "1", True, None, 1.0, [1], {}])
def test_unknown_tokens_are_ignored(token):
    """Progress for a token that is not in use is ignored (PROG-3)."""
    flight = Flight(token=True)
    assert flight.hear(notice("progress", progressToken=token, progress=1)) == []
    assert flight.recorded() == []


def test_progress_that_was_not_asked_for_is_ignored():
    """A request's id is no token unless the request asked for progress."""
    assert Flight().hear(notice("progress", progressToken=1, progress=1)) == []


def test_progress_after_the_answer_is_ignored():
    """Progress of a request that has ended is ignored."""
    flight = Flight(token=True)
    assert len(flight.hear(result(1), notice("progress", progressToken=1, progress=1))) == 1


def test_progress_that_does_not_increase():
    """Progress that does not increase fails its request in strict mode, and its answer is still owed (PROG-2)."""
    lines = [notice("progress", progressToken=1, progress=5), notice("progress", progressToken=1, progress=5)]
    flight = Flight(("tools/call",) * 2, token=True)
    effects = flight.hear(*lines)
    assert (effects[1].owner, effects[1].error.rule, effects[1].owed) == ("a", "PROG-2", 1)
    assert flight.hear(result(1)) == []
    tolerant = Flight(token=True, strict=False)
    assert tolerant.hear(*lines) == [Reported("a", Progress(5))]
    assert flight.recorded() == tolerant.recorded() == ["PROG-2"]


def test_malformed_notifications():
    """A notification whose parameters are no object concerns nobody."""
    flight = Flight(token=True)
    assert flight.hear(b'{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}') == []
    assert flight.hear(b'{"jsonrpc":"2.0","method":"notifications/progress"}') == []


def test_server_cancels():
    """A request that the server cancels fails: its answer will not come (CAN-7)."""
    flight = Flight(("tools/call",) * 2)
    assert flight.failures(notice("cancelled", requestId=2)) == [("b", "CAN-7", None)]


def test_unasked_notifications_are_recorded():
    """Logs and changes that nobody asked for are recorded and fail nobody; those of extensions are ignored."""
    flight = Flight()
    lines = [notice("message", level="info"), notice("tools/list_changed"), notice("com.example/x")]
    assert flight.hear(*lines) == []
    assert flight.recorded() == ["LOG-1", "SUB-4"]


def test_log_lines_that_were_asked_for_break_no_rule():
    """A request may ask for log lines; they come until its answer, or end unseen when it is given up (LOG-1, LOG-2)."""
    line = notice("message", level="info", data="x")
    flight = Flight()
    flight.calls.add("b", "tools/call", wants_log=True)
    flight.hear(line)
    assert flight.recorded() == []
    flight.hear(result(2), line)
    assert flight.recorded() == ["LOG-1"]
    flight.calls.drop(flight.calls.add("c", "tools/call", wants_log=True))
    flight.hear(line)
    assert flight.recorded() == ["LOG-1"]


def test_violations_are_counted_without_end_and_kept_within_one():
    """Every violation is counted, and the last hundred are kept."""
    flight = Flight()
    for number in range(150):
        flight.hear(b"junk %d" % number)
    assert flight.calls.violations.count == 150
    assert len(flight.calls.violations.last) == 100
    assert flight.calls.violations.last[-1].excerpt == "junk 149"


def test_numbers_beyond_the_interpreters_limit():
    """A line with a number of thousands of digits is one more broken line, or a good one, and never a failure of ours."""
    flight = Flight(("com.example/do",) * 2)
    flight.hear(b'{"jsonrpc":"2.0","id":1,"result":{"a":' + b"9" * 10_000 + b"}}")
    flight.hear(b'{"jsonrpc":"2.0","id":' + b"9" * 10_000 + b',"result":{}}')
    assert len(flight.calls) <= 1
