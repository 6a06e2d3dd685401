"""From an admitted request to the frame that answers it: finds the handler, runs it, turns what it gave into an answer.

One table turns exceptions into answers (`failures`). A carrier decides where `Work` runs: `run` for plain and quick
handlers, `run_async` for coroutines.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import InvalidParams, MissingCapability, ResourceNotFound
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import (
    Admitted,
    CacheHint,
    CallResult,
    CompletionContext,
    Discovered,
    Implementation,
    PromptReference,
    Sealer,
    Wrapper,
)
from ..wire import RequestId, encode
from .connection import Flight
from .context import Asking, Context
from .failures import Error, Failures
from .faults import Abandoned
from .features import Mode, ResourceEntry, TemplateEntry, ToolEntry
from .listing import Listing
from .registry import Registry
from .schema import Output
from .values import completion_of, content_of, contents_of, messages_of

if TYPE_CHECKING:
    from ..protocol.asking import Ask
    from ..protocol.asking_answers import Answers
    from .hub import Hub, Subscription
    from .rounds import Rounds
    from .tasks import Tasks

_HOLDS_QUOTES = b'"[{'
PUBLIC_DISCOVERY = CacheHint(60_000, "public")


class Step(msgspec.Struct, frozen=True):
    """How requests of one kind are answered: `begin` calls the handler, `finish` makes a result's body of its value.

    `kind` and `name` say whose the handler is: `tool` and its name, `resource` and its address as registered.
    """

    mode: Mode
    begin: Callable[[Any, Any], Any]
    finish: Callable[[Any], bytes]
    wants_context: bool = True
    kind: str = "request"
    name: str = ""

    @property
    def feature(self) -> str:
        """The feature as the log names it."""
        return f"{self.kind} {self.name}"


class Work(msgspec.Struct, gc=False):
    """A request with the step that answers it, and what the step's handler is called with."""

    id: RequestId
    step: Step
    argument: Any


