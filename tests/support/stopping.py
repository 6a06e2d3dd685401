"""Code that is stopped at one of the system calls by which it changes files, or fails there."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from readingroom.library.operator import moving

CALLS = ("open", "write", "fchmod", "fsync", "replace", "link", "unlink", "mkdir", "rmdir")


class Stopped(BaseException):
    """What stands for the end of the process."""


class Points:
    """Counts the calls, and at the one whose turn it is does `act`: before the call, or after it.

    With `every`, at each one from there on.
    """

    def __init__(
        self, turn: int, act: Callable[[], None], *, after: bool = False, every: bool = False
    ) -> None:
        self._turn = turn
        self._act = act
        self._after = after
        self._every = every
        self.count = 0
        self.calls: list[str] = []

    def call(self, name: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Make the call, or stop at it."""
        self.count += 1
        self.calls.append(name)
        due = self.count == self._turn or (self._every and self.count > self._turn > 0)
        if due and not self._after:
            self._act()
        try:
            result = function(*args, **kwargs)
        except OSError:
            if due and self._after:
                self._act()
            raise
        if due and self._after:
            if name == "open":
                os.close(result)  # as the end of a process does
            self._act()
        return result


@contextmanager
def hooked(points: Points, names: tuple[str, ...] = CALLS) -> Iterator[None]:
    """Let `points` have a say in each of these calls of `os`, and in the moves that have no place in it."""
    kept = {name: getattr(os, name) for name in names}
    renamed = moving._renamed

    def wrapped(name: str) -> Callable[..., Any]:
        return lambda *args, **kwargs: points.call(name, kept[name], *args, **kwargs)

    for name in names:
        setattr(os, name, wrapped(name))
    if "replace" in names:
        moving._renamed = lambda *args: points.call("renameat2", renamed, *args)
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(os, name, function)
        moving._renamed = renamed


def stop() -> None:
    """End here."""
    raise Stopped


def failing(number: int) -> Callable[[], None]:
    """Let the call fail with the error of this number."""

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail
