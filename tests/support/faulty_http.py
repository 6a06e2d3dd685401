"""Calls over HTTP, and servers that do wrong in what they answer to one."""

from readingroom import Client

from .scripted import Scripted, but, good

TIMEOUT = 20.0


def call(server, timeout=TIMEOUT, **options):
    """Open a client and call the tool once."""
    with Client.http(server.url, timeout=timeout, era="modern", **options) as client:
        return client.call_tool("add", {"a": 1})


def called(answer):
    """Serve well, but answer calls with `answer`."""
    return Scripted(but(good, tools_call=answer))


def silent(heard):
    """Give nothing."""
    while not heard.gone.wait(0.02):
        yield b""
