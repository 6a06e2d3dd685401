"""From an admitted request to the frame that answers it: finds the handler, runs it, turns what it gave into an answer.

One table turns exceptions into answers (`failures`). A carrier decides where `Work` runs: `run` for plain and quick
handlers, `run_async` for coroutines.
"""

from collections.abc import Callable
from typing import Any, cast

import msgspec

from ..errors import InvalidParams, MissingCapability, ResourceNotFound
from ..limits import DEFAULT_LIMITS, Limits
from ..protocol import (
    Admitted,
    CacheHint,
    CallParams,
    CallResult,
    CompleteParams,
    CompletionContext,
    Discovered,
    Implementation,
    PromptParams,
    PromptReference,
    ReadParams,
    Result,
    Sealer,
    Wrapper,
)
from ..wire import RequestId, encode
from .context import Context
from .failures import Failures
from .features import Mode, ToolEntry
from .listing import Listing
from .registry import Registry
from .values import completion_of, content_of, contents_of, messages_of

PUBLIC_DISCOVERY = CacheHint(60_000, "public")


class Work(msgspec.Struct, frozen=True, gc=False):
    """A request with its handler found: `begin` calls it with a context, `finish` makes a body of its value."""

    id: RequestId
    mode: Mode
    is_tool: bool
    begin: Callable[[Any], Any]
    finish: Callable[[Any], bytes]


