"""What `Context.detach` gives: whether the request has become a task, in coroutines after awaiting it."""

from collections.abc import Callable, Coroutine, Generator
from typing import Any

from ..errors import UsageError


async def _same(value: bool) -> bool:
    return value


class Detached:
    """Whether the request has become a task. Awaiting it gives the same."""

    __slots__ = ("_is_task",)

    def __init__(self, is_task: bool) -> None:
        self._is_task = is_task

    def __bool__(self) -> bool:
        return self._is_task

    def __repr__(self) -> str:
        return repr(self._is_task)

    def __await__(self) -> Generator[Any, None, bool]:
        return _same(self._is_task).__await__()


class Detaching(Detached):
    """What a coroutine gets: its request becomes a task when it awaits this."""

    __slots__ = ("_begin",)

    def __init__(self, begin: Callable[[], Coroutine[Any, Any, bool]]) -> None:
        super().__init__(False)
        self._begin = begin

    def __bool__(self) -> bool:
        raise UsageError("in a coroutine a request becomes a task by `await ctx.detach()`")

    def __str__(self) -> str:
        raise UsageError("in a coroutine a request becomes a task by `await ctx.detach()`")

    def __repr__(self) -> str:
        return "<await ctx.detach()>"

    def __await__(self) -> Generator[Any, None, bool]:
        return self._begin().__await__()
