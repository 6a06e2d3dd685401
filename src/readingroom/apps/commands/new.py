"""`readingroom new`: writes a server that one can ship."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import exit_codes
from ..console import Console

if TYPE_CHECKING:
    from ..new import Names

USAGE = "[options] NAME"
DESCRIPTION = """\
Write an MCP server that can be shipped: tools that only read and tools that change something, resources, a prompt,
tests over each carrier, a workflow for CI. It passes its own tests and readingroom check as it is written; put your own
in the place of its notes.

NAME is the package's name on PyPI (my-notes), or on npm (my-notes, @me/my-notes). Nothing that is there is overwritten, and
no other program is run."""
EXAMPLES = (
    ("readingroom new my-notes", "in Python, on the kit, in the folder my-notes"),
    ("readingroom new @me/my-notes --typescript --dir notes", "in TypeScript, on the official SDK"),
    (
        "readingroom new my-notes --modern-only --description 'Notes of the team'",
        "for clients of today's revision alone",
    ),
)

_PYTHON_STEPS = (
    "python -m venv .venv",
    "{bin}python -m pip install --upgrade pip",  # --group needs 25.1, and Python 3.11 brings an older one
    "{bin}python -m pip install --editable . --group dev",
    "{bin}python -m pytest",
    "{bin}readingroom check -- {bin}{program}",
)
_TYPESCRIPT_STEPS = ("npm ci", "npm test", "npm run typecheck", "readingroom check -- node src/main.ts")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", metavar="NAME", help="the name of the server and of its package")
    parser.add_argument(
        "--typescript",
        action="store_true",
        help="write it in TypeScript, on the official SDK, for Node.js 22.18 and later; else in Python, on the kit",
    )
    parser.add_argument(
        "--dir",
        metavar="DIR",
        help="the folder to write, which is new or empty (default: NAME, in this folder)",
    )
    parser.add_argument(
        "--modern-only",
        action="store_true",
        help="let the server serve clients of protocol revision 2026-07-28 and later alone, unless it is told otherwise",
    )
    parser.add_argument(
        "--description",
        metavar="TEXT",
        help="what the server is for, in one line",
        default="An MCP server of notes.",
    )


def run(values: Namespace, console: Console) -> int:
    """Write it and tell what to do next. Raises: UsageFault, OSError."""
    from ..new import Project, files_of, place, python_names, typescript_names

    kind = "typescript" if values.typescript else "python"
    names = (typescript_names if values.typescript else python_names)(values.name)
    files = files_of(Project(names, kind, values.description, older_era=not values.modern_only))
    folder = Path(names.program if values.dir is None else values.dir)
    place(files, folder)
    _tell(console, folder, names, kind, len(files))
    return exit_codes.OK


def _tell(console: Console, folder: Path, names: "Names", kind: str, count: int) -> None:
    """Tell what was written and what to do next."""
    import os

    from ..characters import one_line

    is_python = kind == "python"
    binaries = os.path.join(".venv", "Scripts" if os.name == "nt" else "bin", "")  # noqa: PTH118  -- keeps its last slash
    steps = _PYTHON_STEPS if is_python else _TYPESCRIPT_STEPS
    about = "in Python, on the kit" if is_python else "in TypeScript, on the official SDK"
    out = console.out
    out.line(f"Wrote {one_line(str(folder))}: {count} files, a server {about}.")
    out.line()
    out.line("Next, in that folder:")
    for step in steps:
        out.line(f"  {step.format(bin=binaries, program=names.program)}")
    out.line()
    out.line("Then put your own in place of the notes, and choose a licence: README.md tells where.")
