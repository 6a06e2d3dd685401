"""A server that tells of changes, and who listens to it."""

from typing import Any

from readingroom import Limits, Server

from .memory import MemoryServer


def listened(*notices: Any, limits: Limits | None = None) -> tuple[Server, MemoryServer]:
    """A server with such notices, and a connection to it."""
    app = Server("srv", notices=notices, limits=limits or Limits())
    return app, MemoryServer(app)
