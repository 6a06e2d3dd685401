"""A server whose tools come on many pages, one tool on each: `paging.py PAGES SECONDS BYTES`. Standard library only.

Every page comes after SECONDS, and its tool has a description of BYTES.
"""

import json
import sys
import time

PAGES, SECONDS, BYTES = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def page(params):
    """Give the page of a cursor, which is its number."""
    time.sleep(SECONDS)
    number = int(params.get("cursor", "1"))
    tool = {"name": f"n{number}", "inputSchema": {"type": "object"}, "description": "x" * BYTES}
    more = {"nextCursor": f"{number + 1}"} if number < PAGES else {}
    return {"tools": [tool], **more}


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] == "tools/list":
        found = page(message["params"])
    else:
        found = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": {**HINTS, **found}}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
