"""Calls `add` with Reading Room's client: `client_readingroom.py WARM_UP COUNT SERVER…`; prints the seconds of each call.

SERVER is a command, or one address. Its twin beside this file does the same with the official client.
"""

import json
import sys
import time

from readingroom import Client


def main(warm_up: int, count: int, server: list[str]) -> list[float]:
    """Call, check every answer, and give what each call after the warm-up took."""
    seconds = []
    client = Client.http(server[0]) if server[0].startswith("http") else Client.stdio(server)
    with client:
        for number in range(warm_up + count):
            began = time.perf_counter()
            answer = client.call_tool("add", {"a": number, "b": 1})
            seconds.append(time.perf_counter() - began)
            assert answer.structured == {"result": number + 1}
    return seconds[warm_up:]


print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])))
