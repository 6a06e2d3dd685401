"""A bare ASGI application on the guarded connection: `bare_http.py '{"head_seconds": 1}' [site options as JSON]`.

stdout has one JSON line for each event: the origin at the _start, the bodies of requests, streams that were ended.
"""

import asyncio
import json
import sys
from typing import Any

from readingroom.limits import Limits
from readingroom.transport.uvicorn_server import Site, serve

ENDING = asyncio.Event()
PIECE = b"x" * 65536


def _say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


async def _app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        return await _lifespan(receive, send)
    body = b""
    if scope["path"] != "/early":
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return _say(gone=scope["path"])
            body += message["body"]
            if not message["more_body"]:
                break
    _say(asked=scope["path"], body=body.decode("latin-1"), client=scope["client"][0], scheme=scope["scheme"])
    return await PATHS.get(scope["path"], _echo)(scope, body, receive, send)


async def _lifespan(receive: Any, send: Any) -> None:
    for name in ("startup", "shutdown"):
        await receive()
        _say(lifespan=name)
        await send({"type": f"lifespan.{name}.complete"})


async def _start(send: Any, status: int = 200) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})


async def _end(send: Any, body: bytes = b"") -> None:
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _echo(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await _start(send)
    await _end(send, scope["path"].encode() + b"=" + body)


async def _early(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await _start(send, 413)
    await _end(send, b"too much")


async def _slow(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await ENDING.wait()
    await asyncio.sleep(0.1)
    await _echo(scope, body, receive, send)


async def _hold(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await receive()
    _say(gone=scope["path"])


async def _stream(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await _start(send)
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
    await ENDING.wait()
    await _end(send, b"data: end\n\n")


async def _flood(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    await _start(send)
    for _ in range(1000):
        await send({"type": "http.response.body", "body": PIECE, "more_body": True})
    await _end(send)


async def _trickle(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    gone = asyncio.create_task(receive())
    await _start(send)
    while not gone.done():
        await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
        await asyncio.sleep(0.002)
    _say(gone=scope["path"])


async def _fail(scope: Any, body: bytes, receive: Any, send: Any) -> None:
    raise ValueError("what was sent: " + body.decode())


PATHS = {
    "/early": _early,
    "/slow": _slow,
    "/hold": _hold,
    "/stream": _stream,
    "/flood": _flood,
    "/trickle": _trickle,
    "/fail": _fail,
}

if __name__ == "__main__":
    limits = Limits(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))
    site = Site(**{"port": 0, **json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")})
    sys.exit(
        serve(
            _app,
            site,
            limits=limits,
            end_streams=ENDING.set,
            started=lambda origin: _say(origin=origin),
            tell=lambda line: print(line, file=sys.stderr, flush=True),
        )
    )
