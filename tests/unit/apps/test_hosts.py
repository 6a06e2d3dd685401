"""The configuration files of AI apps are read as these apps read them, and what cannot be used says why."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.hosts import NoServers, expansion, found_files, places, project_files, read_file
from readingroom.apps.hosts.files import plain_json
from readingroom.apps.targets import Target

SCOPE = expansion.Scope({"KEY": "v", "EMPTY": "", "TWICE": "${KEY}"}, "/work/project", "/home/ada")


@pytest.mark.parametrize(
    ("style", "text", "value"),
    [
        (expansion.CLAUDE_CODE, "a ${KEY} b", "a v b"),
        (expansion.CLAUDE_CODE, "${NONE:-x:-y}", "x:-y"),
        (expansion.CLAUDE_CODE, "${EMPTY:-x}", "x"),
        (expansion.CLAUDE_CODE, "${KEY:-x}", "v"),
        (expansion.CLAUDE_CODE, "$KEY ${not a name} ${env:KEY}", "$KEY ${not a name} ${env:KEY}"),
        (expansion.CLAUDE_CODE, "${TWICE}", "${KEY}"),
        (expansion.EDITOR, "${env:KEY} ${KEY}", "v ${KEY}"),
        (expansion.EDITOR, "${userHome} ${workspaceFolder}", "/home/ada /work/project"),
        (expansion.EDITOR, "${workspaceFolderBasename}", "project"),
        (expansion.GEMINI, "$KEY ${KEY} $NONE ${NONE}", "v v $NONE ${NONE}"),
        (expansion.NOTHING, "$KEY ${KEY} ${env:KEY} ${input:x}", "$KEY ${KEY} ${env:KEY} ${input:x}"),
        (expansion.ANY, "${KEY} ${env:KEY}", "v v"),
    ],
)
def test_variables(style: expansion.Style, text: str, value: str) -> None:
    """Each app's spellings are expanded once, and those of others are left alone."""
    assert expansion.expanded(text, style, SCOPE) == value


@pytest.mark.parametrize(
    ("style", "text", "told"),
    [
        (expansion.CLAUDE_CODE, "${NONE}", "the variable NONE"),
        (expansion.EDITOR, "${env:NONE}", "the variable NONE"),
        (expansion.EDITOR, "${input:key}", "--env NAME=VALUE"),
    ],
)
def test_variables_without_a_value(style: expansion.Style, text: str, told: str) -> None:
    """What is not set, or is asked for by an editor, is an error that names it."""
    with pytest.raises(expansion.Unexpandable, match=told):
        expansion.expanded(text, style, SCOPE)


def _one(tmp_path: Path, entry: Any, name: str = "mcp.json", key: str = "mcpServers", **more: Any) -> Target:
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(json.dumps({key: {"s": entry}}), "utf-8")
    (target,) = read_file(place, {"KEY": "v"}, **more).targets
    assert (target.name, target.place) == ("s", str(place))
    return target


def test_an_entry_with_a_command(tmp_path: Path) -> None:
    """Command, arguments, variables and folder, with variables expanded and numbers written out."""
    target = _one(
        tmp_path,
        {"command": "${KEY}", "args": ["${KEY}x", 5], "env": {"A": "${KEY}", "B": True}, "cwd": "/${KEY}"},
    )
    assert (target.command, target.env, target.cwd) == (("v", "vx", "5"), {"A": "v", "B": "true"}, "/v")
    assert (target.url, target.fault, target.is_disabled) == ("", "", False)


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "http", "url": "https://x.example/${KEY}", "headers": {"A": "${KEY}"}},
        {"type": "streamable-http", "url": "https://x.example/${KEY}", "headers": {"A": "${KEY}"}},
        {"url": "https://x.example/${KEY}", "headers": {"A": "${KEY}"}},
        {"httpUrl": "https://x.example/${KEY}", "headers": {"A": "${KEY}"}},
        {"serverUrl": "https://x.example/${KEY}", "headers": {"A": "${KEY}"}},
    ],
)
def test_an_entry_with_a_url(tmp_path: Path, entry: dict[str, Any]) -> None:
    """However an app spells it, the address and the headers are read."""
    target = _one(tmp_path, entry)
    assert (target.url, target.headers, target.command) == ("https://x.example/v", {"A": "v"}, ())


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (5, "must be an object"),
        ({}, "command must be a text"),
        ({"command": ""}, "its command is empty"),
        ({"command": "x", "args": "y"}, "args must be an array"),
        ({"command": "x", "args": [["y"]]}, r"args\.0 must be a text"),
        ({"command": "x", "env": ["y"]}, "env must be an object"),
        ({"command": "x", "env": {"A": None}}, r"env\.A must be a text"),
        ({"command": "x", "env": {"A": "${NONE}"}}, "the variable NONE"),
        ({"command": "x", "envFile": "y"}, "envFile"),
        ({"command": "x", "env_vars": "y"}, "env_vars"),
        ({"type": "sse", "url": "https://x.example"}, r"HTTP\+SSE"),
        ({"type": "websocket", "url": "x"}, "none that is known"),
        ({"type": "http"}, "url must be a text"),
    ],
)
def test_an_entry_that_cannot_be_used(tmp_path: Path, entry: Any, told: str) -> None:
    """It keeps its name and says why, and the file stays usable."""
    target = _one(tmp_path, entry)
    assert target.command == ()
    assert re.search(told, target.fault)


