"""What a frame is, told by other means than the product's: a plain loop for the depth, the standard library for the JSON."""

import json
from typing import Any

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


class NotJson(ValueError):
    """The text is not strict JSON."""


class _OutOfRange:
    """Stands for a number that has no value here."""


def depth(text: str) -> int:
    """The most brackets that are open at once outside of strings; an unfinished string ends with the text."""
    deepest = level = place = 0
    while place < len(text):
        character = text[place]
        if character == '"':
            place += 1
            while place < len(text) and text[place] != '"':
                place += 2 if text[place] == "\\" else 1
        elif character in "[{":
            level += 1
            deepest = max(deepest, level)
        elif character in "]}":
            level -= 1
        place += 1
    return deepest


def strict_loads(text: str) -> Any:
    """The value, with numbers out of range as markers. Raises NotJson."""
    try:
        value = json.loads(
            text, parse_constant=_refuse, parse_int=_integer, parse_float=_float, object_pairs_hook=_object
        )
    except ValueError as error:
        raise NotJson(str(error)) from error
    _check_strings(value)
    return value


def is_out_of_range(value: Any) -> bool:
    """Whether a value is, or holds, a number out of range."""
    if isinstance(value, dict):
        return any(map(is_out_of_range, value.values()))
    if isinstance(value, list):
        return any(map(is_out_of_range, value))
    return isinstance(value, _OutOfRange)


def classified(frame: bytes, nesting: int) -> tuple[Any, ...]:
    """What a frame is: its kind, its id, and what else tells it from others."""
    try:
        text = frame.decode()
    except UnicodeDecodeError:
        return ("fault", None, PARSE_ERROR)
    if depth(text) > nesting:
        return ("fault", ..., INVALID_REQUEST)
    try:
        value = strict_loads(text)
    except NotJson:
        return ("fault", None, PARSE_ERROR)
    if not isinstance(value, dict):
        return ("fault", None, INVALID_REQUEST)
    found = value.get("id")
    known = found if isinstance(found, str | int) and not isinstance(found, bool) else None
    answers = "result" in value or "error" in value
    if "method" not in value:
        return ("response", known) if answers else ("fault", known, INVALID_REQUEST)
    method = value["method"]
    if (
        answers
        or not isinstance(method, str)
        or ("id" in value and known is None)
        or value.get("jsonrpc") != "2.0"
    ):
        return ("fault", known, INVALID_REQUEST)
    if known is None:
        return ("notification", method)
    return ("request", known, method)


def _refuse(constant: str) -> Any:
    raise NotJson(constant)


def _integer(digits: str) -> Any:
    return int(digits) if len(digits.lstrip("-")) <= 4300 else _OutOfRange()


def _float(digits: str) -> Any:
    value = float(digits)
    return _OutOfRange() if value in (float("inf"), float("-inf")) else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, value in pairs:
        _check_strings(name)
        _check_strings(value)
    return dict(pairs)


def _check_strings(value: Any) -> None:
    """Objects have been checked when they were made."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise NotJson("lone surrogate") from error
    elif isinstance(value, list):
        for item in value:
            _check_strings(item)
