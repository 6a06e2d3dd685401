"""What a client answers when it is asked: each answer as a value, checked against what was asked (MRTR-14, ELIC-4).

A client's answers are not to be trusted: one that does not fit is refused, and nothing in it is converted.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Generic, Literal, TypeVar

import msgspec

from .asking import Ask, CreateMessage, ElicitForm, ElicitUrl
from .forms import content_fault
from .sampling import blocks_of
from .sampling import content_fault as message_fault

Given = TypeVar("Given", covariant=True)
_Object = dict[str, Any]


class BadAnswer(ValueError):
    """An answer does not fit what was asked; the text says why, and may hold what was answered."""


class Elicited(msgspec.Struct, frozen=True):
    """What a person did when asked (ELIC-4).

    `action` is `accept`, `decline` (they said no) or `cancel` (they did not answer). `content` is the form as they filled it
    in, checked against its schema, when they accepted a form; else None.
    """

    action: Literal["accept", "decline", "cancel"]
    content: _Object | None = None


class Sampled(msgspec.Struct, frozen=True, rename="camel"):
    """The message that a client's model gave (SAMP-2): `content` is a block, or a list of them, as the client sent it."""

    role: Literal["user", "assistant"]
    content: _Object | list[_Object]
    model: str
    stop_reason: str | None = None

    @property
    def text(self) -> str:
        """The text of the message: all its blocks of text, one after the other."""
        return "".join(block["text"] for block in blocks_of(self.content) if block["type"] == "text")


class Root(msgspec.Struct, frozen=True):
    """A folder or file that the user works on, as a `file://` URI; advice, and no permission (ROOT-1)."""

    uri: str
    name: str | None = None


class RootList(msgspec.Struct, frozen=True):
    """The roots that a client named, checked to be `file://` URIs (ROOT-1)."""

    roots: tuple[Root, ...]


class Answers(Mapping[str, Given], Generic[Given]):
    """The answers to what a handler asked, by the names of its requests. Awaiting it gives itself."""

    __slots__ = ("_answers",)

    def __init__(self, answers: Mapping[str, Given]) -> None:
        self._answers = answers

    def __getitem__(self, name: str) -> Given:
        return self._answers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)

    def __repr__(self) -> str:
        # Without the values: what people answer does not belong into logs.
        return f"Answers({', '.join(self._answers)})"

    def __await__(self) -> Generator[Any, None, "Answers[Given]"]:
        yield from ()  # so that it is a generator, which is what can be awaited
        return self


Answer = Elicited | Sampled | RootList


def read_answer(ask: Ask, answer: _Object) -> Answer:
    """Give the value of an answer to `ask`. Raises: BadAnswer."""
    try:
        if isinstance(ask, ElicitForm):
            return _form_answer(ask, answer)
        if isinstance(ask, ElicitUrl):
            return Elicited(_action_of(answer))
        if isinstance(ask, CreateMessage):
            return _sampled(answer)
        return _roots(answer)
    except msgspec.ValidationError as error:
        raise BadAnswer(str(error)) from error


class _Action(msgspec.Struct):
    action: Literal["accept", "decline", "cancel"]


def _action_of(answer: _Object) -> Literal["accept", "decline", "cancel"]:
    return msgspec.convert(answer, _Action).action


def _form_answer(ask: ElicitForm, answer: _Object) -> Elicited:
    action = _action_of(answer)
    if action != "accept":
        return Elicited(action)
    content = answer.get("content", {})
    if not isinstance(content, dict):
        raise BadAnswer("the content of a form is an object")
    fault = content_fault(content, ask.schema)
    if fault:
        raise BadAnswer(fault)
    return Elicited(action, content)


def _sampled(answer: _Object) -> Sampled:
    sampled = msgspec.convert(answer, Sampled)
    fault = message_fault(sampled.content, sampled.role)
    if fault:
        raise BadAnswer(fault)
    return sampled


def _roots(answer: _Object) -> RootList:
    found = msgspec.convert(answer, RootList)
    if not all(root.uri.startswith("file://") for root in found.roots):
        raise BadAnswer("a root is a file:// URI")
    return found
