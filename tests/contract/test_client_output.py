"""Structured content is held against the schema that the tool was listed with, where it was listed."""

import asyncio
import sys
from typing import Any

import pytest

from readingroom import Client, PeerProtocolError

PROGRAM = """
import json, sys
N = {"type": "object", "properties": {"n": {"type": "integer"}}}
def tool(name, output): return {"name": name, "inputSchema": {"type": "object"}, "outputSchema": output}
TOOLS = [tool("good", N), tool("bad", N), tool("far", {"$ref": "https://nowhere.example/s"})]
HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
calls = 0
for line in sys.stdin:
    m = json.loads(line)
    if m["method"] == "server/discover": r = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **HINTS}
    elif m["method"] == "tools/list": r = {"tools": TOOLS, **HINTS}
    else:
        calls += 1
        n = calls if m["params"]["name"] == "good" else "none"
        r = {"resultType": "complete", "content": [], "structuredContent": {"n": n}}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
"""


def made(**how: Any) -> Client:
    """Make a client of a server whose tools do as their names say."""
    return Client.stdio([sys.executable, "-c", PROGRAM], timeout=30, **how)


def rule_of(client: Client, tool: str) -> str:
    """Call a tool that breaks a rule, and give that."""
    with pytest.raises(PeerProtocolError) as caught:
        client.call_tool(tool)
    return caught.value.rule


def test_what_breaks_its_schema() -> None:
    """Is no answer (TOOL-8); a schema that cannot be used is refused before the tool is called (SCH-4)."""
    with made() as client:
        assert client.call_tool("bad").structured == {"n": "none"}
        client.list_tools()
        assert client.call_tool("good").structured == {"n": 2}
        assert rule_of(client, "bad") == "TOOL-8"
        assert rule_of(client, "far") == "SCH-4"
        assert client.call_tool("good").structured == {"n": 4}
        assert client.violations[0] == 2
        assert '"none"' in client.violations[1][0].excerpt


def test_a_tolerant_client() -> None:
    """Counts it, and goes on."""
    with made(strict=False) as client:
        client.list_tools()
        assert client.call_tool("bad").structured == client.call_tool("far").structured == {"n": "none"}
        assert [error.rule for error in client.violations[1]] == ["TOOL-8", "SCH-4"]


def test_async() -> None:
    """The same for coroutines."""

    async def run() -> None:
        async with made() as client:
            await client.list_tools()
            assert (await client.call_tool("good")).structured == {"n": 1}
            with pytest.raises(PeerProtocolError):
                await client.call_tool("bad")

    asyncio.run(run())
