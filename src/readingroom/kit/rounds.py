"""What rounds need of a program: its keys, the time and randomness. Loaded when a handler asks, or when keys are given."""

import os
import time

from ..limits import Limits
from ..protocol.state_sealing import StateSealer
from ..server.rounds import Rounds


def rounds_of(name: str, keys: tuple[bytes, ...], limits: Limits) -> Rounds:
    """Give what opens and seals the states of the server `name`; for the same name and keys it is the same everywhere."""
    return Rounds(name, keys, clock=time.time, random=os.urandom, limits=limits)


def checked_keys(keys: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Give the keys. Raises: UsageError unless states can be sealed with them."""
    StateSealer(keys, os.urandom)
    return tuple(keys)
