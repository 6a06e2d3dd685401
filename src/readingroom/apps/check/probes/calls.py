"""Calls of tools: wrong ones of any tool, good ones of those that say they only read, or of all if that is allowed."""

from typing import Any

from ....errors import UsageError
from ....protocol import LOG_LEVEL
from ..asking import Reply
from ..bench import Bench
from ..frames import as_list, as_object
from ..probing import Probe
from ..schemas import broken_by, fault_of, fitting
from ..verdicts import NotReached
from .expecting import refused

_UNKNOWN = "readingroom_check_no_such_tool"
_MOST_CALLED = 8
_TOKEN = "readingroom-check-progress"  # noqa: S105  -- a progress token


def callable_tools(bench: Bench) -> list[dict[str, Any]]:
    """Give the tools that may be called. Raises: NotReached when there is none."""
    tools = [tool for tool in bench.listed("tools") if isinstance(tool.get("name"), str)]
    found = [tool for tool in tools if bench.settings.call_tools or _only_reads(tool)]
    if not found:
        none = (
            "the server lists no tools"
            if not tools
            else "no tool says that it only reads; --call-tools allows all"
        )
        raise NotReached(none)
    return found[:_MOST_CALLED]


def _only_reads(tool: dict[str, Any]) -> bool:
    return as_object(tool.get("annotations")).get("readOnlyHint") is True


def _unknown(bench: Bench) -> None:
    bench.needs("tools")
    reply = bench.ask("tools/call", {"name": _UNKNOWN, "arguments": {}})
    refused(bench, reply, "TOOL-6", (-32602,), "a call of a tool that is not there")


def _no_call(bench: Bench) -> None:
    bench.needs("tools")
    for params in ({}, {"name": 5}):
        reply = bench.ask("tools/call", params)
        refused(bench, reply, "TOOL-6", (-32602,), "a call that names no tool")


def _no_arguments(bench: Bench) -> None:
    name = callable_tools(bench)[0]["name"]
    for arguments in ([1], "a", None):
        reply = bench.ask("tools/call", {"name": name, "arguments": arguments})
        refused(bench, reply, "TOOL-15", (-32602,), f"a call of {name} whose arguments are no object")


def _wrong_arguments(bench: Bench) -> None:
    for tool in callable_tools(bench):
        properties = as_object(as_object(tool.get("inputSchema")).get("properties"))
        wrong = {name: {"no": [{"such": name}]} for name, told in properties.items() if _is_scalar(told)}
        if wrong:
            _expect_failure(bench, tool["name"], wrong)
            return
    raise NotReached("no tool that may be called takes a text or a number")


def _is_scalar(told: Any) -> bool:
    return as_object(told).get("type") in ("string", "integer", "number", "boolean")


def _expect_failure(bench: Bench, name: str, wrong: dict[str, Any]) -> None:
    reply = bench.ask("tools/call", {"name": name, "arguments": wrong})
    if reply.state != "answered":
        raise NotReached(f"tools/call was {reply.told}")
    if (reply.result or {}).get("resultType") == "input_required":
        raise NotReached("tools/call asked for input")
    if reply.code is not None:
        told = f"arguments that break the schema of {name} were refused with {reply.code}: no model can mend that"
        bench.note.broke("TOOL-7", told, reply.sent, reply.got)
    elif (reply.result or {}).get("isError") is not True:
        bench.note.broke(
            "TOOL-7", f"{name} was served with arguments that break its schema", reply.sent, reply.got
        )


def make_good_calls(bench: Bench) -> None:
    """Call the tools that may be called, judge what they give, and remember it. Raises: NotReached."""
    for tool in callable_tools(bench):
        schema = tool.get("inputSchema")
        params = {"name": tool["name"], "arguments": fitting(schema) if as_object(schema) else {}}
        bench.ask("tools/call", params, meta={"progressToken": _TOKEN, LOG_LEVEL: "debug"})
        reply = bench.ask("tools/call", params)
        bench.calls[tool["name"]] = reply
        if reply.result is not None and reply.result.get("isError") is not True:
            _judge(bench, tool, reply)
    bench.peer.drain()


def _judge(bench: Bench, tool: dict[str, Any], reply: Reply) -> None:
    result, schema = reply.result or {}, tool.get("outputSchema")
    if result.get("resultType") == "input_required":
        return
    if isinstance(schema, dict):
        _judge_structure(bench, tool["name"], schema, reply)
    if "structuredContent" in result:
        _judge_text(bench, tool["name"], reply)


def _judge_structure(bench: Bench, name: str, schema: dict[str, Any], reply: Reply) -> None:
    result = reply.result or {}
    if "structuredContent" not in result:
        told = f"{name} has an output schema, and gave no structured content"
        bench.note.broke("TOOL-8", told, reply.sent, reply.got)
        return
    try:
        fault = None if fault_of(schema) else broken_by(schema, result["structuredContent"])
    except UsageError as why:
        bench.note.unreached(("TOOL-8",), str(why))
        return
    if fault is not None:
        bench.note.broke(
            "TOOL-8", f"what {name} gave breaks its output schema: {fault}", reply.sent, reply.got
        )


def _judge_text(bench: Bench, name: str, reply: Reply) -> None:
    """Hold it against a server that structured content is told in no block of text; how it is told is its own affair."""
    result = reply.result or {}
    blocks = [block for block in as_list(result.get("content")) if as_object(block).get("type") == "text"]
    if not blocks:
        bench.note.broke("TOOL-9", f"what {name} gave is not told as text", reply.sent, reply.got)


PROBES = (
    Probe(("TOOL-6",), "a tool is called that is not there", _unknown),
    Probe(("TOOL-6",), "a call names no tool", _no_call),
    Probe(
        ("TOOL-8", "TOOL-9", "LOG-1"),
        "tools are called that only read, with arguments that fit",
        make_good_calls,
    ),
    Probe(("TOOL-15",), "a tool is called with arguments that are no object", _no_arguments),
    Probe(("TOOL-7",), "a tool is called with arguments that break its schema", _wrong_arguments),
)