class Dispatcher:
    """Answers the admitted requests of one server. Many threads may use it at once."""

    def __init__(  # noqa: PLR0913  -- what a server is made of, each part by its name
        self,
        registry: Registry,
        identity: Implementation,
        *,
        sealer: Sealer,
        failures: Failures,
        instructions: str | None = None,
        logging: bool = False,
        rounds: "Callable[[], Rounds]",
        limits: Limits = DEFAULT_LIMITS,
        hub: "Hub | None" = None,
        tasks: "Tasks | None" = None,
    ) -> None:
        self._source = registry
        self._features = registry.snapshot()
        self._hub = hub
        self.notices = hub.served if hub else ()
        self.name = identity.name
        self._wrapper = Wrapper(identity)
        self._answer = self._wrapper.answer_encoded
        self._failures = failures
        self._logging = logging
        self._rounds, self._asks = rounds, self._ask
        capabilities = registry.capabilities(logging=logging, notices=hub.served if hub else ())
        served = [*capabilities, *(["subscriptions"] if hub else ()), *(["tasks"] if tasks else ())]
        self.capabilities = frozenset(served)
        if tasks:
            capabilities["extensions"] = tasks.extensions
        discovered = Discovered(capabilities, instructions=instructions or msgspec.UNSET)
        self._discovery = self._wrapper.body(discovered, PUBLIC_DISCOVERY)
        self._listing = Listing(self._features, sealer, limits.page_items)
        self.refresh()
        self._discovered = Step("quick", _nothing, lambda _: self._discovery, wants_context=False)
        self._routes: dict[str, Callable[[Admitted, str], Work]] = {
            "server/discover": self._discover,
            "tools/call": self._call_tool,
            "resources/read": self._read_resource,
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
            "subscriptions/listen": _listen,
            **{method: self._lister(self._listing, method) for method in Listing.methods},
        }
        if tasks:
            from .task_calls import TaskCalls

            self._task_calls = TaskCalls(self, tasks, self._wrapper)
            self._routes.update(self._task_calls.routes())

    def refresh(self) -> None:
        """Serve what is registered by now from here on, and all of that at once. Called by one thread at a time."""
        features = self._source.snapshot()
        named = {**features.aliases, **features.tools}
        self._tools = {
            name: (entry.requires, self._tool_step(entry), entry.task) for name, entry in named.items()
        }
        self.scopes = {name: entry.scopes for name, entry in named.items() if entry.scopes}
        self.mirrors = {name: entry.mirrors for name, entry in named.items() if entry.mirrors}
        self._features = self._listing.features = features

    def route(self, request: Admitted, principal: str) -> Work:
        """Find what answers `request`. Raises: Refused when nothing does."""
        return self._routes[request.method](request, principal)

    def context(
        self, request: Admitted, flight: Flight, emit: Callable[[Flight, bytes], None], principal: str
    ) -> Context:
        """Give the context that the request's handler gets."""
        meta, asks = request.params.meta, self._asks
        return Context(request.id, meta, flight, emit, principal, logging=self._logging, asks=asks)

    def _ask(self, ctx: Context, request: Admitted, requests: "dict[str, Ask]") -> "Answers[Any]":
        return self._rounds().ask(ctx, request, requests)

    def listen(self, request: Admitted, principal: str, wake: Callable[[], None]) -> "Subscription":
        """Open the subscription that a request of mode `listen` asks for; `wake` is called when there is something to take.

        Raises: Refused.
        """
        assert self._hub is not None  # noqa: S101  -- admission lets no listen in without it; for the type checker
        return self._hub.listen(request, principal, wake, self._wrapper)

    def run(self, work: Work, ctx: Context | None) -> bytes | None:
        """Run a plain or quick handler and give the answer's frame, or None when its request was cancelled."""
        try:
            step = work.step
            return self._answer(work.id, step.finish(step.begin(work.argument, ctx)))
        except BaseException as error:  # noqa: BLE001  -- whatever a handler raises is answered, never lost
            return self.failed(work, error)

    async def run_async(self, work: Work, ctx: Context | None) -> bytes | None:
        """Run a coroutine handler and give the answer's frame, or None when its request was cancelled."""
        try:
            return await self.perform_async(work, ctx)
        except BaseException as error:  # noqa: BLE001  -- as above
            return self.failed(work, error)

    def perform(self, work: Work, ctx: Context | None) -> bytes:
        """Run like `run`, for a carrier that wants to know of failures; it hands them to `failed`. Raises: whatever."""
        step = work.step
        return self._answer(work.id, step.finish(step.begin(work.argument, ctx)))

    async def perform_async(self, work: Work, ctx: Context | None) -> bytes:
        """Run a coroutine handler like `perform`. Raises: whatever."""
        step = work.step
        return self._answer(work.id, step.finish(await step.begin(work.argument, ctx)))

    def failed(self, work: Work, error: BaseException) -> bytes | None:
        """Give the frame that answers a failure, by the one table; None when its request was cancelled.

        A handler that asks for input has not failed: its answer is what it asks.
        """
        step = work.step
        if isinstance(error, Asking):
            from .rounds import input_required

            return self._answer(work.id, input_required(self._wrapper, error))
        try:
            outcome = self._failures.outcome(error, is_tool=step.kind == "tool", feature=step.feature)
            if isinstance(outcome, CallResult):
                return self._wrapper.answer(work.id, outcome)
        except Exception as unspeakable:  # noqa: BLE001  -- what a failure says of itself is the handler's too
            outcome = self._failures.masked(unspeakable, step.feature)
        return None if outcome is None else self._failures.encode(work.id, outcome)

    def refused(self, request: Admitted, error: Exception) -> bytes:
        """Give the frame that answers a request for which nothing was found."""
        feature = f"request {request.method}"
        outcome = self._failures.outcome(error, is_tool=False, feature=feature)
        return self._failures.encode(
            request.id, outcome if isinstance(outcome, Error) else self._failures.masked(error, feature)
        )

    def abandoned(self, work: Work) -> bytes:
        """Give the frame that answers a request whose handler ended as if it had been cancelled, when it was not."""
        return self._failures.encode(work.id, self._failures.masked(Abandoned(), work.step.feature))

    def _discover(self, request: Admitted, _principal: str) -> Work:
        return Work(request.id, self._discovered, None)

    def _call_tool(self, request: Admitted, principal: str) -> Work:
        params: Any = request.params
        if params.request_state is not msgspec.UNSET:
            self._rounds().open(request, principal)
        found = self._tools.get(params.name)
        if found is None:
            raise InvalidParams(f"Unknown tool: {params.name}")
        requires, step, task = found
        if requires is not None:
            _require(requires, params.meta.capabilities)
        if task is not None:
            step = self._task_calls.step(step, request, principal, task)
        text = params.arguments
        return Work(request.id, step, b"{}" if text is msgspec.UNSET else text)

    def _tool_step(self, entry: ToolEntry) -> Step:
        decode, call, output = entry.decode, entry.call, entry.output
        finish = self._tell_content if output is None else self._teller(output)

        def begin(text: bytes, ctx: Context | None) -> Any:
            return call(decode(text), ctx)

        return Step(entry.mode, begin, finish, entry.wants_context, "tool", entry.listed.name)

    def _teller(self, output: Output) -> Callable[[Any], bytes]:
        """Give what tells the values of one tool; made once, for it is on the way of every answer."""
        encode_value, structured, wraps = output.encode, self._wrapper.structured, output.wraps

        def tell(value: Any) -> bytes:
            kind = value.__class__
            if kind is CallResult:
                return self._wrapper.body(output.checked(value))
            text = encode_value(value)
            # A text is shown as it is; any other value is shown as its JSON (TOOL-9).
            if kind is str:
                shown = text
            elif text[0] in _HOLDS_QUOTES:
                shown = encode(text.decode())
            else:
                shown = b'"' + text + b'"'
            return structured(shown, b'{"result":' + text + b"}" if wraps else text)

        return tell

    def _tell_content(self, value: Any) -> bytes:
        return self._wrapper.body(value if isinstance(value, CallResult) else CallResult(content_of(value)))

    def _read_resource(self, request: Admitted, principal: str) -> Work:
        params: Any = request.params
        if params.request_state is not msgspec.UNSET:
            self._rounds().open(request, principal)
        uri = params.uri
        entry = self._features.resources.get(uri)
        if entry is not None:
            return self._reading(request, entry, uri, {}, uri)
        for template in self._features.templates.values():
            variables = template.pattern.match(uri)
            if variables is not None:
                return self._reading(request, template, uri, variables, template.pattern.template)
        raise ResourceNotFound(uri)

    def _reading(
        self,
        request: Admitted,
        entry: ResourceEntry | TemplateEntry,
        uri: str,
        variables: dict[str, str],
        registered: str,
    ) -> Work:
        params: Any = request.params
        # What was answered after input is not for the next who reads without any (MRTR-17).
        has_input = params.input_responses is not msgspec.UNSET or params.request_state is not msgspec.UNSET
        hint = CacheHint() if has_input else entry.hint

        def finish(value: Any) -> bytes:
            if value is None:
                raise ResourceNotFound(uri)
            return self._wrapper.body(contents_of(value, uri, entry.listed.mime_type), hint)

        step = Step(entry.mode, entry.call, finish, kind="resource", name=registered)
        return Work(request.id, step, variables)

    def _get_prompt(self, request: Admitted, principal: str) -> Work:
        params: Any = request.params
        if params.request_state is not msgspec.UNSET:
            self._rounds().open(request, principal)
        entry = self._features.prompts.get(params.name)
        if entry is None:
            raise InvalidParams(f"Unknown prompt: {params.name}")
        given, listed = params.arguments or {}, entry.listed
        known = {argument.name for argument in listed.arguments or ()}
        missing = [a.name for a in listed.arguments or () if a.required and a.name not in given]
        unknown = sorted(given.keys() - known)
        if missing or unknown:
            what = f"Missing argument: {missing[0]}" if missing else f"Unknown argument: {unknown[0]}"
            raise InvalidParams(what)

        def finish(value: Any) -> bytes:
            return self._wrapper.body(messages_of(value, listed.description))

        return Work(request.id, Step(entry.mode, entry.call, finish, kind="prompt", name=listed.name), given)

    def _complete(self, request: Admitted, _principal: str) -> Work:
        params: Any = request.params
        ref, argument = params.ref, params.argument
        owner, is_known = self._owner_of(ref)
        if not is_known:
            raise InvalidParams(f"Unknown reference: {owner}")
        context = params.context
        arguments = (context.arguments if isinstance(context, CompletionContext) else None) or {}
        entry = self._features.completions.get((owner, argument.name))
        if entry is None:
            return Work(request.id, Step("quick", _nothing, lambda _: self._tell_completion(())), None)
        call = entry.call

        def begin(value: str, ctx: Context | None) -> Any:
            return call(value, arguments, ctx)

        name = f"{owner}, argument {argument.name}"
        step = Step(entry.mode, begin, self._tell_completion, kind="completion", name=name)
        return Work(request.id, step, argument.value)

    def _owner_of(self, ref: Any) -> tuple[str, bool]:
        if isinstance(ref, PromptReference):
            return ref.name, ref.name in self._features.prompts
        return ref.uri, ref.uri in self._features.templates or ref.uri in self._features.resources

    def _tell_completion(self, value: Any) -> bytes:
        return self._wrapper.body(completion_of(value))

    def _lister(self, listing: Listing, method: str) -> Callable[[Admitted, str], Work]:
        def route(request: Admitted, principal: str) -> Work:
            page = listing.page(method, request, principal)
            begin, finish = page.begin, page.finish
            step = Step(
                page.mode,
                lambda _, ctx: begin(ctx),
                lambda value: self._wrapper.body(finish(value), listing.hint),
                name=method,
            )
            return Work(request.id, step, None)

        return route


def _listen(request: Admitted, _principal: str) -> Work:
    return Work(request.id, _LISTEN, None)


def _nothing(_argument: Any, _ctx: Any) -> None:
    return None


# Not to be run: a carrier that does so all the same gets an error from what makes bytes of nothing.
_LISTEN = Step("listen", _nothing, bytes, wants_context=False, name="subscriptions/listen")


def _require(required: dict[str, Any], declared: dict[str, Any]) -> None:
    """Refuse unless the client declared what the tool needs, on this request (META-11)."""
    from ..protocol.asking import undeclared

    missing = undeclared(required, declared)
    if missing:
        raise MissingCapability(missing)
