"""Answers to what a task asks, checked where they arrive: perhaps in another process than the one that asked."""

from typing import Any

import msgspec

from ..errors import InvalidParams
from ..protocol.asking import Ask, CreateMessage, ElicitForm, ElicitUrl, ListRoots
from ..protocol.asking_answers import BadAnswer, read_answer
from ..wire import encode_value


def checked(asked: dict[str, bytes], responses: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    """Give those of the responses that answer something, each of which fits what was asked (MRTR-14).

    Raises: InvalidParams for one that does not.
    """
    answers: dict[str, bytes] = {}
    for key, response in responses.items():
        if key not in asked:
            continue
        try:
            read_answer(ask_of(msgspec.json.decode(asked[key])), response)
        except BadAnswer as error:
            raise InvalidParams(f"inputResponses.{key}: {error}") from error
        answers[key] = encode_value(response)
    return answers


def ask_of(request: dict[str, Any]) -> Ask:
    """Give what a request of ours asks, as far as its answer depends on it."""
    method, params = request["method"], request.get("params", {})
    if method == "roots/list":
        return ListRoots()
    if method == "sampling/createMessage":
        return CreateMessage(("?",), 1)
    if params.get("mode") == "url":
        return ElicitUrl(params["message"], params["url"])
    return ElicitForm(params["message"], params["requestedSchema"])
