"""The requests a benchmark sends, encoded beforehand, and the check of every answer. Knows no server and no process."""

import json
from typing import Any

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class WrongAnswer(Exception):
    """A server answered, but not what was asked."""


def encoded(identifier: int, method: str, **params: object) -> bytes:
    """One request as a line, with the full metadata of revision 2026-07-28."""
    body = {"jsonrpc": "2.0", "id": identifier, "method": method, "params": {**params, "_meta": META}}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def discover(identifier: int = 0) -> bytes:
    """A `server/discover`."""
    return encoded(identifier, "server/discover")


def call(identifier: int, tool: str, arguments: dict[str, object]) -> bytes:
    """A `tools/call`."""
    return encoded(identifier, "tools/call", name=tool, arguments=arguments)


def add(identifier: int) -> bytes:
    """A call of `add` whose sum depends on its id, so that an answer to another request cannot pass for its own."""
    return call(identifier, "add", {"a": identifier, "b": 2 * identifier + 1})


def result_of(line: bytes, identifier: int) -> dict[str, Any]:
    """The result in an answer to `identifier`. Raises WrongAnswer for an error, another id or another shape."""
    message = json.loads(line)
    if message.get("id") != identifier or type(message["id"]) is not int:
        raise WrongAnswer(f"answer to {message.get('id')!r} where {identifier} was owed: {line[:300]!r}")
    result = message.get("result")
    if not isinstance(result, dict) or result.get("isError"):
        raise WrongAnswer(f"no result for {identifier}: {line[:300]!r}")
    return result


def check_discovered(line: bytes) -> None:
    """An answer to `server/discover` names the revision. Raises WrongAnswer."""
    if "2026-07-28" not in result_of(line, 0).get("supportedVersions", ()):
        raise WrongAnswer(f"not a modern answer to server/discover: {line[:300]!r}")


def check_sum(line: bytes, identifier: int) -> None:
    """An answer to `add(identifier)` holds the sum, as text and structured. Raises WrongAnswer."""
    result, total = result_of(line, identifier), 3 * identifier + 1
    text = [block.get("text") for block in result["content"]]
    if text != [str(total)] or result.get("structuredContent") != {"result": total}:
        raise WrongAnswer(f"not the sum for {identifier}: {line[:300]!r}")


def check_sums(lines: list[bytes], first: int, count: int) -> None:
    """The answers, in any order, are those to `count` calls from `add(first)` on, each once. Raises WrongAnswer."""
    by_id = {json.loads(line).get("id"): line for line in lines}
    if len(lines) != count or set(by_id) != set(range(first, first + count)):
        raise WrongAnswer(f"{len(lines)} answers with {len(by_id)} ids to {count} requests")
    for identifier, line in by_id.items():
        check_sum(line, identifier)
