"""`config check` and `config show`, as a person uses them."""

import json
from pathlib import Path

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.running import run
from readingroom.library import FolderUnusable

from .streams import console, written


def ran(*arguments: str, code: int = 0, **environment: str) -> str:
    """Run the command, and give what it wrote to stdout."""
    at = console(environment={"NO_COLOR": "1", **environment})
    assert run(["config", *arguments], at) == code
    return written(at.out)


def configuration(tmp_path: Path, text: str) -> str:
    """Write a configuration."""
    file = tmp_path / "c.toml"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    return str(file)


def test_check_finds_nothing_wrong(tmp_path: Path) -> None:
    """A configuration that can be used is said to be."""
    file = configuration(tmp_path, 'role = "editor"\n')
    assert ran("check", file) == f"{file}: it can be used.\n"
    assert ran("check", "--config", file) == ran("check", READINGROOM_CONFIG=file) == ran("check", file)


def test_check_names_every_fault(tmp_path: Path) -> None:
    """Each with its line, on stdout; the exit code says that the configuration cannot be served."""
    file = configuration(tmp_path, f'rle = 1\n[folders."{tmp_path}"]\n[folders."{tmp_path}/"]\nwatch = 1\n')
    told = ran("check", file, code=2).splitlines()
    assert told[:3] == [
        f"{file}: line 1: there is no key rle; did you mean role?",
        f"{file}: line 4: watch must be true or false, not a whole number",
        f"{file}: {tmp_path} and {tmp_path}/ are one folder, which has one table",
    ]
    assert len(told) == 5
    assert all("lies in the folder that is served" in line for line in told[3:])


def test_check_remarks_on_folders_that_are_not_there(tmp_path: Path) -> None:
    """A table that counts for nothing is told, and no fault: a disk may not be connected."""
    file = configuration(tmp_path, '[folders."/nowhere/at/all"]\n')
    first, last = ran("check", file).splitlines()
    assert first == f"{file}: there is no folder /nowhere/at/all, so its table counts for nothing"
    assert last == f"{file}: it can be used."


def test_without_a_configuration() -> None:
    """Both say so, and where it would be."""
    assert ran("check").startswith("There is no configuration at ")
    lines = ran("show").splitlines()
    assert lines[0].startswith("There is no configuration at ")
    assert all(line.endswith("(default)") for line in lines[1:])


def test_show(tmp_path: Path) -> None:
    """Every value with where it comes from; patterns once for each place."""
    docs = tmp_path / "docs"
    docs.mkdir()
    text = (
        'role = "editor"\nrescan = 5\nwatch = false\ninternal = ["a/", "b/"]\ninstructions = """one\ntwo"""\n'
        f'[folders."{docs}"]\ntitle = "T"\ninternal = ["c/"]\nrescan = 2.5\n'
    )
    file = configuration(tmp_path, text)
    lines = [
        " ".join(line.split())
        for line in ran("show", str(docs), "--config", file, READINGROOM_ROLE="reader").splitlines()
    ]
    assert lines[0] == f"The configuration is {file}, named by --config."
    assert "role reader (READINGROOM_ROLE)" in lines
    assert "watch false (the general part)" in lines
    assert "internal a/, b/ (the general part)" in lines
    assert "instructions one … (the general part)" in lines
    assert any(line.startswith("rescan 2.5 (the table of") for line in lines)
    assert any(line.startswith("internal c/ (the table of") for line in lines)
    assert "leave_out none (default)" in lines
    general = ran("show", READINGROOM_CONFIG=file)
    assert "rescan              5 (the general part)" in general


def test_what_a_folder_says_of_itself(tmp_path: Path) -> None:
    """Its file can be checked like a configuration, and what it hides is shown; a fault in it refuses the folder."""
    file = tmp_path / ".readingroom.toml"
    file.write_text('leave_out = ["old/"]\n')
    file.chmod(0o666)
    assert ran("check", str(file)) == f"{file}: it can be used.\n"
    assert "old/ (its .readingroom.toml)" in ran("show", str(tmp_path))
    file.write_text("leave-out = []\n")
    told = ran("check", str(file), code=2)
    assert "nothing of the folder is served until it is mended" in told
    assert "line 1: there is no key leave-out; did you mean leave_out?" in told
    with pytest.raises(FolderUnusable, match="config check"):
        ran("show", str(tmp_path))
    with pytest.raises(FolderUnusable, match="There is no folder"):
        ran("show", str(tmp_path / "none"))


def test_show_as_json(tmp_path: Path) -> None:
    """For a program: the same rows."""
    file = configuration(tmp_path, "rescan = 5\n")
    told = json.loads(ran("show", "--config", file, "--json"))
    assert told["file"] == file
    assert {"key": "rescan", "value": 5.0, "source": "the general part"} in told["values"]


def test_what_does_not_go_together(tmp_path: Path) -> None:
    """An option of the other action, and two files, are refused; so is to show what cannot be used."""
    for arguments in (
        ["check", "--json"],
        ["check", "x", "--config", "y"],
        ["shwo"],
        ["show", "--config", configuration(tmp_path, "x = 1")],
    ):
        with pytest.raises(UsageFault):
            ran(*arguments)
