"""A server on stdin and stdout under a configuration in the platform's folder, and what its folder says of itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.carriers import Stdio

CONFIGURATION = """\
title = "Everything"

[folders."{docs}"]
name = "articles"
title = "Our articles"
description = "What we have written."
instructions = "The newest counts."
internal = ["staff/"]
cache = "{cache}"
prompts = "{prompts}"
role = "editor"
"""
PROMPT = """\
---
title: Weekly letter
arguments: [{name: week, description: which week, required: true}, {name: tone}]
---
Write the letter of {{week}}. {{tone}}
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Stdio]:
    """A server that is told nothing but the folder."""
    docs, home = tmp_path / "docs", tmp_path / "config"
    for path in ("open.md", "staff/pay.md", "plans/next.md"):
        (docs / path).parent.mkdir(parents=True, exist_ok=True)
        (docs / path).write_text(f"# Of {path}\n\nAll about borrowing.\n")
    (docs / ".readingroom.toml").write_text('internal = ["plans/"]\n')
    (home / "readingroom").mkdir(parents=True)
    file = home / "readingroom" / "config.toml"
    (tmp_path / "prompts").mkdir(mode=0o755)
    (tmp_path / "prompts" / "weekly.md").write_text(PROMPT)
    places = {name: (tmp_path / name).as_posix() for name in ("docs", "cache", "prompts")}
    file.write_text(CONFIGURATION.format(**places))
    file.chmod(0o600)
    at = Stdio(str(docs), env={"XDG_CONFIG_HOME": str(home), "READINGROOM_ROLE": "reader"})
    yield at
    at.close()


def test_a_configured_server(served: Stdio) -> None:
    """It tells who it is, adds to the instructions, and hides what configuration and folder say."""
    found = served.ask("server/discover")["result"]
    info = found["_meta"]["io.modelcontextprotocol/serverInfo"]
    assert (info["name"], info["title"], info["description"]) == (
        "articles",
        "Our articles",
        "What we have written.",
    )
    assert found["instructions"].startswith("A library of documents.")
    assert found["instructions"].endswith("\n\nThe newest counts.")
    told = served.ask("tools/call", name="library_search", arguments={"query": "borrowing"})
    assert [item["path"] for item in told["result"]["structuredContent"]["items"]] == ["open.md"]


def test_a_prompt_of_the_authors(served: Stdio) -> None:
    """It is listed beside ours with its arguments, and filled with what is given; what is required is asked for."""
    listed = {prompt["name"]: prompt for prompt in served.ask("prompts/list")["result"]["prompts"]}
    assert {"answer_from_library", "weekly"} <= set(listed)
    assert (listed["weekly"]["title"], listed["weekly"]["arguments"]) == (
        "Weekly letter",
        [{"name": "week", "description": "which week", "required": True}, {"name": "tone"}],
    )
    told = served.ask("prompts/get", name="weekly", arguments={"week": "{{tone}}"})["result"]
    assert [message["content"]["text"] for message in told["messages"]] == ["Write the letter of {{tone}}. "]
    assert served.ask("prompts/get", name="weekly", arguments={"tone": "x"})["error"]["code"] == -32602
