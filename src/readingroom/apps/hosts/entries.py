"""One server in a configuration file: its entry, read into a Target. Pure.

An entry that cannot be used is a Target with a fault, so that the others of its file stay usable.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from ..targets import Target
from .expansion import Scope, Style, Unexpandable, expanded

_HTTP = frozenset(("http", "streamable-http", "streamablehttp", "streamable_http"))
_URLS = ("url", "httpUrl", "serverUrl")


class _Unusable(ValueError):
    """Why an entry cannot be used."""


class Reading(msgspec.Struct, frozen=True):
    """How the entries of one file are read. Variables in `given` come from elsewhere, and are not looked at here."""

    place: str
    style: Style
    scope: Scope
    given: frozenset[str] = frozenset()

    def text(self, value: Any, what: str) -> str:
        """Give a text with its variables expanded."""
        if not isinstance(value, str):
            raise _Unusable(f"{what} must be a text")
        return expanded(value, self.style, self.scope)

    def texts(self, value: Any, what: str) -> dict[str, str]:
        """Give an object of texts, expanded; numbers and booleans are written out, as the apps do."""
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise _Unusable(f"{what} must be an object of texts")
        return {name: self.text(_written(item), f"{what}.{name}") for name, item in value.items()}


def target_from(name: str, entry: Any, reading: Reading) -> Target:
    """Read an entry; whatever is wrong with it becomes the `fault` of what is given."""
    disabled = isinstance(entry, Mapping) and (entry.get("disabled") is True or entry.get("enabled") is False)
    try:
        target = _carrier(entry)(name, entry, reading)
    except (_Unusable, Unexpandable) as error:
        target = Target(name=name, place=reading.place, fault=str(error))
    return msgspec.structs.replace(target, is_disabled=disabled)


def _carrier(entry: Any) -> Callable[[str, Mapping[str, Any], Reading], Target]:
    if not isinstance(entry, Mapping):
        raise _Unusable("its entry must be an object")
    kind = str(entry.get("type") or entry.get("transport") or "").casefold()
    if kind == "sse":
        raise _Unusable("it is reached over HTTP+SSE, the oldest transport, which is not spoken here")
    has_url = any(name in entry for name in _URLS)
    if kind in _HTTP or (not kind and has_url and "command" not in entry):
        return _over_http
    if kind in ("", "stdio"):
        return _over_stdio
    raise _Unusable(f"its type {kind!r} is none that is known: stdio or http")


def _over_stdio(name: str, entry: Mapping[str, Any], reading: Reading) -> Target:
    if "envFile" in entry:
        raise _Unusable("it names an envFile, which is not read here; start it by its command after --")
    command = reading.text(entry.get("command"), "command")
    if not command:
        raise _Unusable("its command is empty")
    args = entry.get("args") or []
    if not isinstance(args, list):
        raise _Unusable("args must be an array of texts")
    env = entry.get("env")
    if isinstance(env, Mapping):
        env = {key: value for key, value in env.items() if key not in reading.given}
    variables = _passed(entry.get("env_vars"), reading) | reading.texts(env, "env")
    cwd = entry.get("cwd")
    return Target(
        name=name,
        command=(command, *(reading.text(_written(one), f"args.{at}") for at, one in enumerate(args))),
        cwd=None if cwd is None else reading.text(cwd, "cwd"),
        env=variables,
        place=reading.place,
    )


def _over_http(name: str, entry: Mapping[str, Any], reading: Reading) -> Target:
    url = next((entry[member] for member in ("httpUrl", "url", "serverUrl") if member in entry), None)
    headers = reading.texts(entry.get("headers") or entry.get("http_headers"), "headers")
    for header, variable in reading.texts(entry.get("env_http_headers"), "env_http_headers").items():
        headers[header] = _set(variable, reading)
    if "bearer_token_env_var" in entry:
        variable = reading.text(entry["bearer_token_env_var"], "bearer_token_env_var")
        headers["Authorization"] = f"Bearer {_set(variable, reading)}"
    return Target(name=name, url=reading.text(url, "url"), headers=headers, place=reading.place)


def _passed(names: Any, reading: Reading) -> dict[str, str]:
    """Give the variables that the entry has passed on by name, as far as they are set."""
    if names is None:
        return {}
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise _Unusable("env_vars must be an array of names")
    there = reading.scope.environment
    return {one: there[one] for one in names if one in there}


def _set(variable: str, reading: Reading) -> str:
    if variable not in reading.scope.environment:
        raise Unexpandable(f"it wants the variable {variable}, which is not set here")
    return reading.scope.environment[variable]


def _written(value: Any) -> Any:
    """Numbers and booleans as texts; whatever else is left for the check."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value
