"""`readingroom new`: what it writes and what it says. That the servers work is shown in tests/contract and tests/interop."""

import ast
import json
import tomllib
from pathlib import Path

import pytest

from readingroom import __version__
from readingroom.apps.faults import UsageFault
from readingroom.apps.new import Names, Project, files_of, python_names, typescript_names
from readingroom.apps.running import run

from .streams import console, written

ODD = 'Notes of “Ada” & Co: "50 %" \\ \\u0041 $HOME ${x} %% %%package <b> 𝄞'


def _python(description: str = "Notes.", *, older_era: bool = True) -> dict[str, str]:
    return files_of(Project(python_names("My.Notes"), "python", description, older_era))


def _typescript(description: str = "Notes.", *, older_era: bool = True) -> dict[str, str]:
    return files_of(Project(typescript_names("@me/my-notes"), "typescript", description, older_era))


def test_python_files() -> None:
    """A package with its tests, its workflow and what is needed to build it, each under its own name."""
    files = _python()
    assert {
        "pyproject.toml",
        "README.md",
        ".gitignore",
        ".github/workflows/ci.yml",
        "tests/contract.json",
    } <= set(files)
    assert {
        f"src/my_notes/{name}.py" for name in ("main", "server", "tools/reading", "tools/changing")
    } <= set(files)
    assert not [path for path in files if "PACKAGE" in path or path.endswith(".tmpl")]
    project = tomllib.loads(files["pyproject.toml"])["project"]
    assert project["name"] == "My.Notes"
    assert project["scripts"] == {"my-notes": "my_notes.main:main"}
    assert project["dependencies"] == [f"readingroom[rounds]>={__version__}"]


def test_typescript_files() -> None:
    """A package with its lock, which asks for the same packages in the same versions."""
    files = _typescript()
    about, lock = json.loads(files["package.json"]), json.loads(files["package-lock.json"])
    root = lock["packages"][""]
    assert about["name"] == lock["name"] == root["name"] == "@me/my-notes"
    assert about["bin"] == root["bin"] == {"my-notes": "dist/main.js"}
    assert about["engines"] == root["engines"]
    for kind in ("dependencies", "devDependencies"):
        assert about[kind] == root[kind]
        assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in about[kind]} == about[
            kind
        ]
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]


@pytest.mark.parametrize("files", [_python(), _typescript()], ids=["python", "typescript"])
def test_no_mark_is_left(files: dict[str, str]) -> None:
    """Every mark is filled in, every file ends with a line, and a workflow keeps its own marks."""
    assert not [path for path, text in files.items() if "%%" in text]
    assert not [path for path, text in files.items() if text and (not text.endswith("\n") or "\r" in text)]
    assert "${{ matrix." in files[".github/workflows/ci.yml"]
    assert "readingroom check --junit check.xml -- " in files[".github/workflows/ci.yml"]


def test_one_contract() -> None:
    """Both languages are held to the same table of calls and answers."""
    assert _python()["tests/contract.json"] == _typescript()["tests/contract.json"]


def test_descriptions() -> None:
    """A description stays what it is in every language it is written in, and is never taken for code or a mark."""
    files = _python(ODD)
    assert tomllib.loads(files["pyproject.toml"])["project"]["description"] == ODD
    tree = ast.parse(files["src/my_notes/server.py"])
    (found,) = [
        keyword.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "description" and isinstance(keyword.value, ast.Constant)
    ]
    assert found == ODD
    assert f"\n{ODD}\n" in files["README.md"]
    assert json.loads(_typescript(ODD)["package.json"])["description"] == ODD
    assert f"description: {json.dumps(ODD, ensure_ascii=False)} }}" in _typescript(ODD)["src/server.ts"]


@pytest.mark.parametrize("text", ["", " ", "a\nb", "a\x7f", "a\u2028b", "\ud800", "\x1b[1m", "x" * 301])
def test_no_descriptions(text: str) -> None:
    """What is not one line of printable characters is refused."""
    with pytest.raises(UsageFault, match="one line"):
        Project(Names("x", "x", "x"), "python", text)


@pytest.mark.parametrize("older_era", [True, False])
def test_older_era(older_era: bool) -> None:
    """The switch stands as it was asked for."""
    assert f"\nOLDER_ERA = {older_era}\n" in _python(older_era=older_era)["src/my_notes/settings.py"]
    written_as = f"OLDER_ERA: boolean = {'true' if older_era else 'false'};"
    assert written_as in _typescript(older_era=older_era)["src/settings.ts"]


@pytest.mark.parametrize(
    ("arguments", "folder", "says", "holds"),
    [
        (["my-notes"], "my-notes", "in Python, on the kit", "src/my_notes/main.py"),
        (
            ["My.Notes", "--dir", "a folder", "--modern-only"],
            "a folder",
            "check -- .venv",
            "src/my_notes/main.py",
        ),
        (["@me/notes", "--typescript"], "notes", "npm ci", "src/main.ts"),
    ],
)
def test_the_command(
    arguments: list[str], folder: str, says: str, holds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes the folder and tells what to do next."""
    monkeypatch.chdir(tmp_path)
    told = console()
    assert run(["new", *arguments], told) == 0
    assert [entry.name for entry in tmp_path.iterdir()] == [folder]
    assert (tmp_path / folder / holds).is_file()
    text = written(told.out)
    assert text.startswith(f"Wrote {folder}: ")
    assert says in text
    assert "choose a licence" in text
    with pytest.raises(UsageFault, match="is there already"):
        run(["new", *arguments], told)


def _steps(text: str) -> list[str]:
    """Give the lines of a text that have pip do something."""
    return [line.strip() for line in text.splitlines() if "pip install" in line]


def test_a_stock_pip_takes_the_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a step wants dependency groups, pip is made new enough just before: that of Python 3.11 has none."""
    monkeypatch.chdir(tmp_path)
    told = console()
    assert run(["new", "my-notes"], told) == 0
    files = _python()
    readme = files["README.md"].partition("## Work on it")[2]
    for text in (written(told.out), readme, files[".github/workflows/ci.yml"]):
        upgrade, install = _steps(text)
        assert "-m pip install --upgrade pip" in upgrade
        assert "--editable . --group dev" in install
        assert upgrade.partition("-m pip")[0] == install.partition("-m pip")[0]


def test_a_bad_name_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name or a description that is refused leaves nothing behind."""
    monkeypatch.chdir(tmp_path)
    for arguments in (["../x"], ["x", "--description", "a\nb"], ["X", "--typescript"]):
        with pytest.raises(UsageFault):
            run(["new", *arguments], console())
    assert [entry.name for entry in tmp_path.iterdir()] == []