def test_what_an_editor_asks_for_may_be_given(tmp_path: Path) -> None:
    """A variable that is given on the command line is not looked for in the file."""
    entry = {"command": "x", "env": {"A": "${input:key}", "B": "${env:KEY}"}}
    assert "--env" in _one(tmp_path, entry, ".vscode/mcp.json", "servers").fault
    target = _one(tmp_path, entry, ".vscode/mcp.json", "servers", given=frozenset({"A"}))
    assert (target.fault, target.env) == ("", {"B": "v"})


@pytest.mark.parametrize(
    ("name", "key", "argument"),
    [
        ("claude_desktop_config.json", "mcpServers", "${KEY} ${env:KEY} $KEY"),
        (".mcp.json", "mcpServers", "v ${env:KEY} $KEY"),
        (".cursor/mcp.json", "mcpServers", "${KEY} v $KEY"),
        (".vscode/mcp.json", "servers", "${KEY} v $KEY"),
        (".gemini/settings.json", "mcpServers", "v ${env:KEY} v"),
        ("other.json", "mcpServers", "v v $KEY"),
    ],
)
def test_each_file_is_expanded_as_its_app_does(tmp_path: Path, name: str, key: str, argument: str) -> None:
    """The name of the file, or its form, says whose it is."""
    target = _one(tmp_path, {"command": "x", "args": ["${KEY} ${env:KEY} $KEY"]}, name, key)
    assert target.command == ("x", argument)


def test_the_folder_of_a_project(tmp_path: Path) -> None:
    """It is the one that the editor's folder lies in."""
    target = _one(tmp_path, {"command": "${workspaceFolder}/x"}, ".vscode/mcp.json", "servers")
    assert target.command == (f"{tmp_path}/x",)


def test_codex(tmp_path: Path) -> None:
    """TOML, with variables by name, and tokens and headers from variables."""
    place = tmp_path / "config.toml"
    place.write_text(
        '[mcp_servers.a]\ncommand = "x"\nargs = ["${KEY}"]\nenv_vars = ["KEY", "NONE"]\nenv = { B = "2" }\n'
        '[mcp_servers.b]\nurl = "https://x.example"\nbearer_token_env_var = "KEY"\nenabled = false\n'
        'http_headers = { C = "3" }\nenv_http_headers = { D = "KEY" }\n'
        '[mcp_servers.c]\nurl = "https://x.example"\nbearer_token_env_var = "NONE"\n',
        "utf-8",
    )
    one, two, three = read_file(place, {"KEY": "v"}).targets
    assert (one.command, one.env) == (("x", "${KEY}"), {"KEY": "v", "B": "2"})
    assert (two.headers, two.is_disabled) == ({"C": "3", "D": "v", "Authorization": "Bearer v"}, True)
    assert "the variable NONE" in three.fault


def test_nested_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers of VS Code's settings, and those that Claude Code keeps for this folder."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "settings.json"
    nested = {
        "mcp": {"servers": {"a": {"command": "x"}}},
        "projects": {str(Path.cwd()): {"mcpServers": {"b": {}}}},
    }
    place.write_text(json.dumps(nested), "utf-8")
    assert [target.name for target in read_file(place, {}).targets] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "//x /* y */", // z\n "b": [1, 2,], /* , */ }', {"a": "//x /* y */", "b": [1, 2]}),
        ('{"a": ",}", "b": "\\",]"}', {"a": ",}", "b": '",]'}),
    ],
)
def test_json_of_editors(text: str, value: Any) -> None:
    """Comments and trailing commas are allowed, and texts are left alone."""
    assert json.loads(plain_json(text)) == value


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.json", b"{", "no JSON"),
        ("a.json", b"\xff", "no JSON"),
        ("a.toml", b"= 5", "no TOML"),
        ("a.json", b"[]", "must hold an object"),
        ("a.json", b"{}", "names no servers"),
        ("a.json", b'{"mcpServers": []}', "names no servers"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, data: bytes, told: str) -> None:
    """The fault names the file and what is wrong."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageFault, match=told) as caught:
        read_file(tmp_path / name, {})
    assert str(tmp_path) in str(caught.value)
    assert isinstance(caught.value, NoServers) is ("names no servers" in told)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """It is a fault as well."""
    with pytest.raises(UsageFault, match="cannot be read: No such file"):
        read_file(tmp_path / "none.json", {})


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("linux", {}, ".config/Claude/claude_desktop_config.json"),
        ("linux", {"XDG_CONFIG_HOME": "{home}/etc"}, "etc/Code/User/mcp.json"),
        ("darwin", {}, "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {"APPDATA": "{home}/Roaming"}, "Roaming/Code/User/mcp.json"),
        ("linux", {"CODEX_HOME": "{home}/c"}, "c/config.toml"),
        ("linux", {}, ".codex/config.toml"),
        ("linux", {}, ".claude.json"),
        ("linux", {}, ".cursor/mcp.json"),
        ("linux", {}, ".gemini/settings.json"),
    ],
)
def test_known_places(tmp_path: Path, platform: str, environment: dict[str, str], place: str) -> None:
    """Each app's own file is found where the platform keeps it."""
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text("{}", "utf-8")
    given = {name: value.format(home=tmp_path) for name, value in environment.items()}
    assert found_files({"HOME": str(tmp_path), **given}, platform) == [tmp_path / place]


def test_files_of_a_project(tmp_path: Path) -> None:
    """They are told apart from the user's own."""
    assert project_files(tmp_path) == []
    for name in places._PROJECT:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", "utf-8")
    assert len(project_files(tmp_path)) == len(places._PROJECT)
    assert found_files({"HOME": str(tmp_path / "elsewhere")}, "linux") == []
