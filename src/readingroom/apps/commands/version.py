"""`readingroom version`."""

from argparse import ArgumentParser, Namespace

from .. import exit_codes
from ..console import Console

USAGE = ""
DESCRIPTION = "Tell the versions of Reading Room, of the protocol it speaks, and of the Python that runs it."
EXAMPLES = (("readingroom version", "the same as readingroom --version"),)


def configure(parser: ArgumentParser) -> None:
    """Take no arguments."""


def run(values: Namespace, console: Console) -> int:
    """Print the versions."""
    import platform

    from ... import __version__
    from ...protocol import LATEST

    console.out.line(f"Reading Room {__version__}")
    console.out.line(f"Model Context Protocol {LATEST}")
    console.out.line(f"Python {platform.python_version()}")
    return exit_codes.OK
