"""argparse, made to say what is wrong in one line and what was probably meant. Loaded for all but a plain `serve`."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .faults import UsageFault


class CommandParser(argparse.ArgumentParser):
    """The parser of one command. Faults become UsageFault; nothing is abbreviated."""

    def __init__(self, name: str, description: str, examples: Sequence[tuple[str, str]], usage: str) -> None:
        given: dict[str, Any] = {"color": False} if sys.version_info >= (3, 14) else {}
        super().__init__(
            prog=f"readingroom {name}",
            usage=f"readingroom {name} {usage}",
            description=description,
            epilog=_told(examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            **given,
        )

    def format_help(self) -> str:
        """Give the help, its paragraphs filled to the terminal's width."""
        import shutil

        columns = min(shutil.get_terminal_size().columns, 100) - 2
        self.description = filled(self.description or "", columns)
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise UsageFault instead of printing the usage and exiting."""
        raise UsageFault(f"{message}; see {self.prog} --help")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse a command line. Raises: UsageFault."""
        values, unknown = self.parse_known_args(arguments)
        if unknown:
            self.error(self.not_understood(unknown))
        return values

    def read_mixed(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse a command line whose options may stand between its arguments; for those without `--`. Raises: UsageFault."""
        values, unknown = self.parse_known_intermixed_args(arguments)
        if unknown:
            self.error(self.not_understood(unknown))
        return values

    def takes_value(self, argument: str) -> bool | None:
        """Whether an option takes the argument after it as its value; None when it is no option of this command."""
        flag, equals, _ = argument.partition("=")
        action = self._option_string_actions.get(flag)
        return None if action is None else action.nargs != 0 and not equals

    def entries(self) -> list[tuple[str, str]]:
        """Give every argument and option as it is written, with its help, for the documentation."""
        return [(_written(action), action.help or "") for action in self._actions if action.dest != "help"]

    def not_understood(self, unknown: Sequence[str]) -> str:
        """Say what is wrong with arguments that have no place."""
        option = next((argument for argument in unknown if argument.startswith("-")), "").partition("=")[0]
        if not option:
            return f"too much was given: {' '.join(unknown)}"
        meant = nearest(option, self._option_string_actions)
        if meant:
            return f"there is no option {option}; did you mean {meant}?"
        return f"there is no option {option}"


def _written(action: argparse.Action) -> str:
    name = str(action.metavar or "")
    if action.option_strings:
        return ", ".join(action.option_strings) + (f" {name}" if name else "")
    return f"{name}…" if action.nargs in ("*", "+") else name


def nearest(word: str, known: Sequence[str] | Any) -> str:
    """Give the known word that was probably meant, or nothing."""
    import difflib

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else ""


def filled(text: str, columns: int) -> str:
    """Give paragraphs, which blank lines part, with their lines filled."""
    import textwrap

    return "\n\n".join(textwrap.fill(paragraph, columns) for paragraph in text.split("\n\n"))


def _told(examples: Sequence[tuple[str, str]]) -> str:
    shown = [f"  {command}\n      {purpose}" for command, purpose in examples]
    return "\n".join(["examples:", *shown])
