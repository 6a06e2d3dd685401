"""Telling the eras apart as a client, and the handshake of the older one (requirements §6.1, LEG-1). Pure."""

from typing import Any

from ..errors import ReadingRoomError, RemoteError
from ..protocol import SUPPORTED, Identity
from ..protocol.eras import OLDER
from ..wire import HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION
from .operations import Operation
from .values import Object

NEWEST = OLDER[0]
"""The version that a handshake asks for."""


def is_modern(error: ReadingRoomError) -> bool:
    """Say whether an error is one that only a modern server gives (ERA-4); any other may be an older one's (ERA-3)."""
    if not isinstance(error, RemoteError):
        return False
    if error.code == UNSUPPORTED_VERSION:
        return supported_by(error) is not None
    return error.code in (HEADER_MISMATCH, MISSING_CAPABILITY)


def supported_by(error: RemoteError) -> list[str] | None:
    """Give the versions that an error says are supported (VER-1); None where it does not say."""
    supported: Any = error.data.get("supported") if isinstance(error.data, dict) else None
    if isinstance(supported, list) and all(isinstance(version, str) for version in supported):
        return supported
    return None


def only_older(versions: list[str] | None) -> bool:
    """Say whether of these versions we speak none but some of the older era (VER-3)."""
    found = set(versions or ())
    return bool(found & set(OLDER)) and not found & set(SUPPORTED)


def initialize(identity: Identity, capabilities: Object) -> Operation:
    """Ask for the newest version of the older era (LEG-1)."""
    return Operation(
        "initialize",
        {"protocolVersion": NEWEST, "capabilities": capabilities, "clientInfo": identity},
    )
