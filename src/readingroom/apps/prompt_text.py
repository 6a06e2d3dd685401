"""The text of an author's prompt: front matter that says what it is, and what a model is told. Strict, and pure."""

import keyword
import re
from typing import TYPE_CHECKING, Any

from ..desk.author_prompts import OWN_NAMES, PLACE, Argument, AuthorPrompt

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS = ("title", "description", "arguments")
_OF_ARGUMENT = ("name", "description", "required")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")
_ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_MOST_ARGUMENTS = 20
_MOST = {"title": 200, "description": 1_000}


class Unfit(Exception):
    """The text is no prompt; why, as a part of a sentence."""


def prompt_from(name: str, data: bytes) -> AuthorPrompt:
    """Read a prompt. Raises: Unfit."""
    if not _NAME.match(name):
        raise Unfit("the name of a prompt has 1 to 64 characters of A-Z a-z 0-9 _ - .")
    if name in OWN_NAMES:
        raise Unfit("Reading Room has a prompt of this name, and serves that one; give the file another name")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Unfit("it is no text in UTF-8") from None
    fields, body = _parted(text)
    arguments = _arguments(fields.get("arguments", []))
    known = {argument.name for argument in arguments}
    for place in PLACE.finditer(body):
        if place[1] not in known:
            raise Unfit(f"its text has {place[0]}, and there is no argument of that name")
    if not body.strip():
        raise Unfit("it has no text")
    return AuthorPrompt(
        name, body.strip("\n"), _line(fields, "title"), _line(fields, "description"), arguments
    )


def _parted(text: str) -> "tuple[Mapping[str, Any], str]":
    """Give the fields of front matter, if there is any, and the text behind it."""
    first, _, rest = text.partition("\n")
    if first.rstrip() != "---":
        return {}, text
    end = re.search(r"^---[ \t]*$\n?", rest, re.MULTILINE)
    if end is None:
        raise Unfit("its front matter is not closed by a line of ---")
    from ..library.yaml_block import Broken, load

    try:
        fields = load(rest[: end.start()])
    except Broken as error:
        where = "" if error.line is None else f" (line {error.line + 2})"
        raise Unfit(f"its front matter {error}{where}") from None
    fields = {} if fields is None else fields
    if not isinstance(fields, dict):
        raise Unfit("its front matter is no mapping")
    _check_keys(fields, _KEYS)
    return fields, rest[end.end() :]


def _arguments(given: Any) -> tuple[Argument, ...]:
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise Unfit("arguments must be a list, each with a name, and a description and required if need be")
    if len(given) > _MOST_ARGUMENTS:
        raise Unfit(f"it has more than {_MOST_ARGUMENTS} arguments")
    found: dict[str, Argument] = {}
    for item in given:
        _check_keys(item, _OF_ARGUMENT)
        name, required = item.get("name"), item.get("required", "false")
        if not isinstance(name, str) or not _ARGUMENT.match(name) or keyword.iskeyword(name):
            raise Unfit(
                "the name of an argument has letters of A-Z a-z, digits and _, and begins with no digit"
            )
        if name in found:
            raise Unfit(f"the argument {name} is there twice")
        if required not in ("true", "false"):
            raise Unfit(f"required of the argument {name} must be true or false")
        found[name] = Argument(name, _line(item, "description"), required == "true")
    return tuple(found.values())


def _check_keys(given: "Mapping[str, Any]", known: tuple[str, ...]) -> None:
    from ..library.strict_toml import unknown_key

    for key in given:
        if key not in known:
            raise Unfit(f"in its front matter {unknown_key(key, known)}")


def _line(fields: "Mapping[str, Any]", key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str) or len(value) > _MOST[key] or not value.isprintable():
        raise Unfit(f"{key} must be one line of at most {_MOST[key]:,} printable characters")
    return value.strip()
