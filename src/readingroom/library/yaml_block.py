"""The YAML of front matter as plain texts, lists and mappings: nothing is guessed, nothing refers to anything.

PyYAML's parser gives the events; they are built here, so that aliases, anchors, doubled keys, depth and size are refused
rather than followed. Errors say where, never what: no text of the document is in them.
"""

from typing import Any, TypeAlias

import yaml

MAX_CHARACTERS = 64 * 1024
_MAX_DEPTH = 16

Value: TypeAlias = str | list[Any] | dict[str, Any]

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml where it is built in


class Broken(Exception):
    """The block is no YAML that is taken; the text says why, `line` where, counted from 0 in the block."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def load(block: str) -> Value | None:
    """What the block says, every scalar as text; None when it is empty. Raises Broken for what is not taken."""
    if len(block) > MAX_CHARACTERS:
        raise Broken(f"is longer than {MAX_CHARACTERS:,} characters")
    builder = _Builder()
    try:
        for event in yaml.parse(block, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        raise Broken(
            "is not valid YAML", getattr(getattr(error, "problem_mark", None), "line", None)
        ) from None
    return builder.value


class _Builder:
    """Takes the events in order; `value` is the document in the end."""

    def __init__(self) -> None:
        self.value: Value | None = None
        self._open: list[list[Value] | dict[str, Value]] = []
        self._keys: list[str | None] = []  # of each open one: the key whose value comes next
        self._documents = 0

    def take(self, event: Any) -> None:
        if getattr(event, "anchor", None) is not None:  # an alias has the anchor it leads to
            raise Broken("has anchors or aliases, which are not followed", _line(event))
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise Broken("holds more than one document", _line(event))
        elif isinstance(event, yaml.ScalarEvent):
            self._put(event.value, event)
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            self._start([] if isinstance(event, yaml.SequenceStartEvent) else {}, event)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            self._open.pop()
            self._keys.pop()

    def _start(self, container: list[Value] | dict[str, Value], event: Any) -> None:
        if len(self._open) == _MAX_DEPTH:
            raise Broken("is nested too deeply", _line(event))
        self._put(container, event)
        self._open.append(container)
        self._keys.append(None)

    def _put(self, value: Value, event: Any) -> None:
        if not self._open:
            # an empty document is a scalar that nobody wrote
            self.value = None if value == "" and getattr(event, "implicit", (False,))[0] else value
            return
        container, key = self._open[-1], self._keys[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            self._keys[-1] = None
        elif not isinstance(value, str):
            raise Broken("has a key that is not plain text", _line(event))
        elif value in container:
            raise Broken("has a key twice", _line(event))
        else:
            self._keys[-1] = value


def _line(event: Any) -> int:
    return int(event.start_mark.line)
