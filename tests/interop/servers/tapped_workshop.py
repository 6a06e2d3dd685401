"""The server that has one of everything, mounted in somebody else's uvicorn, behind a tap: `tapped_workshop.py PORT LOG`.

The tap writes one line of JSON for every HTTP request: its method, headers and body, and the status of its answer.
"""

import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
from workshop import app


def tapped(served: Any, log: Path) -> Any:
    """Give `served` as an application that writes down what it is asked."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await served(scope, receive, send)
            return
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
        seen: dict[str, Any] = {"method": scope["method"], "headers": headers, "body": ""}

        async def hear() -> Any:
            event = await receive()
            seen["body"] += event.get("body", b"").decode()
            return event

        async def tell(event: Any) -> None:
            if event["type"] == "http.response.start":
                seen["status"] = event["status"]
                with log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(seen) + "\n")
            await send(event)

        await served(scope, hear, tell)

    return application


if __name__ == "__main__":
    mounted = app.asgi(allowed_hosts=["127.0.0.1", "localhost"])
    uvicorn.run(
        tapped(mounted, Path(sys.argv[2])), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning"
    )
