"""TASK: requests that become tasks, what is told of them, and to whom."""

import asyncio
import json
import threading
from datetime import datetime
from typing import Any

import pytest

from readingroom import Context, ElicitForm, Limits, MemoryTasks, Server, ToolError
from readingroom.protocol import Admitted, Refusal
from readingroom.protocol.admit import admit_mirrored
from readingroom.protocol.headers import Mirrored, read_fields
from readingroom.wire import classify
from support.messages import CAPABILITIES, frame
from support.processes import until
from support.tasking import TAKES, TaskServer, accepted

rule = pytest.mark.rule
NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
METHODS = ("tasks/get", "tasks/update", "tasks/cancel")
EXTENSION = "io.modelcontextprotocol/tasks"


def made(**options: Any) -> Server:
    """A server with tools that may become tasks."""
    app = Server("srv", version="1", tasks=MemoryTasks(), **options)

    @app.tool(task="optional")
    async def work(what: str, ctx: Context) -> str:
        """Work."""
        await ctx.detach()
        if what == "ask":
            answers = await ctx.ask(a=NAME, b=NAME)
            again = await ctx.ask(a=NAME)
            return f"{answers['a'].content} {again['a'].content}"
        if what == "tool error":
            raise ToolError("cannot")
        if what == "error":
            raise RuntimeError(what)
        return "done"

    @app.tool(task="required")
    def wait(ctx: Context) -> str:
        """Wait to be cancelled."""
        ctx.detach()
        while not ctx.cancelled:
            threading.Event().wait(0.001)
        ctx.check()
        return "never"

    @app.prompt
    def prompt(ctx: Context) -> str:
        """Ask."""
        return str(bool(ctx.detach()))

    return app


@pytest.fixture
def server() -> TaskServer:
    """A connection."""
    return TaskServer(made())


@rule("TASK-1", "passing")
def test_the_extension_is_advertised(server: TaskServer) -> None:
    """As an object without settings, and not as a capability of the server's own."""
    capabilities = server.result("server/discover")["capabilities"]
    assert capabilities["extensions"] == {EXTENSION: {}}
    assert "tasks" not in capabilities


@rule("TASK-1", "violating")
@rule("TASK-2", "violating")
@pytest.mark.parametrize(
    "declared",
    [{}, {"extensions": {}}, {"extensions": {EXTENSION: None}}, {"extensions": [EXTENSION]}, {"tasks": {}}],
)
def test_what_is_not_declared_is_not_there(server: TaskServer, declared: dict[str, Any]) -> None:
    """Whatever an earlier request said; a tool that must become a task is refused."""
    server.await_end(server.begin("work", {"what": ""}))
    meta = {CAPABILITIES: declared}
    assert server.call("work", {"what": ""}, meta)["resultType"] == "complete"
    error = server.error("tools/call", {"name": "wait", "arguments": {}}, meta)
    assert (error["code"], error["data"]) == (
        -32021,
        {"requiredCapabilities": {"extensions": {EXTENSION: {}}}},
    )


@rule("TASK-2", "passing")
@rule("TASK-3", "passing")
def test_a_call_that_declares_it_may_become_a_task(server: TaskServer) -> None:
    """A `task` parameter, as older revisions had it, is passed over."""
    members = {"name": "work", "arguments": {"what": ""}, "task": {"ttl": 5}}
    assert server.result("tools/call", members, TAKES)["resultType"] == "task"
    assert server.result("tools/call", members)["resultType"] == "complete"


@rule("TASK-3", "violating")
def test_nothing_else_becomes_a_task(server: TaskServer) -> None:
    """A prompt is answered, though its handler detaches."""
    result = server.result("prompts/get", {"name": "prompt"}, TAKES)
    assert result["resultType"] == "complete"
    assert "False" in json.dumps(result)


