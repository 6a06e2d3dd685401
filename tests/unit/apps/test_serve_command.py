"""`serve` with options: the command hands what was given to the server, and nothing else."""

from argparse import ArgumentParser

import pytest

from readingroom.apps import serving
from readingroom.apps.commands import serve
from readingroom.apps.console import Console
from readingroom.apps.faults import UsageFault
from readingroom.apps.parsing import CommandParser
from readingroom.apps.running import run


def test_what_was_given_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the environment of the process."""
    given: list[object] = []
    monkeypatch.setattr(serving, "serve", lambda *values: given.append(values))
    parser = ArgumentParser()
    serve.configure(parser)
    values = parser.parse_args(["a folder"])
    serve.run(values, Console(None, None, {"HOME": "x"}))  # type: ignore[arg-type]  # it is handed on, and nothing is written
    assert given == [(vars(values), {"HOME": "x"})]
    assert vars(values)["folder"] == ["a folder"]


@pytest.mark.parametrize(
    "arguments", [["a", "b"], ["a", "--role", "editor", "b"], ["--role", "editor", "a", "b"]]
)
def test_options_may_stand_between_folders(arguments: list[str]) -> None:
    """Each folder is handed on, wherever it stands."""
    parser = CommandParser("serve", serve.DESCRIPTION, serve.EXAMPLES, serve.USAGE)
    serve.configure(parser)
    assert serve.read(parser, arguments).folder == ["a", "b"]


def test_an_unknown_option_is_told_before_a_second_folder() -> None:
    """The value of a mistyped option is not taken for a folder."""
    with pytest.raises(UsageFault, match="there is no option --rol; did you mean --role"):
        run(["serve", "a", "--rol", "editor"])


def test_a_sound_command_line_is_read() -> None:
    """One folder and its options."""
    parser = CommandParser("serve", serve.DESCRIPTION, serve.EXAMPLES, serve.USAGE)
    serve.configure(parser)
    assert serve.read(parser, ["a", "--role", "editor"]).role == "editor"
