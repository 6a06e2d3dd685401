"""Where everything is caught: few places, each with its reason, and none that nobody counted."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

SOURCE = Path(__file__).resolve().parents[2] / "src" / "readingroom"
BROAD = {"Exception", "BaseException"}
SWALLOWING = 29
"""How many places go on after whatever was raised; one more is to be argued for where it is, and counted here."""


class Place:
    """One place that catches everything."""

    def __init__(self, file: Path, line: int, text: str, *, raises: bool) -> None:
        self.name = f"{file.relative_to(SOURCE).as_posix()}:{line}"
        self.text = text
        self.raises = raises


def _caught(node: ast.expr | None) -> set[str]:
    names = node.elts if isinstance(node, ast.Tuple) else [node]
    return {name.id if isinstance(name, ast.Name) else "" for name in names if name is not None}


def _places() -> Iterator[Place]:
    for file in sorted(SOURCE.rglob("*.py")):
        text = file.read_text("utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ExceptHandler) and (node.type is None or _caught(node.type) & BROAD):
                raises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
                yield Place(file, node.lineno, lines[node.lineno - 1], raises=raises)
            elif _is_suppression(node):
                yield Place(file, node.lineno, lines[node.lineno - 2].strip(), raises=False)


def _is_suppression(node: ast.AST) -> TypeGuard[ast.Call]:
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "suppress"
    ):
        return False
    return any(_caught(argument) & BROAD for argument in node.args)


def test_whoever_catches_everything_and_goes_on_says_why() -> None:
    """Beside it, or in the line above it."""
    silent = [
        place.name
        for place in _places()
        if not place.raises and not re.search(r"(noqa: BLE001  -- \w|^# )", place.text)
    ]
    assert silent == []


def test_the_places_that_go_on_are_counted() -> None:
    """So that each new one is looked at."""
    found = [place.name for place in _places() if not place.raises]
    assert len(found) == SWALLOWING, found
