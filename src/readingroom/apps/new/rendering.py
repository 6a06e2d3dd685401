"""Fills in the templates: which file gets which text. Reads the templates and writes nothing.

A template is the file itself, under its own path with `.tmpl` after it, so that no tool takes it for code of ours.
`%%name` in it is replaced; any other `%%` is an error. `PACKAGE` in a path is the package's name.
"""

import json
import re
import string
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from ... import __version__
from ..faults import UsageFault
from .names import Names

_SUFFIX = ".tmpl"
_LONGEST = 300


class Project(msgspec.Struct, frozen=True):
    """What is asked for: `kind` is `python` or `typescript`. Raises: UsageFault for a description that is not one line."""

    names: Names
    kind: str
    description: str
    older_era: bool = True

    def __post_init__(self) -> None:
        text = self.description
        if not text.strip() or len(text) > _LONGEST or not text.isprintable():
            raise UsageFault(f"a description is one line of 1 to {_LONGEST} printable characters")


class _Template(string.Template):
    delimiter = "%%"
    flags = re.NOFLAG  # names are as they are written
    idpattern = "[a-z_]+"


def files_of(project: Project) -> dict[str, str]:
    """Give each file of a project: its path, with slashes, and its text."""
    values = _values(project)
    templates = files(__package__) / "templates"
    found: dict[str, str] = {}
    for folder in ("shared", project.kind):
        for path, template in _walk(templates / folder, ""):
            place = path.removesuffix(_SUFFIX).replace("PACKAGE", project.names.package)
            found[place] = _Template(template.read_text("utf-8")).substitute(values)
    return dict(sorted(found.items()))


def _values(project: Project) -> Mapping[str, str]:
    names = project.names
    return {
        "distribution": names.distribution,
        "program": names.program,
        "package": names.package,
        "description": project.description,
        # One line of printable characters is written alike in TOML, JSON, Python and TypeScript.
        "literal": json.dumps(project.description, ensure_ascii=False),
        "older_python": str(project.older_era),
        "older_typescript": str(project.older_era).lower(),
        "kit": __version__,
    }


def _walk(folder: Traversable, before: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        path = before + entry.name
        if entry.is_dir():
            yield from _walk(entry, path + "/")
        else:
            yield path, entry
