"""The floor over HTTP: an application that sends back the body it was sent, on the same server: `echo_asgi.py PORT`."""

import sys

import uvicorn


async def app(scope, receive, send) -> None:
    """Echo."""
    message = await receive()
    if scope["type"] == "lifespan":
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    body = message["body"]
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
