"""What a server asks of this client, as values, and what is answered, as the protocol says it (requirements §9.1, §11).

Both are checked: what is asked before a callback sees it, and what a callback gave before it is sent (ELIC-5, MRTR-16).
Knows neither callbacks nor connections.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..errors import UsageError
from ..protocol.asking import Ask, CreateMessage, ElicitForm, ElicitUrl, ListRoots, needed, undeclared
from ..protocol.asking_answers import BadAnswer, Elicited, Root, RootList, Sampled, read_answer
from ..protocol.forms import EVERYWHERE, FORM, KEYWORDS, names_secret
from .shapes import Violation
from .values import Object

METHODS = ("elicitation/create", "sampling/createMessage", "roots/list")
"""What a server may ask (MRTR-3)."""

_SAMPLING = {
    "systemPrompt": "system_prompt",
    "includeContext": "include_context",
    "temperature": "temperature",
    "stopSequences": "stop_sequences",
    "modelPreferences": "model_preferences",
    "metadata": "metadata",
    "tools": "tools",
    "toolChoice": "tool_choice",
}


def ask_of(request: Object, capabilities: Object) -> Ask:
    """Read what is asked of a client that declared `capabilities`.

    Raises: Violation for what is unknown (MRTR-3), was not declared (MRTR-4, ELIC-1, SAMP-1) or is malformed (ELIC-2,
    ELIC-3, SAMP-2, SAMP-3).
    """
    method = request.get("method")
    if method not in METHODS:
        raise Violation("MRTR-3", f"inputRequests hold the unknown method {method!r:.40}")
    name = method.split("/")[0]
    if not isinstance(capabilities.get(name), dict):
        raise Violation("MRTR-4", f"the server asks for {method}, which was not declared")
    params = request.get("params", {})
    if not isinstance(params, dict):
        raise Violation("MRTR-3", f"the params of {method} must be an object")
    if name == "roots":
        return ListRoots()
    return _elicitation(params, capabilities) if name == "elicitation" else _sampling(params, capabilities)


def _elicitation(params: Object, capabilities: Object) -> ElicitForm | ElicitUrl:
    mode = params.get("mode", "form")
    if not isinstance(mode, str) or undeclared({"elicitation": {mode: {}}}, capabilities):
        raise Violation("ELIC-1", "the server asks for a mode of elicitation that was not declared")
    message = params.get("message")
    if not isinstance(message, str):
        raise Violation("ELIC-2", "the message of an elicitation must be a text")
    if mode == "form":
        return _form(message, params.get("requestedSchema"))
    try:
        return ElicitUrl(message, params.get("url"))  # type: ignore[arg-type]  # it checks what it is given
    except UsageError as error:
        raise Violation("ELIC-2", str(error)) from None


def _form(message: str, schema: Any) -> ElicitForm:
    if not isinstance(schema, dict):
        raise Violation("ELIC-2", "an elicitation must have a requestedSchema, which is an object")
    try:
        return ElicitForm(message, _known(schema))
    except UsageError as error:
        secret = any(names_secret(name) for name in schema.get("properties", {}))
        raise Violation("ELIC-6" if secret else "ELIC-3", str(error)) from None


def _known(schema: Object) -> Object:
    """Leave out what a form does not say: schemas made by libraries say more than is asked, and mean nothing by it."""
    kept = {key: value for key, value in schema.items() if key in FORM}
    properties = kept.get("properties")
    if isinstance(properties, dict):
        kept["properties"] = {name: _known_field(field) for name, field in properties.items()}
    return kept


def _known_field(field: Any) -> Any:
    kind = field.get("type") if isinstance(field, dict) else None
    known = KEYWORDS.get(kind) if isinstance(kind, str) else None
    if known is None:
        return field
    # What cannot be in a form at all is left for the check to find.
    nested = ("properties", "$ref", "allOf", "anyOf", "not")
    return {key: value for key, value in field.items() if key in EVERYWHERE | known or key in nested}


def _sampling(params: Object, capabilities: Object) -> CreateMessage:
    messages, most = params.get("messages"), params.get("maxTokens")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise Violation("SAMP-2", "messages must be an array of messages")
    given: Object = {ours: params[theirs] for theirs, ours in _SAMPLING.items() if theirs in params}
    try:
        ask = CreateMessage(messages, most, **given)  # type: ignore[arg-type]  # it checks what it is given
    except UsageError as error:
        rule = "SAMP-3" if "use of a tool" in str(error) or "tool_result" in str(error) else "SAMP-2"
        raise Violation(rule, str(error)) from None
    # A context that was not declared is something a server should not ask for, and a client need not give (SAMP-1).
    wanted = {"sampling": {key: value for key, value in needed(ask)["sampling"].items() if key == "tools"}}
    if undeclared(wanted, capabilities):
        raise Violation("SAMP-1", "the server gives tools to the model, which was not declared")
    return ask


def answer_of(ask: Ask, given: Any) -> Object:
    """Give the answer to `ask` as it is sent, made of what a callback gave, and checked against what was asked.

    Raises: UsageError for what does not fit.
    """
    answer: Object = _MAKERS[type(ask)](ask, given)
    try:
        read_answer(ask, answer)
    except BadAnswer as error:
        raise UsageError(f"the callback's answer does not fit what was asked: {error}") from error
    return answer


def _form_answer(ask: ElicitForm, given: Any) -> Object:
    if given is None:
        return {"action": "cancel"}
    if isinstance(given, Mapping):
        given = Elicited("accept", dict(given))
    if not isinstance(given, Elicited):
        raise UsageError(f"a form is answered with Elicited, a mapping or None, not {type(given).__name__}")
    if given.action != "accept":
        return {"action": given.action}
    content = dict(given.content or {})
    for name, field in ask.schema["properties"].items():
        if "default" in field:
            content.setdefault(name, field["default"])
    return {"action": "accept", "content": content}


def _url_answer(_ask: ElicitUrl, given: Any) -> Object:
    if isinstance(given, Elicited):
        return {"action": given.action}
    if given is not None and not isinstance(given, bool):
        raise UsageError(f"an address is answered with True, False or None, not {type(given).__name__}")
    return {"action": "cancel" if given is None else "accept" if given else "decline"}


def _sampled_answer(_ask: CreateMessage, given: Any) -> Object:
    if not isinstance(given, Sampled):
        raise UsageError(f"a request for a message is answered with Sampled, not {type(given).__name__}")
    made: Object = msgspec.to_builtins(given)
    return {name: value for name, value in made.items() if value is not None}


def _roots_answer(_ask: ListRoots, given: Any) -> Object:
    if isinstance(given, RootList):
        given = given.roots
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UsageError("roots are several: give a list of them")
    return {"roots": [_root(one) for one in given]}


def _root(one: Any) -> Object:
    """Give a root as it is sent; it may be an address, a pair with a name, or a Root."""
    if isinstance(one, Root):
        one = (one.uri, one.name)
    uri, name = one if isinstance(one, tuple) and len(one) == 2 else (one, None)
    return {"uri": uri} if name is None else {"uri": uri, "name": name}


_MAKERS: dict[type, Any] = {
    ElicitForm: _form_answer,
    ElicitUrl: _url_answer,
    CreateMessage: _sampled_answer,
    ListRoots: _roots_answer,
}
