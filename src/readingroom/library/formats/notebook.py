"""Jupyter notebooks: their cells in order, Markdown as it stands, code and what it printed in fences.

Of outputs only text is kept, and little of it: pictures, pages and widgets are not read, and nothing is run.
"""

import re
from typing import Any

import msgspec

from ..decode import NotText, decode
from ..lines import Lines
from ..structure import Block, Structure
from .writing import Converted, Writing, clean

OUTPUT_CHARACTERS = 1_000
"""What is kept of the outputs of one cell: enough for a result or an error, not for a log or a table of data."""

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LANGUAGE = re.compile(r"[\w+#-]{1,30}\Z")


class _Output(msgspec.Struct):
    text: str | list[str] = ""
    data: dict[str, Any] = {}
    ename: str = ""
    evalue: str = ""


class _Cell(msgspec.Struct):
    cell_type: str
    source: str | list[str] = ""
    outputs: list[_Output] = []


class _Kernel(msgspec.Struct):
    name: str = ""
    language: str = ""


class _Metadata(msgspec.Struct):
    title: str = ""
    kernelspec: _Kernel | None = None
    language_info: _Kernel | None = None


class _Notebook(msgspec.Struct):
    nbformat: int
    cells: list[_Cell] = []
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


def convert(data: bytes) -> Converted:
    """What a notebook says. Raises NotText for what is none of format 4 or later."""
    try:
        notebook = msgspec.json.decode(decode(data).text, type=_Notebook)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NotText(f"it is no Jupyter notebook: {error}") from None
    if notebook.nbformat < 4:
        raise NotText(
            f"a notebook of the old format {notebook.nbformat}: `jupyter nbconvert --to notebook` makes it a new one"
        )
    writing, language = Writing(), _language(notebook.metadata)
    for number, cell in enumerate(notebook.cells):
        _write(writing, cell, language, first=not number)
    return writing.done(notebook.metadata.title, fronted=True)


def _language(metadata: _Metadata) -> str:
    """The name that its code is marked with."""
    info, kernel = metadata.language_info, metadata.kernelspec
    name = (info and info.name) or (kernel and kernel.language) or ""
    return name if _LANGUAGE.match(name) else ""


def _write(writing: Writing, cell: _Cell, language: str, *, first: bool) -> None:
    source = clean(_joined(cell.source)).strip("\n")
    if not source.strip():
        pass
    elif cell.cell_type == "markdown" or (
        first and cell.cell_type == "raw"
    ):  # raw: front matter stands there
        from .. import markdown

        writing.source(source, markdown.structure(Lines(source), 1))
    else:
        code = _fenced(source, language if cell.cell_type == "code" else "")
        last = code.count("\n") + 1
        writing.source(code, Structure([Block(1, last, len(code))], []))
    shown = _printed(cell.outputs)
    if shown:
        writing.block(_fenced(shown, "output"))


def _printed(outputs: list[_Output]) -> str:
    """The beginning of what a cell printed, on whole lines where there are several."""
    parts: list[str] = []
    left = OUTPUT_CHARACTERS
    for output in outputs:
        error = f"{output.ename}: {output.evalue}" if output.ename else ""
        told = _joined(output.text) or _plain(output.data.get("text/plain")) or error
        told = _COLOURS.sub("", clean(told[: 20 * OUTPUT_CHARACTERS])).strip("\n")
        if not told.strip():
            continue
        parts.append(told if len(told) <= left else told[:left].rpartition("\n")[0] or told[:left])
        if len(told) > left:
            return "\n".join([*parts, "…"])
        left -= len(told)
    return "\n".join(parts)


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


def _fenced(text: str, language: str) -> str:
    """The text between fences that are longer than any within it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
