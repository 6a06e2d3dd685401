"""The server's side of the protocol: a registry of features, the dispatch of requests, and what is in flight."""

from .connection import Action, Cancel, Connection, Flight, Reply
from .context import Cancelled, Context
from .dispatch import Dispatcher, Work
from .failures import Failures, status_of
from .faults import told
from .features import Handler, Page
from .registry import Described, Registry, ToolOptions

__all__ = [
    "Action",
    "Cancel",
    "Cancelled",
    "Connection",
    "Context",
    "Described",
    "Dispatcher",
    "Failures",
    "Flight",
    "Handler",
    "Page",
    "Registry",
    "Reply",
    "ToolOptions",
    "Work",
    "status_of",
    "told",
]
