"""`serve` with options: the command hands what was given to the server, and nothing else."""

from argparse import ArgumentParser

import pytest

from readingroom.apps import serving
from readingroom.apps.commands import serve
from readingroom.apps.console import Console


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
