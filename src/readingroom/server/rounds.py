"""Rounds: a handler asks its client for input, the request ends, and the next one brings the answers (MRTR-1 to MRTR-18).

The handler runs anew in every round; answers of earlier ones travel in `requestState`, sealed (protocol/state_sealing.py),
so that nothing is kept here. An answer counts for the question as it was asked: a handler that asks something else under
the same name, because the world has changed, is not given it.

Two seams, both at `Context.asks`, which `Context.ask` calls when the request and the client's capabilities allow it:

- Whoever runs handlers without states sets it to `Round().ask`, and calls the handler in a loop: on `Asking` it gets answers
  to `asking.requests` by its own means and sets the next context's `asks` to `asking.ended.after(answers).ask`. Answers
  that do not fit are asked for again.
- Whoever answers while the handler goes on, as tasks do, sets it to a function of its own, which gives `Answers`, for a
  coroutine's handler an `Answers` whose `__await__` waits; `protocol.asking_answers.read_answer` checks what came.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from ..errors import InvalidParams, MissingCapability, UsageError
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import Admitted, BadSeal, RoundParams, Wrapper
from ..protocol.asking import Ask, embedded, needed, undeclared
from ..protocol.asking_answers import Answer, Answers, BadAnswer, read_answer
from ..protocol.salient import salient
from ..protocol.state_sealing import StateSealer
from ..wire import encode_value
from .context import Asking, Context

__all__ = ["Asking", "Round", "Rounds", "input_required", "requested"]

_Object: TypeAlias = dict[str, Any]


class _State(msgspec.Struct, array_like=True):
    """What is sealed: how many rounds there have been, the answers by question, and the questions that are open, by key."""

    number: int
    answers: dict[str, _Object]
    asked: dict[str, str]


class Round:
    """One run of a handler, and the answers that are known in it.

    `fresh` are answers as they came with the request, by the names of the requests. In a first round, which nobody has
    asked anything yet, they are taken for what the handler asks by these names (MRTR-15).
    """

    __slots__ = ("_asked", "_fresh", "_limits", "_state")

    def __init__(
        self,
        fresh: Mapping[str, _Object] | None = None,
        state: _State | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._fresh = dict(fresh or {})
        self._state = state or _State(0, {}, {})
        self._limits = limits

    def ask(self, _ctx: Context, _request: Admitted, requests: dict[str, Ask]) -> Answers[Any]:
        """Give the answers to all requests.

        Raises: Asking, with those that are not answered; InvalidParams after too many rounds.
        """
        answers: dict[str, Answer] = {}
        missing: dict[str, str] = {}
        for name, ask in requests.items():
            question = _question(name, ask)
            answer = self._find(name, question, ask)
            if answer is None:
                missing[name] = question
            else:
                answers[name] = answer
        if not missing:
            return Answers(answers)
        number = self._state.number + 1
        if number > self._limits.rounds:
            raise InvalidParams(
                f"The client was asked {self._limits.rounds} times and has not given what is needed"
            )
        self._state = _State(number, self._state.answers, missing)
        raise Asking({name: requests[name] for name in missing}, self)

    def after(self, answers: Mapping[str, _Object]) -> "Round":
        """Give the round that follows this one, in which these answers have come."""
        return Round(answers, self._state, self._limits)

    def encode(self) -> bytes:
        """Encode what the next round must know. Raises: InvalidParams when the answers are too large."""
        text = msgspec.json.encode(self._state)
        if len(text) > self._limits.state_bytes:
            raise InvalidParams(f"The answers are larger than {self._limits.state_bytes} bytes together")
        return text

    def _find(self, name: str, question: str, ask: Ask) -> Answer | None:
        """Give the answer to a question; None when there is none, or one that does not fit (MRTR-13, MRTR-14)."""
        raw = self._state.answers.get(question)
        if raw is None and (self._state.number == 0 or self._state.asked.get(name) == question):
            raw = self._fresh.pop(name, None)
        if raw is None:
            return None
        try:
            answer = read_answer(ask, raw)
        except BadAnswer:
            return None
        self._state.answers[question] = raw
        return answer


class Rounds:
    """What opens and seals the states of one server; replicas have its name and its keys.

    `clock` gives seconds that replicas agree on, `random` bytes that nobody can foresee.
    """

    __slots__ = ("_clock", "_limits", "_name", "_sealer")

    def __init__(
        self,
        name: str,
        keys: tuple[bytes, ...],
        *,
        clock: Callable[[], float],
        random: Callable[[int], bytes],
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._name = name
        self._sealer = StateSealer(keys, random)
        self._clock = clock
        self._limits = limits

    def open(self, request: Admitted, principal: str) -> Round:
        """Give the round that a request begins.

        Raises: InvalidParams for a state that this server did not give for this very request and principal, or that has
        expired (MRTR-11, MRTR-12).
        """
        params: Any = request.params
        fresh, state = params.input_responses or None, params.request_state
        if not isinstance(state, str):
            return Round(fresh, limits=self._limits)
        # In base64 a state is a third longer; what is far longer is no state of ours, and is not even decoded.
        if len(state) > 2 * self._limits.state_bytes:
            raise InvalidParams("requestState rejected")
        try:
            opened = self._sealer.open(state, self._about(request, principal), self._clock())
        except (BadSeal, UsageError) as error:
            # Without cryptography no state was ever given.
            raise InvalidParams("requestState rejected") from error
        return Round(fresh, msgspec.json.decode(opened, type=_State), self._limits)

    def ask(self, ctx: Context, request: Admitted, requests: dict[str, Ask]) -> Answers[Any]:
        """Give the answers to what a handler asks first; further questions of it go to the same round.

        Raises: Asking, with the sealed state; InvalidParams; UsageError when `cryptography` is not installed.
        """
        round_ = self.open(request, ctx.principal)

        def ask(ctx: Context, request: Admitted, requests: dict[str, Ask]) -> Answers[Any]:
            try:
                return round_.ask(ctx, request, requests)
            except Asking as asking:
                expires = int(self._clock() + self._limits.round_seconds) + 1
                about = self._about(request, ctx.principal)
                asking.state = self._sealer.seal(round_.encode(), about, expires)
                raise

        ctx.asks = ask
        return ask(ctx, request, requests)

    def _about(self, request: Admitted, principal: str) -> tuple[str, ...]:
        return (self._name, request.method, *salient(request.params), principal)


def requested(ctx: Context, request: Admitted, requests: dict[str, Ask]) -> Answers[Any]:
    """Ask what a handler wants to know, if it may: `Context.ask` says what is raised.

    The client's capabilities are looked at first, so that nothing has been sent when one is lacking (MRTR-4, META-11).
    """
    if ctx.asks is None or not isinstance(request.params, RoundParams):
        raise UsageError(
            "only handlers of tools, prompts and resources may ask: no answer but theirs can carry a question"
        )
    if not requests or not all(isinstance(ask, Ask) for ask in requests.values()):
        raise UsageError(
            "ask with names: ctx.ask(ok=ElicitForm(...)), with ElicitForm, ElicitUrl, CreateMessage or ListRoots"
        )
    lacking: _Object = {}
    for ask in requests.values():
        for name, inner in undeclared(needed(ask), ctx.capabilities).items():
            lacking[name] = {**lacking.get(name, {}), **inner}
    if lacking:
        raise MissingCapability(lacking)
    return ctx.asks(ctx, request, requests)


def input_required(wrapper: Wrapper, asking: Asking) -> bytes:
    """Give the body of the answer that asks: what is asked and the sealed state, and no cache hints (MRTR-2, CACHE-2)."""
    return wrapper.asking({name: embedded(ask) for name, ask in asking.requests.items()}, asking.state)


def _question(name: str, ask: Ask) -> str:
    """Give what tells one question from every other: a digest of its name and its words."""
    import base64
    import hashlib

    text = encode_value([name, embedded(ask)])
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()[:18]).decode()