class Dispatcher:
    """Answers the admitted requests of one server. Many threads may use it at once."""

    def __init__(
        self,
        registry: Registry,
        identity: Implementation,
        *,
        sealer: Sealer,
        failures: Failures,
        instructions: str | None = None,
        logging: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._registry = registry
        self._wrapper = Wrapper(identity)
        self._failures = failures
        self._logging = logging
        capabilities = registry.capabilities(logging=logging)
        self.capabilities = frozenset(capabilities)
        discovered = Discovered(capabilities, instructions=instructions or msgspec.UNSET)
        self._discovery = self._wrapper.body(discovered, PUBLIC_DISCOVERY)
        listing = Listing(registry, sealer, limits.page_items)
        self._routes: dict[str, Callable[[Admitted, str], Work]] = {
            "server/discover": self._discover,
            "tools/call": self._call_tool,
            "resources/read": self._read_resource,
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
            **{method: self._lister(listing, method) for method in listing.methods},
        }

    def route(self, request: Admitted, principal: str) -> Work:
        """Find what answers `request`. Raises: Refused when nothing does."""
        return self._routes[request.method](request, principal)

    def context(
        self, request: Admitted, flight: Any, emit: Callable[[Any, bytes], None], principal: str
    ) -> Context:
        """Give the context that the request's handler gets."""
        return Context(request.id, request.params.meta, flight, emit, principal, logging=self._logging)

    def run(self, work: Work, ctx: Any) -> bytes | None:
        """Run a plain or quick handler and give the answer's frame, or None when its request was cancelled."""
        try:
            return self._wrapper.answer_encoded(work.id, work.finish(work.begin(ctx)))
        except BaseException as error:  # noqa: BLE001  -- whatever a handler raises is answered, never lost
            return self.failed(work, error)

    async def run_async(self, work: Work, ctx: Any) -> bytes | None:
        """Run a coroutine handler and give the answer's frame, or None when its request was cancelled."""
        try:
            return self._wrapper.answer_encoded(work.id, work.finish(await work.begin(ctx)))
        except BaseException as error:  # noqa: BLE001
            return self.failed(work, error)

    def failed(self, work: Work, error: BaseException) -> bytes | None:
        """Give the frame that answers a failure, by the one table."""
        outcome = self._failures.outcome(error, is_tool=work.is_tool)
        if isinstance(outcome, CallResult):
            return self._wrapper.answer(work.id, outcome)
        return self._failures.encode(work.id, outcome)

    def refused(self, request_id: RequestId, error: BaseException) -> bytes | None:
        """Give the frame that answers a request for which nothing was found."""
        outcome = self._failures.outcome(error, is_tool=False)
        return None if isinstance(outcome, CallResult) else self._failures.encode(request_id, outcome)

    def _discover(self, request: Admitted, _principal: str) -> Work:
        return Work(request.id, "quick", False, _nothing, lambda _: self._discovery)

    def _call_tool(self, request: Admitted, _principal: str) -> Work:
        params = cast("CallParams", request.params)
        entry = self._registry.find_tool(params.name)
        if entry is None:
            raise InvalidParams(f"Unknown tool: {params.name}")
        text = b"{}" if params.arguments is msgspec.UNSET else bytes(params.arguments)
        if not text.startswith(b"{"):
            raise InvalidParams("arguments must be an object")
        if entry.requires is not None:
            _require(entry.requires, params.meta.capabilities)
        decode, call = entry.decode, entry.call
        return Work(request.id, entry.mode, True, lambda ctx: call(decode(text), ctx), self._tell_by(entry))

    def _tell_by(self, entry: ToolEntry) -> Callable[[Any], bytes]:
        output = entry.output
        if output is None:
            return self._tell_content
        return lambda value: self._tell_structured(value, output)

    def _tell_content(self, value: Any) -> bytes:
        return self._wrapper.body(value if isinstance(value, CallResult) else CallResult(content_of(value)))

    def _tell_structured(self, value: Any, output: Any) -> bytes:
        if value.__class__ is CallResult:
            return self._wrapper.body(output.checked(value))
        text = output.encode(value)
        # A text is shown as it is; any other value is shown as its JSON (TOOL-9).
        shown = text if value.__class__ is str else encode(text.decode())
        return self._wrapper.structured(shown, b'{"result":' + text + b"}" if output.wraps else text)

    def _read_resource(self, request: Admitted, _principal: str) -> Work:
        uri = cast("ReadParams", request.params).uri
        entry = self._registry.resources.get(uri)
        if entry is not None:
            call, hint, mime = entry.call, entry.hint, entry.listed.mime_type
            return self._reading(request, entry.mode, lambda ctx: call({}, ctx), uri, mime, hint)
        for template in self._registry.templates.values():
            variables = template.pattern.match(uri)
            if variables is not None:
                begin = _bind(template.call, variables)
                listed = template.listed
                return self._reading(request, template.mode, begin, uri, listed.mime_type, template.hint)
        raise ResourceNotFound(uri)

    def _reading(
        self,
        request: Admitted,
        mode: Mode,
        begin: Callable[[Any], Any],
        uri: str,
        mime: str | None,
        hint: CacheHint,
    ) -> Work:
        def finish(value: Any) -> bytes:
            if value is None:
                raise ResourceNotFound(uri)
            return self._wrapper.body(contents_of(value, uri, mime), hint)

        return Work(request.id, mode, False, begin, finish)

    def _get_prompt(self, request: Admitted, _principal: str) -> Work:
        params = cast("PromptParams", request.params)
        entry = self._registry.prompts.get(params.name)
        if entry is None:
            raise InvalidParams(f"Unknown prompt: {params.name}")
        given, listed = params.arguments or {}, entry.listed
        known = {argument.name for argument in listed.arguments or ()}
        missing = [a.name for a in listed.arguments or () if a.required and a.name not in given]
        unknown = sorted(given.keys() - known)
        if missing or unknown:
            what = f"Missing argument: {missing[0]}" if missing else f"Unknown argument: {unknown[0]}"
            raise InvalidParams(what)
        call = entry.call
        return Work(
            request.id,
            entry.mode,
            False,
            lambda ctx: call(given, ctx),
            lambda value: self._wrapper.body(messages_of(value, listed.description)),
        )

    def _complete(self, request: Admitted, _principal: str) -> Work:
        params = cast("CompleteParams", request.params)
        ref, argument = params.ref, params.argument
        owner, is_known = self._owner_of(ref)
        if not is_known:
            raise InvalidParams(f"Unknown reference: {owner}")
        context = params.context
        arguments = (context.arguments if isinstance(context, CompletionContext) else None) or {}
        entry = self._registry.completions.get((owner, argument.name))
        if entry is None:
            return Work(request.id, "quick", False, _nothing, lambda _: self._tell_completion(()))
        call = entry.call
        begin: Callable[[Any], Any] = lambda ctx: call(argument.value, arguments, ctx)  # noqa: E731
        return Work(request.id, entry.mode, False, begin, self._tell_completion)

    def _owner_of(self, ref: Any) -> tuple[str, bool]:
        if isinstance(ref, PromptReference):
            return ref.name, ref.name in self._registry.prompts
        return ref.uri, ref.uri in self._registry.templates or ref.uri in self._registry.resources

    def _tell_completion(self, value: Any) -> bytes:
        return self._wrapper.body(completion_of(value))

    def _lister(self, listing: Listing, method: str) -> Callable[[Admitted, str], Work]:
        def route(request: Admitted, principal: str) -> Work:
            mode, begin, finish = listing.page(method, request, principal)
            hint = listing.hint

            def tell(value: Any) -> bytes:
                result: Result = finish(value)
                return self._wrapper.body(result, hint)

            return Work(request.id, mode, False, begin, tell)

        return route


def _nothing(_ctx: Any) -> None:
    return None


def _bind(call: Callable[[dict[str, str], Any], Any], variables: dict[str, str]) -> Callable[[Any], Any]:
    return lambda ctx: call(variables, ctx)


def _require(required: dict[str, Any], declared: dict[str, Any]) -> None:
    """Refuse unless the client declared what the tool needs, on this request (META-11)."""
    missing = {name: value for name, value in required.items() if not _declares(declared, name, value)}
    if missing:
        raise MissingCapability(missing)


def _declares(declared: dict[str, Any], name: str, wanted: Any) -> bool:
    have = declared.get(name)
    if not isinstance(have, dict):
        return False
    return (
        all(_declares(have, inner, value) for inner, value in wanted.items())
        if isinstance(wanted, dict)
        else True
    )
