"""A subscription over HTTP: a stream that begins with the acknowledgement and ends with the result, or with the client.

Events of a client that does not read wait in the subscription, where they are kept once each (SUB-15).
"""

import asyncio
from collections.abc import Callable

from ..limits import Limits
from ..server import Subscription
from .http_replies import KEEP_ALIVE, Receive, Send, is_gone, send_frames, send_raw, start_stream


class Listen:
    """One open `subscriptions/listen`. `wake` may be called from any thread, also before `subscription` is set."""

    def __init__(self, limits: Limits, *, is_authorized: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        seconds = limits.keep_alive_seconds
        self._interval = min(seconds, limits.revoked_seconds) if is_authorized else seconds
        self._is_over = False

    def wake(self) -> None:
        """Say that frames are due."""
        try:
            self._loop.call_soon_threadsafe(self._woken.set)
        except RuntimeError:
            return  # the loop is closed: nobody listens

    def stop(self) -> None:
        """End it from the server's side; on the loop's thread."""
        self._is_over = True
        self._woken.set()

    async def deliver(
        self, subscription: Subscription, receive: Receive, send: Send, holds: Callable[[], bool]
    ) -> None:
        """Send the acknowledgement, then what happens, until either side ends it.

        `holds` says whether the listener may still hear of it; once it may not, the stream ends.
        """
        gone = self._loop.create_task(is_gone(receive))
        gone.add_done_callback(lambda _: self._woken.set())
        try:
            await start_stream(send)
            await send_frames(send, [subscription.acknowledgement])
            while not gone.done():
                self._woken.clear()
                if self._is_over or not holds():
                    await send_frames(send, [frame for frame in (subscription.end(),) if frame], is_last=True)
                    return
                frames = subscription.take()
                if frames:
                    await send_frames(send, frames, is_last=subscription.ended)
                if subscription.ended:
                    return
                if not self._woken.is_set() and not await self._is_woken_soon():
                    await send_raw(send, KEEP_ALIVE)
        finally:
            subscription.close()
            gone.cancel()

    async def _is_woken_soon(self) -> bool:
        """Wait until something is due; false when it is time to show that the stream is alive."""
        try:
            async with asyncio.timeout(self._interval):
                await self._woken.wait()
        except TimeoutError:
            return False
        return True
