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
    assert vars(values)["folder"] == "a folder"


@pytest.mark.parametrize(
    "arguments",
    [["a", "b"], ["a", "--role", "editor", "b"], ["a", "--http", "127.0.0.1:8000", "b"]],
)
def test_a_second_folder_is_refused_with_what_to_do(arguments: list[str]) -> None:
    """One server serves one folder; nothing is served of what was not understood."""
    with pytest.raises(UsageFault) as caught:
        run(["serve", *arguments])
    said = str(caught.value)
    assert "one server serves one folder, and beside a there is b" in said
    assert "start a server for each folder" in said


def test_a_name_with_spaces_and_no_quotes_is_recognised() -> None:
    """What a shell makes of it is named whole."""
    with pytest.raises(UsageFault, match=r"beside My there is old Documents: .*quotes"):
        run(["serve", "My", "old", "Documents"])


def test_an_unknown_option_is_told_before_a_second_folder() -> None:
    """The value of a mistyped option is not taken for a folder."""
    with pytest.raises(UsageFault, match="there is no option --rol; did you mean --role"):
        run(["serve", "a", "--rol", "editor"])


def test_a_sound_command_line_is_read() -> None:
    """One folder and its options."""
    parser = CommandParser("serve", serve.DESCRIPTION, serve.EXAMPLES, serve.USAGE)
    serve.configure(parser)
    assert serve.read(parser, ["a", "--role", "editor"]).role == "editor"
