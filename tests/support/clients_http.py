"""Clients over HTTP of servers that keep to a script."""

from readingroom import Client

TIMEOUT = 20.0


def opened(server, **options):
    """Make a client of a scripted server."""
    return Client.http(server.url, timeout=TIMEOUT, **options)
