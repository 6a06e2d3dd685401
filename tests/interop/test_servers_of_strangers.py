"""Our client and `check` against public servers that others wrote: support/strangers.py says which."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from check.collection import checked, checked_over_http
from readingroom import Client
from readingroom.transport.processes import default_environment
from support.peers import descendants
from support.serving import served
from support.strangers import BY_NAME, OVER_HTTP, STRANGERS, Stranger

pytestmark = [pytest.mark.peers, pytest.mark.timeout(120)]
IDS = [one.name for one in STRANGERS]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Give a folder for one server, whose end has to be the end of all that was started meanwhile."""
    before = descendants(os.getpid())
    yield tmp_path
    assert not descendants(os.getpid()) - before


@pytest.mark.parametrize("stranger", STRANGERS, ids=IDS)
def test_the_client(stranger: Stranger, folder: Path) -> None:
    """Strict as it is, it finds nothing wrong in the plain course of things, and leaves no process."""
    command, env = stranger.command(folder), stranger.env(folder)
    tool, arguments = stranger.call
    arguments = {name: str(folder) if value == "{folder}" else value for name, value in arguments.items()}
    with Client.stdio(command, env=env, timeout=50, stderr=lambda _: None) as client:
        assert client.server.version == stranger.version
        assert tool in [one.name for one in client.list_tools()]
        answer = client.call_tool(tool, arguments)
        assert (stranger.says in answer.text, answer.is_error) == (True, stranger.fails)
        if "resources" in client.server.capabilities:
            listed = [one.uri for one in client.list_resources()]
            assert not stranger.resource or stranger.resource in listed
        if stranger.resource:
            assert client.read_resource(stranger.resource).text
        if "prompts" in client.server.capabilities:
            assert stranger.prompt is None or stranger.prompt[0] in [
                one.name for one in client.list_prompts()
            ]
        if stranger.prompt is not None:
            assert client.get_prompt(*stranger.prompt).messages
        assert client.violations == (0, [])


@pytest.mark.parametrize("stranger", STRANGERS, ids=IDS)
def test_check(stranger: Stranger, folder: Path) -> None:
    """These rules, and no others; one that speaks the older era alone is told so."""
    found = checked(
        stranger.command(folder),
        timeout=20,
        quiet=0.3,
        call_tools=True,
        env=stranger.env(folder),
        only=stranger.only,
    )
    by_verdict = {
        verdict: {one.rule for one in found.findings if one.verdict == verdict}
        for verdict in ("broken", "warning")
    }
    assert by_verdict == {"broken": stranger.broken, "warning": stranger.warned}


@pytest.mark.parametrize("name", OVER_HTTP)
def test_over_http(name: str, folder: Path) -> None:
    """The same, over HTTP: the client finds nothing wrong, and `check` what is in the table."""
    command, broken = OVER_HTTP[name]
    program, *words = command(folder)
    stranger = BY_NAME[name]
    with served(*words, program=program, env=default_environment()) as url:
        with Client.http(url, timeout=50) as client:
            assert client.server.version == stranger.version
            answer = client.call_tool(*stranger.call)
            assert (stranger.says in answer.text, answer.is_error) == (True, stranger.fails)
            assert client.violations == (0, [])
        found = checked_over_http(url, timeout=20, call_tools=True)
    assert {one.rule for one in found.findings if one.verdict == "broken"} == broken
