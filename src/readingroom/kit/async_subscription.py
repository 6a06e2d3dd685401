"""A subscription to changes for coroutines: a thin layer over the listener that `Subscription` uses too."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Self

from ..client.notices import Notice
from ..errors import ReadingRoomError
from .listener import Listener, next_of

if TYPE_CHECKING:
    from types import TracebackType

_LOOK_SECONDS = 1.0


class AsyncSubscription:
    """The same as `Subscription` for coroutines: `async with`, `async for`. Made by `AsyncClient.listen`."""

    def __init__(self, listener: Listener) -> None:
        """Used by `AsyncClient.listen`."""
        self._listener = listener

    @property
    def granted(self) -> dict[str, Any]:
        """Do as `Subscription.granted`."""
        return dict(self._listener.granted or {})

    async def __aenter__(self) -> Self:
        loop, news = asyncio.get_running_loop(), asyncio.Event()
        self._news = news

        def wake() -> None:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(news.set)

        self._listener.box.wake = wake
        try:
            await asyncio.to_thread(self._listener.begin)
        except asyncio.CancelledError:
            self._listener.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it; does not wait for anything."""
        self._listener.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Notice:
        while True:
            self._news.clear()
            try:
                found = next_of(self._listener)
            except StopIteration:
                raise StopAsyncIteration from None
            if isinstance(found, ReadingRoomError):
                await asyncio.to_thread(self._listener.renew, found)
            elif found is not None:
                return found
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), _LOOK_SECONDS)