@rule("TASK-4", "passing")
@rule("TASK-4", "violating")
def test_how_it_is_told_that_a_request_has_become_a_task(server: TaskServer) -> None:
    """Flat, in the spelling of the extension; no other result is of this type."""
    created = server.call("work", {"what": "ask"}, TAKES)
    told = {name: value for name, value in created.items() if name != "_meta"}
    assert set(told) == {
        *("resultType", "taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"),
    }
    assert (told["resultType"], told["status"]) == ("task", "working")
    assert isinstance(told["ttlMs"], int)
    assert isinstance(told["pollIntervalMs"], int)
    for name in ("createdAt", "lastUpdatedAt"):
        assert datetime.fromisoformat(told[name]).tzinfo is not None
    task_id = created["taskId"]
    answers = server.get(task_id), server.update(task_id), server.cancel(task_id)
    assert {answer["resultType"] for answer in answers} == {"complete"}


@rule("TASK-5", "passing")
@rule("TASK-5", "violating")
def test_a_task_is_kept_before_it_is_told() -> None:
    """Another process finds it at once; where it cannot be kept there is none."""
    app = made(limits=Limits(tasks_of_one=1))
    here, there = TaskServer(app), TaskServer(app)
    task_id = here.begin("wait")
    assert there.get(task_id)["status"] == "working"
    assert here.call("work", {"what": ""}, TAKES)["resultType"] == "complete"
    assert here.error("tools/call", {"name": "wait", "arguments": {}}, TAKES)["code"] == -32603
    here.cancel(task_id)


@rule("TASK-6", "passing")
@rule("TASK-6", "violating")
@rule("TASK-7", "passing")
@rule("TASK-7", "violating")
@pytest.mark.parametrize(
    ("what", "status", "part"),
    [
        ("", "completed", "result"),
        ("tool error", "completed", "result"),
        ("error", "failed", "error"),
        ("ask", "input_required", "inputRequests"),
    ],
)
def test_each_state_brings_its_own_part(server: TaskServer, what: str, status: str, part: str) -> None:
    """And no other; an error of the tool's is a result."""
    found = server.await_status(server.begin("work", {"what": what}), status)
    assert found["resultType"] == "complete"
    assert {"result", "error", "inputRequests"} & set(found) == {part}
    if status == "completed":
        assert found["result"]["content"]
        assert found["result"].get("isError", False) is (what == "tool error")
        assert set(found["result"]["_meta"]) == {"io.modelcontextprotocol/serverInfo"}
    if status == "failed":
        assert isinstance(found["error"]["code"], int)
        assert found["statusMessage"] == found["error"]["message"]


@rule("TASK-7", "passing")
def test_an_end_is_an_end(server: TaskServer) -> None:
    """Neither a cancellation nor an answer changes it."""
    task_id = server.begin("work", {"what": ""})
    done = server.await_end(task_id)
    server.cancel(task_id)
    server.update(task_id, a=accepted())
    assert server.get(task_id) == done


@rule("TASK-8", "passing")
@rule("TASK-8", "violating")
@rule("TASK-9", "passing")
@rule("TASK-9", "violating")
def test_answers_come_one_by_one(server: TaskServer) -> None:
    """What is answered disappears, the rest stays; a key that comes again is another, and late answers are for nobody."""
    task_id = server.begin("work", {"what": "ask"})
    assert set(server.await_status(task_id, "input_required")["inputRequests"]) == {"a", "b"}
    ack = server.update(task_id, a=accepted(name="1"), never=accepted())
    assert set(ack) == {"resultType", "_meta"}
    found = server.get(task_id)
    assert (found["status"], set(found["inputRequests"])) == ("input_required", {"b"})
    server.update(task_id, a=accepted(name="other"))
    server.update(task_id, b=accepted(name="2"))
    found = server.await_status(task_id, "input_required")
    (key,) = found["inputRequests"]
    assert key not in ("a", "b")
    server.update(task_id, a=accepted(name="late"))
    assert server.get(task_id)["status"] == "input_required"
    server.update(task_id, **{key: accepted(name="3")})
    text = server.await_end(task_id)["result"]["structuredContent"]["result"]
    assert text == "{'name': '1'} {'name': '3'}"


