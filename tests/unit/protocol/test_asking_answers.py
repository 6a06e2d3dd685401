"""What clients answer: each kind as a value, and whatever does not fit refused."""

import asyncio
from typing import Any

import pytest

from readingroom import (
    Answers,
    CreateMessage,
    Elicited,
    ElicitForm,
    ElicitUrl,
    ListRoots,
    Root,
    RootList,
    Sampled,
)
from readingroom.protocol.asking_answers import BadAnswer, read_answer

ASK = ElicitForm("m", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
OPTIONAL = ElicitForm("m", {"type": "object", "properties": {"n": {"type": "integer"}}})
URL = ElicitUrl("m", "https://example.org")
SAMPLE = CreateMessage(["Hi"], 5)
TEXT = {"type": "text", "text": "Hi"}
MESSAGE = {"role": "assistant", "content": TEXT, "model": "m"}


@pytest.mark.parametrize(
    ("ask", "answer", "value"),
    [
        (ASK, {"action": "accept", "content": {"n": 1}}, Elicited("accept", {"n": 1})),
        (ASK, {"action": "accept", "content": {"n": 1}, "_meta": {}}, Elicited("accept", {"n": 1})),
        (ASK, {"action": "decline"}, Elicited("decline")),
        (ASK, {"action": "cancel", "content": {"n": "x"}}, Elicited("cancel")),
        (OPTIONAL, {"action": "accept"}, Elicited("accept", {})),
        (URL, {"action": "accept"}, Elicited("accept")),
        (URL, {"action": "accept", "content": {"a": 1}}, Elicited("accept")),
        (URL, {"action": "decline"}, Elicited("decline")),
        (SAMPLE, MESSAGE, Sampled("assistant", TEXT, "m")),
        (
            SAMPLE,
            {**MESSAGE, "content": [TEXT], "stopReason": "end"},
            Sampled("assistant", [TEXT], "m", "end"),
        ),
        (ListRoots(), {"roots": []}, RootList(())),
        (ListRoots(), {"roots": [{"uri": "file:///a"}]}, RootList((Root("file:///a"),))),
        (ListRoots(), {"roots": [{"uri": "file:///a", "name": "A"}]}, RootList((Root("file:///a", "A"),))),
    ],
    ids=repr,
)
def test_what_fits(ask: Any, answer: dict[str, Any], value: Any) -> None:
    """Only an accepted form has content (ELIC-4)."""
    assert read_answer(ask, answer) == value


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (ASK, {}),
        (ASK, {"action": "ok"}),
        (ASK, {"action": None}),
        (ASK, {"action": "accept"}),
        (ASK, {"action": "accept", "content": None}),
        (ASK, {"action": "accept", "content": [1]}),
        (ASK, {"action": "accept", "content": {}}),
        (ASK, {"action": "accept", "content": {"n": "1"}}),
        (ASK, {"action": "accept", "content": {"n": 1, "m": 1}}),
        (URL, {"action": "agree"}),
        (SAMPLE, {}),
        (SAMPLE, {**MESSAGE, "role": "system"}),
        (SAMPLE, {**MESSAGE, "content": "Hi"}),
        (SAMPLE, {**MESSAGE, "content": {"type": "text"}}),
        (SAMPLE, {**MESSAGE, "model": None}),
        (SAMPLE, {**MESSAGE, "stopReason": 1}),
        (SAMPLE, {"action": "accept"}),
        (ListRoots(), {}),
        (ListRoots(), {"roots": None}),
        (ListRoots(), {"roots": ["file:///a"]}),
        (ListRoots(), {"roots": [{"uri": "https://example.org"}]}),
        (ListRoots(), {"roots": [{"name": "a"}]}),
    ],
    ids=repr,
)
def test_what_does_not(ask: Any, answer: dict[str, Any]) -> None:
    """It is never accepted (MRTR-14)."""
    with pytest.raises(BadAnswer):
        read_answer(ask, answer)


def test_the_text_of_a_message() -> None:
    """All of its texts; pictures have none."""
    picture = {"type": "image", "data": "", "mimeType": "a/b"}
    assert Sampled("assistant", TEXT, "m").text == "Hi"
    assert Sampled("assistant", [TEXT, picture, {"type": "text", "text": "!"}], "m").text == "Hi!"


def test_answers_are_a_mapping_that_shows_no_values() -> None:
    """What people answer does not belong into logs."""
    answers = Answers({"a": Elicited("accept", {"n": "secret"}), "b": Elicited("cancel")})
    assert list(answers) == ["a", "b"]
    assert len(answers) == 2
    assert answers["b"].action == "cancel"
    assert repr(answers) == "Answers(a, b)"


def test_awaiting_answers_gives_them() -> None:
    """So that coroutines may await what they ask, and need not know whether it waits."""
    answers = Answers({"a": Elicited("cancel")})

    async def awaiting() -> Answers[Elicited]:
        return await answers

    assert asyncio.run(awaiting()) is answers
