"""Words of a query that begin with a dash, which argparse would take for options: `search FOLDER borrow -winter`.

They are hidden from it behind a character that no argument of a process can hold. What may be a mistyped option is refused.
"""

from collections.abc import Sequence

from .parsing import CommandParser

_HIDDEN = "\0"
_SEPARATOR = "--"


def hidden(parser: CommandParser, arguments: Sequence[str]) -> list[str]:
    """Give the arguments with every `-word` hidden that stands after the folder and is no option.

    Raises: UsageFault for what looks like an option and is none.
    """
    given: list[str] = []
    seen_folder = is_value = False
    for at, argument in enumerate(arguments):
        if argument == _SEPARATOR:
            return [*given, *arguments[at:]]
        if is_value or not argument.startswith("-") or argument == "-":
            seen_folder |= not is_value
            is_value = False
        elif (takes := parser.takes_value(argument)) is not None:
            is_value = takes
        elif seen_folder:
            _check(parser, argument)
            given.append(_HIDDEN + argument)
            continue
        given.append(argument)
    return given


def hide(word: str) -> str:
    """Give a word that is no option, hidden where it begins with a dash."""
    return _HIDDEN + word if word.startswith("-") else word


def shown(word: str) -> str:
    """Give a word as it was written."""
    return word.removeprefix(_HIDDEN)


def _check(parser: CommandParser, argument: str) -> None:
    """Refuse what a person may have meant as an option: a long one, a single letter, or one with a dash too few."""
    is_long, is_letter = argument.startswith("--"), len(argument) == len("-n") and argument.isascii()
    if is_long or is_letter or parser.takes_value(f"-{argument}") is not None:
        parser.error(
            f"{parser.not_understood([argument])} (a word of the query stands after --, as in: -- {argument})"
        )
