"""Notices as values, and the filter that asks for them."""

from typing import Any

import pytest

from readingroom.client.notices import (
    PromptsChanged,
    ResourcesChanged,
    ResourceUpdated,
    ToolsChanged,
    listen,
    notice_of,
)
from readingroom.errors import UsageError

NOTHING: dict[str, Any] = {"tools": False, "prompts": False, "resources": False, "uris": ()}


def test_notices() -> None:
    """Each kind has its value, and what is none has none."""
    lists = {"tools": ToolsChanged(), "prompts": PromptsChanged(), "resources": ResourcesChanged()}
    for name, notice in lists.items():
        assert notice_of(f"notifications/{name}/list_changed", {}) == notice
    assert notice_of("notifications/resources/updated", {"uri": "x:///a"}) == ResourceUpdated("x:///a")
    assert notice_of("notifications/tasks", {}) is None


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ({"tools": True}, {"toolsListChanged": True}),
        ({"prompts": True, "resources": True}, {"promptsListChanged": True, "resourcesListChanged": True}),
        ({"uris": ("x:///a",)}, {"resourceSubscriptions": ["x:///a"]}),
    ],
)
def test_what_is_asked_for(how: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Is named, and nothing else is (SUB-1)."""
    operation = listen(**(NOTHING | how))
    assert (operation.method, operation.params) == ("subscriptions/listen", {"notifications": wanted})


@pytest.mark.parametrize("how", [{}, {"uris": "x:///a"}, {"uris": [None]}])
def test_what_cannot_be_listened_to(how: dict[str, Any]) -> None:
    """Is refused."""
    with pytest.raises(UsageError):
        listen(**(NOTHING | how))