@rule("TASK-8", "violating")
@pytest.mark.parametrize("responses", [None, 1, [], {"a": 1}, {"a": {"action": "no such"}}])
def test_answers_that_are_none_are_refused(server: TaskServer, responses: Any) -> None:
    """And nothing is taken."""
    task_id = server.begin("work", {"what": "ask"})
    server.await_status(task_id, "input_required")
    error = server.error("tasks/update", {"taskId": task_id, "inputResponses": responses}, TAKES)
    assert error["code"] == -32602
    assert set(server.get(task_id)["inputRequests"]) == {"a", "b"}


@rule("TASK-10", "passing")
@rule("TASK-10", "violating")
def test_a_cancellation_is_acknowledged_each_time(server: TaskServer) -> None:
    """By nothing but that; the handler ends, and `notifications/cancelled` does not do it."""
    task_id = server.begin("wait")
    notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "call"}}
    assert server.take(json.dumps(notification).encode()) == []
    assert server.get(task_id)["status"] == "working"
    acks = [server.cancel(task_id) for _ in range(2)]
    assert server.await_end(task_id)["status"] == "cancelled"
    acks.append(server.cancel(task_id))
    assert all(set(ack) == {"resultType", "_meta"} and ack["resultType"] == "complete" for ack in acks)


@rule("TASK-11", "passing")
@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_task_is_unknown(server: TaskServer, method: str) -> None:
    """For who declared the extension."""
    error = server.error(method, {"taskId": "none", "inputResponses": {}}, TAKES)
    assert error["code"] == -32602


@rule("TASK-11", "violating")
@pytest.mark.parametrize("members", [{"taskId": "none", "inputResponses": {}}, {"taskId": 7}, {}])
@pytest.mark.parametrize("method", METHODS)
def test_who_did_not_declare_it_is_told_nothing_else(
    server: TaskServer, method: str, members: dict[str, Any]
) -> None:
    """Neither of a task that is there, nor of the form of the parameters."""
    error = server.error(method, members)
    assert error["code"] == -32021
    assert error["data"] == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
    if not members.get("inputResponses"):
        mine = {"taskId": server.begin("work", {"what": ""}), "inputResponses": {}}
        assert server.error(method, mine) == error


@rule("TASK-11", "violating")
@pytest.mark.parametrize("method", ["tasks/result", "tasks/list"])
def test_what_older_revisions_had_is_unknown(server: TaskServer, method: str) -> None:
    """Also for who declared the extension."""
    assert server.error(method, {"taskId": "none"}, TAKES)["code"] == -32601


