"""The house's own laws about size: a file has one duty, a function fits a screen."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "readingroom"
FILE_LINES = 400
FUNCTION_LINES = 50

LONGER_FUNCTIONS: dict[str, str] = {
    "kit/registering.py: tool": "one keyword argument a line, and what each means",
}


def _functions() -> Iterator[tuple[str, int]]:
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                yield f"{file.relative_to(SOURCE).as_posix()}: {node.name}", node.end_lineno - node.lineno + 1


def test_files_are_short() -> None:
    """No file of the package is longer than 400 lines."""
    long = {
        file.name: lines
        for file in SOURCE.rglob("*.py")
        if (lines := len(file.read_text("utf-8").splitlines())) > FILE_LINES
    }
    assert long == {}


def test_functions_fit_a_screen() -> None:
    """No function is longer than 50 lines, save those that are listed with a reason."""
    long = {
        name: lines for name, lines in _functions() if lines > FUNCTION_LINES and name not in LONGER_FUNCTIONS
    }
    assert long == {}


def test_the_exceptions_are_needed() -> None:
    """No function is excused that does not need it."""
    lengths = dict(_functions())
    assert [name for name in LONGER_FUNCTIONS if lengths.get(name, 0) <= FUNCTION_LINES] == []
