"""Documents of formats that are converted, written by hand to the last byte."""

import json
from typing import Any


def cell(kind: str, source: str | list[str], *outputs: dict[str, Any]) -> dict[str, Any]:
    """A cell of a notebook."""
    made: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source}
    return made | ({"outputs": list(outputs), "execution_count": 1} if kind == "code" else {})


def notebook(*cells: dict[str, Any], metadata: dict[str, Any] | None = None, form: int = 4) -> bytes:
    """A notebook as Jupyter writes one."""
    made = {"cells": list(cells), "metadata": metadata or {}, "nbformat": form, "nbformat_minor": 5}
    return json.dumps(made, indent=1).encode()


def printed(text: str) -> dict[str, Any]:
    """What a cell wrote to its standard output."""
    return {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}