def mirrored(method: str, name: bytes | None) -> Admitted | Refusal:
    """What becomes of a request about the task `t` whose header names another."""
    members = {"taskId": "t", "inputResponses": {}}
    request: Any = classify(frame(1, method, members, TAKES), 64)
    fields = [(b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", method.encode())]
    named = [] if name is None else [(b"mcp-name", name)]
    return admit_mirrored(request, frozenset({"tasks"}), Mirrored(read_fields([*fields, *named])))


@rule("TASK-12", "passing")
@rule("TASK-12", "violating")
@pytest.mark.parametrize("method", METHODS)
def test_the_header_names_the_task(method: str) -> None:
    """Another name, or none, is refused."""
    assert isinstance(mirrored(method, b"t"), Admitted)
    for name in (b"other", b"", None):
        refusal = mirrored(method, name)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.status) == (-32020, 400)


@rule("TASK-13", "passing")
@rule("TASK-13", "violating")
def test_a_task_is_kept_as_long_as_it_says() -> None:
    """Then it is as unknown as one that never was."""
    server = TaskServer(made(limits=Limits(task_seconds=0.3)))
    created = server.call("work", {"what": ""}, TAKES)
    assert created["ttlMs"] == 300
    created_at = datetime.fromisoformat(created["createdAt"])

    def is_unknown() -> bool:
        answer = server.ask("tasks/get", {"taskId": created["taskId"]}, TAKES)
        is_over = (datetime.now(created_at.tzinfo) - created_at).total_seconds() > 0.299
        assert is_over or "result" in answer
        return "error" in answer and answer["error"]["code"] == -32602

    until(is_unknown)


@rule("TASK-14", "passing")
@rule("TASK-14", "violating")
def test_listeners_are_told_of_their_own_tasks() -> None:
    """As if they had asked; of others' they are not, and who did not declare the extension is refused."""
    app = made(logging=True)
    server, other = TaskServer(app), TaskServer(app, principal="other")
    task_id, others = server.begin("work", {"what": "ask"}), other.begin("wait")
    server.await_status(task_id, "input_required")
    woken = threading.Event()
    wanted = {"notifications": {"taskIds": [others, task_id]}}
    subscription = server.dispatcher.listen(
        server.connection.receive(frame(7, "subscriptions/listen", wanted, TAKES)).request, "local", woken.set
    )
    acknowledged = json.loads(subscription.acknowledgement)["params"]["notifications"]
    assert acknowledged == {"taskIds": [task_id]}
    assert woken.wait(20)
    (told,) = (json.loads(one) for one in subscription.take())
    assert told["method"] == "notifications/tasks"
    assert told["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": 7}
    same = {name: value for name, value in server.get(task_id).items() if name not in ("_meta", "resultType")}
    assert {name: value for name, value in told["params"].items() if name != "_meta"} == same
    subscription.close()
    request = server.connection.receive(frame(8, "subscriptions/listen", wanted)).request
    with pytest.raises(Exception, match="capability required"):
        server.dispatcher.listen(request, "local", woken.set)
    other.cancel(others)


@rule("TASK-15", "passing")
@rule("TASK-15", "violating")
def test_an_id_is_long_and_its_owners(server: TaskServer) -> None:
    """Of 128 bits and more, and no two alike; to others it is unknown."""
    task_ids = {server.begin("work", {"what": ""}) for _ in range(50)}
    assert len(task_ids) == 50
    assert all(len(bytes.fromhex(task_id)) >= 16 for task_id in task_ids)
    other = TaskServer(made(), principal="other")
    task_id = server.begin("wait")
    for method in METHODS:
        error = other.error(method, {"taskId": task_id, "inputResponses": {}}, TAKES)
        assert error == {"code": -32602, "message": "Unknown task"}
    server.cancel(task_id)


@rule("TASK-16", "passing")
@rule("TASK-16", "violating")
def test_older_revisions_have_no_tasks(server: TaskServer) -> None:
    """What a client of theirs declares of the extension counts for nothing."""
    from readingroom.server.older import Session

    app = made()
    way = Answers()
    session = Session(app.dispatcher(), "local", lambda _: None)

    def send(method: str, params: dict[str, Any]) -> Any:
        data = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        running = session.receive(classify(data, 64), data, way)
        if running is not None and running.mode == "async":
            asyncio.run(running.run_async())
        elif running is not None:
            running.run()
        return way.answers.pop()

    declared = {"extensions": {EXTENSION: {}}, "tasks": {"requests": {"tools": {"call": {}}}}}
    who = {"clientInfo": {"name": "c", "version": "1"}, "capabilities": declared}
    capabilities = send("initialize", {"protocolVersion": "2025-11-25", **who})["result"]["capabilities"]
    assert not {"tasks", "extensions"} & set(capabilities)
    members = {"name": "work", "arguments": {"what": ""}, "task": {"ttl": 5}, "_meta": TAKES}
    assert send("tools/call", members)["result"]["content"][0]["text"] == "done"
    assert send("tools/call", {"name": "wait", "arguments": {}, "_meta": TAKES})["result"]["isError"] is True
    for method in (*METHODS, "tasks/list", "tasks/result"):
        assert send(method, {"taskId": "none"})["error"]["code"] == -32601


class Answers:
    """Keeps what a client of an older revision is answered."""

    can_ask = True
    is_absent = False
    is_full = False

    def __init__(self) -> None:
        self.answers: list[Any] = []

    def tell(self, frame: bytes) -> None:
        """Pass over what comes before the answer."""

    def ask(self, frame: bytes) -> None:
        """Pass over what the server asks."""

    def answer(self, frame: bytes) -> None:
        """Keep the answer."""
        self.answers.append(json.loads(frame))

    def drop(self) -> None:
        """Nothing is cancelled."""
