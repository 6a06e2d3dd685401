"""Callbacks of a client: what they declare, and which answers what."""

from typing import Any

import pytest

from readingroom.errors import UsageError
from readingroom.kit.callbacks import Callbacks
from readingroom.protocol.asking import CreateMessage, ElicitForm, ElicitUrl, ListRoots

FORM = ElicitForm("m", {"type": "object", "properties": {}})
URL = ElicitUrl("m", "https://x")
MESSAGE = CreateMessage(["hi"], 5)


def echo(ask: Any) -> Any:
    """Give what was asked."""
    return ask


@pytest.mark.parametrize(
    ("callbacks", "declared"),
    [
        (Callbacks(), {}),
        (Callbacks(on_elicit_form=echo), {"elicitation": {"form": {}}}),
        (Callbacks(on_elicit_url=echo), {"elicitation": {"url": {}}}),
        (Callbacks(on_sample=echo), {"sampling": {}}),
        (Callbacks(roots=[]), {"roots": {}}),
    ],
)
def test_what_is_declared(callbacks: Callbacks, declared: dict[str, Any]) -> None:
    """Is what there is a callback for, and nothing else (ELIC-1, SAMP-1, ROOT-1)."""
    assert callbacks.capabilities() == declared


def test_each_question_has_its_callback() -> None:
    """Or none."""
    whole = Callbacks(echo, echo, echo, ["file:///a"])
    for ask in (FORM, URL, MESSAGE):
        call = whole.of(ask)
        assert call is not None
        assert call() is ask
        assert Callbacks().of(ask) is None
    roots = whole.of(ListRoots())
    assert roots is not None
    assert roots() == ["file:///a"]
    assert Callbacks(roots=lambda: "x").of(ListRoots())() == "x"  # type: ignore[misc]  # `of` found the callback
    assert Callbacks().of(ListRoots()) is None


@pytest.mark.parametrize(
    "wrong", [{"on_sample": 1}, {"on_elicit_form": "x"}, {"roots": "file:///a"}, {"roots": 1}]
)
def test_what_cannot_answer(wrong: dict[str, Any]) -> None:
    """Is refused when the client is made."""
    with pytest.raises(UsageError):
        Callbacks(**wrong)
