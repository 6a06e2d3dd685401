"""Takes large answers with Reading Room's client: `client_large.py COUNT SERVER…`; prints seconds by MiB, as JSON."""

import json
import sys
import time

from readingroom import Client

SIZES = (8, 32)


def main(count: int, server: list[str]) -> dict[int, list[float]]:
    """Ask for each size in turn, `count` times, after once for nothing."""
    seconds: dict[int, list[float]] = {size: [] for size in SIZES}
    with Client.stdio(server) as client:
        for turn in range(count + 1):
            for size in SIZES:
                began = time.perf_counter()
                answer = client.call_tool("text", {"mib": size})
                took = time.perf_counter() - began
                assert len(answer.text) == size << 20
                if turn:
                    seconds[size].append(took)
    return seconds


print(json.dumps(main(int(sys.argv[1]), sys.argv[2:])))
