"""Calls `add` with the client of the official Python SDK: `client_mcp.py WARM_UP COUNT SERVER…`; as its twin does."""

import asyncio
import json
import sys
import time

from mcp import Client, StdioServerParameters


async def main(warm_up: int, count: int, server: list[str]) -> list[float]:
    """Call, check every answer, and give what each call after the warm-up took."""
    seconds = []
    is_address = server[0].startswith("http")
    where = server[0] if is_address else StdioServerParameters(command=server[0], args=server[1:])
    async with Client(where, mode="2026-07-28") as client:
        for number in range(warm_up + count):
            began = time.perf_counter()
            answer = await client.call_tool("add", {"a": number, "b": 1})
            seconds.append(time.perf_counter() - began)
            assert answer.structured_content == {"result": number + 1}
    return seconds[warm_up:]


print(json.dumps(asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))))
