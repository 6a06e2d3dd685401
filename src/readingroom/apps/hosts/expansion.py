"""Variables in configuration files, expanded as the app expands them that the file belongs to. Pure.

`${VAR}` and `${VAR:-default}` are Claude Code's; `${env:VAR}`, `${userHome}`, `${workspaceFolder}` and their like are those
of Cursor and VS Code; `$VAR` is Gemini CLI's, too. Claude Desktop and Codex expand nothing.
"""

import os
import re
from collections.abc import Mapping

import msgspec

_FOUND = re.compile(r"\$\{([^{}]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)")
_PLAIN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?", re.DOTALL)


class Unexpandable(ValueError):
    """A variable has no value here; the text says which, and what to do."""


class Style(msgspec.Struct, frozen=True):
    """Which spellings an app expands. With `lenient`, what is not set stays as it is written."""

    plain: bool = False
    editor: bool = False
    dollar: bool = False
    lenient: bool = False


NOTHING = Style()
CLAUDE_CODE = Style(plain=True)
EDITOR = Style(editor=True)
GEMINI = Style(plain=True, dollar=True, lenient=True)
ANY = Style(plain=True, editor=True)


class Scope(msgspec.Struct, frozen=True):
    """What variables are read from: the environment, the project's folder and the home of the user."""

    environment: Mapping[str, str]
    folder: str
    home: str


def expanded(text: str, style: Style, scope: Scope) -> str:
    """Give the text with its variables expanded; what comes of one is not expanded again. Raises: Unexpandable."""

    def value(found: re.Match[str]) -> str:
        inner, bare = found.groups()
        if inner is None:
            return scope.environment.get(bare, found[0]) if style.dollar else found[0]
        given = _of_editor(inner, scope) if style.editor else None
        if given is None and style.plain:
            given = _plain(inner, style, scope)
        return found[0] if given is None else given

    return _FOUND.sub(value, text)


def _of_editor(inner: str, scope: Scope) -> str | None:
    if inner.startswith("input:"):
        raise Unexpandable(
            f"${{{inner}}} is asked for by the editor; where it stands in env, give that variable with --env NAME=VALUE"
        )
    kind, colon, name = inner.partition(":")
    if kind == "env" and colon:
        return _variable(name, scope)
    known = {
        "userHome": scope.home,
        "workspaceFolder": scope.folder,
        "workspaceFolderBasename": os.path.basename(scope.folder),  # noqa: PTH119  -- a text, and no file is looked at
        "pathSeparator": os.sep,
        "/": os.sep,
    }
    return known.get(inner)


def _plain(inner: str, style: Style, scope: Scope) -> str | None:
    found = _PLAIN.fullmatch(inner)
    if found is None:
        return None
    name, default = found.groups()
    if default is not None:
        return scope.environment.get(name) or default
    if style.lenient:
        return scope.environment.get(name)
    return _variable(name, scope)


def _variable(name: str, scope: Scope) -> str:
    if name not in scope.environment:
        raise Unexpandable(f"it wants the variable {name}, which is not set here")
    return scope.environment[name]
