"""A bare ASGI application on the guarded connection: `bare_http.py '{"head_seconds": 1}' [site options as JSON]`.

stdout has one JSON line for each event: the origin at the start, the bodies of requests, streams that were ended.
"""

import asyncio
import json
import sys
from typing import Any

from readingroom.limits import Limits
from readingroom.transport.uvicorn_server import Site, serve

ENDING = asyncio.Event()
PIECE = b"x" * 65536


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        return await lifespan(receive, send)
    body = b""
    if scope["path"] != "/early":
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return say(gone=scope["path"])
            body += message["body"]
            if not message["more_body"]:
                break
    say(asked=scope["path"], body=body.decode("latin-1"), client=scope["client"][0], scheme=scope["scheme"])
    return await PATHS.get(scope["path"], echo)(scope, body, receive, send)


async def lifespan(receive: Any, send: Any) -> None:
    for name in ("startup", "shutdown"):
        await receive()
        say(lifespan=name)
        await send({"type": f"lifespan.{name}.complete"})


async def start(send: Any, status: int = 200) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})


async def end(send: Any, body: bytes = b"") -> None:
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def echo(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await start(send)
    await end(send, scope["path"].encode() + b"=" + body)


async def early(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await start(send, 413)
    await end(send, b"too much")


async def slow(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await ENDING.wait()
    await asyncio.sleep(0.1)
    await echo(scope, body, receive, send)


async def hold(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await receive()
    say(gone=scope["path"])


async def stream(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await start(send)
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
    await ENDING.wait()
    await end(send, b"data: end\n\n")


async def flood(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await start(send)
    for _ in range(1000):
        await send({"type": "http.response.body", "body": PIECE, "more_body": True})
    await end(send)


async def fail(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    raise ValueError("what was sent: " + body.decode())


PATHS = {
    "/early": early,
    "/slow": slow,
    "/hold": hold,
    "/stream": stream,
    "/flood": flood,
    "/fail": fail,
}

if __name__ == "__main__":
    limits = Limits(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))
    site = Site(**{"port": 0, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")})
    sys.exit(
        serve(
            app,
            site,
            limits=limits,
            end_streams=ENDING.set,
            started=lambda origin: say(origin=origin),
            tell=lambda line: print(line, file=sys.stderr, flush=True),
        )
    )
