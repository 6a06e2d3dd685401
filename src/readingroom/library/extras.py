"""Formats for which something has to be installed besides: what is lacking, in words that say what to do."""

from functools import cache

from readingroom.library.model import Format

_NEEDED: dict[Format, tuple[str, str]] = {"pdf": ("pypdfium2", "pdf")}
"""The module that reads the format, and the extra that brings it."""


def lacking(kind: Format) -> str | None:
    """Why no document of this format can be read here; None when it can."""
    needed = _NEEDED.get(kind)
    if needed is None or _is_there(needed[0]):
        return None
    return f"to read it, install what reads {kind.upper()}: pip install 'readingroom[{needed[1]}]'"


@cache
def _is_there(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None
