# ruff: noqa: ASYNC109  -- the time of a request goes with it: when it is over, the server is told
"""The client for coroutines: a thin layer over the pending requests of `Client`. Needs no nesting of contexts or tasks."""

import asyncio
import contextlib
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..client import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Operation,
    PromptAnswer,
    PromptInfo,
    ReadAnswer,
    ResourceInfo,
    Rounds,
    TemplateInfo,
    ToolInfo,
    notices,
    operations,
)
from ..errors import InputRequired, PeerProtocolError, ReadingRoomError, RemoteError
from ..transport.pending import InFlight, OnProgress
from .async_subscription import AsyncSubscription
from .callbacks import answer_of
from .engine import Engine
from .listener import Listener, OnLost
from .listing import Listing

if TYPE_CHECKING:
    from .client import Client

_LOOK_SECONDS = 0.05

P = ParamSpec("P")
A = TypeVar("A", bound=Answer)


class AsyncClient:
    """The methods of a `Client`, to be awaited. Made by `async with client` or `client.aio`.

    Cancelling the task that awaits a call cancels the call on the server (CAN-1). It belongs to no event loop and no
    task: it may be opened in one and closed in another.
    """

    def __init__(self, client: "Client", engine: Engine) -> None:
        """Used by `Client.aio`: the client, and what both share."""
        self._client = client
        self._engine = engine

    async def open(self) -> "AsyncClient":
        """Do as `Client.open`. Callbacks that are coroutines run in this loop, where an older server asks."""
        self._engine.questions.loop = asyncio.get_running_loop()
        opening = asyncio.ensure_future(asyncio.to_thread(self._client.open))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.shield(self._abandon(opening))
            raise
        return self

    async def _abandon(self, opening: "asyncio.Future[Client]") -> None:
        """End an opening that nobody waits for: the thread cannot be interrupted, but what it waits for can be ended."""
        while not opening.done():
            await asyncio.to_thread(self._engine.abandon)
            await asyncio.wait([opening], timeout=_LOOK_SECONDS)
        opening.exception()
        await asyncio.to_thread(self._engine.abandon)

    async def close(self) -> None:
        """Do as `Client.close`; goes on to its end even when the task that awaits it is cancelled."""
        await asyncio.shield(asyncio.to_thread(self._client.close))

    @property
    def server(self) -> Discovery:
        """What the server said of itself when the client was opened."""
        return self._client.server

    @property
    def violations(self) -> tuple[int, list[PeerProtocolError]]:
        """How many times the server broke a rule, and the last of them."""
        return self._client.violations

    async def discover(self, *, timeout: float | None = None) -> Discovery:
        """Do as `Client.discover`."""
        if self._engine.is_older:
            return self._engine.server
        return self._engine.checked(await self._ask(operations.discover(), Discovery, timeout, keep=True))

    async def list_tools(self, *, timeout: float | None = None) -> list[ToolInfo]:
        """Do as `Client.list_tools`."""
        return await self._list("tools", timeout)

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> CallToolAnswer:
        """Do as `Client.call_tool`; `on_progress` is called in the event loop."""
        operation = operations.call_tool(name, arguments)
        check = self._engine.check_of(name)
        answer = await self._ask(operation, CallToolAnswer, timeout, on_progress)
        check(answer)
        return answer

    async def list_resources(self, *, timeout: float | None = None) -> list[ResourceInfo]:
        """Do as `Client.list_resources`."""
        return await self._list("resources", timeout)

    async def list_templates(self, *, timeout: float | None = None) -> list[TemplateInfo]:
        """Do as `Client.list_templates`."""
        return await self._list("templates", timeout)

    async def read_resource(self, uri: str, *, timeout: float | None = None) -> ReadAnswer:
        """Do as `Client.read_resource`."""
        return await self._ask(operations.read_resource(uri), ReadAnswer, timeout, keep=True)

    async def list_prompts(self, *, timeout: float | None = None) -> list[PromptInfo]:
        """Do as `Client.list_prompts`."""
        return await self._list("prompts", timeout)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, timeout: float | None = None
    ) -> PromptAnswer:
        """Do as `Client.get_prompt`."""
        return await self._ask(operations.get_prompt(name, arguments), PromptAnswer, timeout)

    async def complete(
        self,
        ref: Mapping[str, str],
        name: str,
        value: str,
        *,
        arguments: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> CompleteAnswer:
        """Do as `Client.complete`."""
        operation = operations.complete(ref, name, value, arguments)
        return await self._ask(operation, CompleteAnswer, timeout)

    def listen(
        self,
        *,
        tools: bool = False,
        prompts: bool = False,
        resources: bool = False,
        uris: Sequence[str] = (),
        timeout: float | None = None,
        on_lost: OnLost | None = None,
    ) -> AsyncSubscription:
        """Do as `Client.listen`, for `async with` and `async for`; `on_lost` is called in a thread."""
        operation = notices.listen(tools=tools, prompts=prompts, resources=resources, uris=uris)
        return AsyncSubscription(Listener(self._engine, operation, timeout, on_lost))

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> dict[str, Any]:
        """Do as `Client.request`; many at once are made with `asyncio.gather` and its like."""
        pending = await self._settled(Operation(method, params), timeout, on_progress)
        return pending.result()

    async def _ask(
        self,
        operation: Operation,
        kind: type[A],
        timeout: float | None,
        on_progress: OnProgress | None = None,
        *,
        keep: bool = False,
    ) -> A:
        """Do as `Client._ask`."""
        if keep:
            answer = self._engine.fresh(operation) or await self._kept(operation, timeout)
        else:
            answer = (await self._settled(operation, timeout, on_progress)).answer()
        assert isinstance(answer, kind)  # noqa: S101  -- each method has one reader; for the type checker
        return answer

    async def _kept(
        self, operation: Operation, timeout: float | None, ceiling: float | None = None
    ) -> Answer | None:
        """Make a request and keep its answer."""
        keep = self._engine.keeper(operation)
        pending = await self._sent(operation, timeout, ceiling=ceiling)
        if isinstance(pending.error, InputRequired):
            return (await self._in_rounds(operation, pending.error, timeout)).answer()
        answer = pending.answer()
        keep(pending)
        return answer

    async def _list(self, kind: str, timeout: float | None) -> list[Any]:
        listing = Listing(self._engine, kind, timeout)
        while (operation := listing.next()) is not None:
            page = listing.fresh(operation)
            if page is None:
                try:
                    page = await self._kept(operation, *listing.times())
                except RemoteError as error:
                    listing.mend(error, operation)
                    continue
            listing.take(page)
        return listing.items()

    async def _settled(
        self, operation: Operation, timeout: float | None, on_progress: OnProgress | None = None
    ) -> InFlight:
        """Make a request, in as many rounds as it takes, and give the last one when it has ended, however that was."""
        pending = await self._sent(operation, timeout, on_progress)
        if isinstance(pending.error, InputRequired):
            return await self._in_rounds(operation, pending.error, timeout, on_progress)
        return pending

    async def _in_rounds(
        self,
        operation: Operation,
        asked: ReadingRoomError | None,
        timeout: float | None,
        on_progress: OnProgress | None = None,
    ) -> InFlight:
        """Answer what is asked and make the request again, until it has ended."""
        rounds = Rounds(operation, self._engine.builder.capabilities, self._engine.settings.max_rounds)
        while isinstance(asked, InputRequired):
            retry = await self._answered(rounds, asked)
            pending = await self._sent(retry, timeout, on_progress)
            asked = pending.error
        return pending

    async def _answered(self, rounds: Rounds, asked: InputRequired) -> Operation:
        """Have what is asked answered and give the request of the next round. Plain callbacks run in a thread."""
        asks = rounds.asks(asked)
        answers = {}
        for key, call in self._engine.calls_for(asks, asked).items():
            given = await asyncio.to_thread(call)
            answers[key] = answer_of(asks[key], await given if inspect.isawaitable(given) else given)
        await asyncio.sleep(rounds.pause())
        return rounds.retry(answers)

    async def _sent(
        self,
        operation: Operation,
        timeout: float | None,
        on_progress: OnProgress | None = None,
        *,
        ceiling: float | None = None,
    ) -> InFlight:
        """Send a request and give it when it has ended, however that was."""
        loop = asyncio.get_running_loop()
        relay = None if on_progress is None else _in_loop(loop, on_progress)
        if self._engine.has_room():
            pending = self._engine.send(operation, timeout, relay=relay, ceiling=ceiling)
        else:
            pending = await _unless_cancelled(
                asyncio.to_thread(self._engine.send, operation, timeout, relay=relay, ceiling=ceiling)
            )
        await _ended(pending, loop)
        return pending


async def _unless_cancelled(sending: Coroutine[Any, Any, InFlight]) -> InFlight:
    """Wait for a thread that sends; what it sends after the task was cancelled is withdrawn, for nobody waits for it."""
    sent = asyncio.ensure_future(sending)
    try:
        return await asyncio.shield(sent)
    except asyncio.CancelledError:
        sent.add_done_callback(_withdraw)
        raise


def _withdraw(sent: "asyncio.Future[InFlight]") -> None:
    if not sent.cancelled() and sent.exception() is None:
        sent.result().cancel()


async def _ended(pending: InFlight, loop: asyncio.AbstractEventLoop) -> None:
    """Wait until a request has ended; ends it when its time is over, or when the task is cancelled."""
    ended: asyncio.Future[None] = loop.create_future()
    pending.add_done_callback(_in_loop(loop, partial(_set, ended)))
    timer: asyncio.TimerHandle

    def look() -> None:
        nonlocal timer
        left = pending.left()
        # Progress may have moved the deadline since the timer was set.
        if left > 0:
            timer = loop.call_later(left, look)
        else:
            pending.expire()

    timer = loop.call_later(pending.left(), look)
    try:
        await ended
    except asyncio.CancelledError:
        pending.cancel()
        raise
    finally:
        timer.cancel()


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _in_loop(loop: asyncio.AbstractEventLoop, callback: Callable[P, object]) -> Callable[P, None]:
    """Make a function that has `callback` called in the loop; it does nothing once the loop has been closed."""

    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(partial(callback, *args, **kwargs))

    return call
