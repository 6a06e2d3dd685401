"""What rounds need of a program: its keys, the time and randomness. Loaded when a handler asks, or keys are given."""

import os
import time

from ..errors import UsageError
from ..limits import Limits
from ..protocol import Sealer
from ..protocol.state_sealing import StateSealer
from ..server.rounds import Rounds


def rounds_of(name: str, keys: tuple[bytes, ...], limits: Limits) -> Rounds:
    """Give what opens and seals the states of the server `name`; for the same name and keys it is the same everywhere."""
    return Rounds(name, keys, clock=time.time, random=os.urandom, limits=limits)


def check_keys(cursor_key: bytes | None, state_keys: tuple[bytes, ...] | None) -> None:
    """See whether cursors and states can be sealed with the keys that were given. Raises: UsageError."""
    if not isinstance(cursor_key, bytes | None):
        raise UsageError("cursor_key is bytes")
    try:
        Sealer(b"\0" * 16 if cursor_key is None else cursor_key)
    except ValueError as error:
        raise UsageError(f"cursor_key: {error}") from error
    if state_keys is not None:
        StateSealer(state_keys, os.urandom)
