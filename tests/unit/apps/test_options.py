"""The quick way of reading a command line says what argparse would say, or leaves it to argparse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.commands import COMMANDS, serve
from readingroom.apps.faults import UsageFault
from readingroom.apps.http_settings import HTTP
from readingroom.apps.options import SERVING, split
from readingroom.apps.running import parser_of

SERVE = next(command for command in COMMANDS if command.name == "serve")
FLAGS = [
    "--role",
    "--internal",
    "--leave-out",
    "--cache",
    "--ledger",
    "--rescan",
    "--principal",
    "-h",
    "--help",
    "--no-watch",
    "--modern-only",
    "--http",
    "--behind-proxy",
    "--rol",
    "--",
    "-",
]
JOINED = [
    "--role=editor",
    "--internal=a=b",
    "--cache=",
    "--rescan=-5",
    "--modern-only=yes",
    "--http=h:1",
    "--internal=-x",
    "=",
    "--=x",
]
VALUES = ["folder", "editor", "staff/**", "", "5", "-5", "a b", "-a b", "缓存"]
WORDS = st.sampled_from([*FLAGS, *JOINED, *VALUES])


HTTP_NAMES = {option.name for option in HTTP}


def by_argparse(arguments: list[str]) -> dict[str, object] | None:
    """Read with argparse, apart from what is for HTTP and not given; None when it refuses or prints help."""
    try:
        values = vars(serve.read(parser_of(SERVE), arguments))
    except (UsageFault, SystemExit):
        return None
    read = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    folders = values["folder"]
    if len(folders) == 1:  # the quick way takes one alone, and gives it as it is
        read["folder"] = folders[0]
    return {name: value for name, value in read.items() if value or name not in HTTP_NAMES}


@given(st.lists(WORDS, max_size=6))
def test_both_ways_agree(arguments: list[str]) -> None:
    """Whatever the quick way takes, argparse reads in the same way."""
    quick = split(arguments, SERVING)
    if quick is not None:
        assert quick == by_argparse(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["folder"],
        ["folder", "--role", "editor"],
        [
            "--role=editor",
            "--cache",
            "x",
            "folder",
            "--internal",
            "a",
            "--internal",
            "b",
            "--principal",
            "me",
        ],
    ],
)
def test_plain_lines_are_taken(arguments: list[str]) -> None:
    """The lines that apps start servers with do not need argparse."""
    assert split(arguments, SERVING) == by_argparse(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "b"],
        ["a", "--role"],
        ["a", "--role", "-x"],
        ["a", "--unknown", "x"],
        ["a", "-h"],
        ["a", "--"],
    ],
)
def test_the_rest_is_left_to_argparse(arguments: list[str]) -> None:
    """What is not plain is not guessed at."""
    assert split(arguments, SERVING) is None
