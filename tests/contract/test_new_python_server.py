"""A server by `readingroom new` in Python: it passes its own tests and our check, and can be shipped, as it is written."""

import shutil
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from support.new_servers import PACKAGE, checked, checked_over_http, done, new, own_tests, replaced

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a server as it is written; nobody changes it."""
    return new(tmp_path_factory.mktemp("new") / "project")


@pytest.fixture
def changed(project: Path, tmp_path: Path) -> Path:
    """Give a copy that may be changed."""
    return Path(shutil.copytree(project, tmp_path / "changed"))


def test_its_own_tests(project: Path) -> None:
    """They pass, over stdio and over HTTP."""
    run = own_tests(project)
    assert run.returncode == 0, run.stdout[-6000:]
    assert " passed" in run.stdout
    assert "skipped" not in run.stdout


def test_modern_only(tmp_path: Path) -> None:
    """With --modern-only its own tests expect that older clients are refused, and they pass."""
    project = new(tmp_path / "project", "--modern-only")
    assert "OLDER_ERA = False" in (project / "src" / PACKAGE / "settings.py").read_text("utf-8")
    run = own_tests(project, "-k", "older_era")
    assert run.returncode == 0, run.stdout[-6000:]


@pytest.mark.parametrize(
    ("file", "old", "new_text"),
    [
        ("tools/changing.py", "destructive=False", "destructive=True"),
        ("tools/changing.py", " or not answer.content[", " or answer.content["),
        ("notes.py", "[:limit]", ""),
        ("resources.py", "if note.id.startswith(value)", ""),
    ],
)
def test_its_own_tests_can_fail(changed: Path, file: str, old: str, new_text: str) -> None:
    """A hint, a confirmation or an answer that is not what the contract says is noticed."""
    replaced(changed / "src" / PACKAGE / file, old, new_text)
    run = own_tests(changed, "-x", "-k", "contract and stdio")
    assert run.returncode == 1, run.stdout[-6000:]
    assert " failed" in run.stdout


@pytest.mark.parametrize("option", ["--older-era", "--no-older-era"])
def test_check(project: Path, option: str) -> None:
    """`readingroom check` has nothing to say of it, in either setting of the switch."""
    found = checked([sys.executable, "-m", PACKAGE, option], project / "src")
    assert "broken" not in found
    assert "warning" not in found
    assert len(found["kept"]) > 50


def test_check_over_http(project: Path) -> None:
    """Nor over HTTP."""
    found = checked_over_http([sys.executable, "-m", PACKAGE], project / "src")
    assert "broken" not in found
    assert "warning" not in found
    assert len(found["kept"]) > 50


def test_it_can_be_built(project: Path, tmp_path: Path) -> None:
    """Its wheel holds the package, the command and the description, and says that it may not be uploaded yet."""
    done([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], project)
    (wheel,) = tmp_path.glob("my_notes-0.1.0-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        points = archive.read("my_notes-0.1.0.dist-info/entry_points.txt").decode()
        about = archive.read("my_notes-0.1.0.dist-info/METADATA").decode()
    assert {"my_notes/main.py", "my_notes/tools/reading.py"} <= set(names)
    assert not [name for name in names if "test" in name]
    assert "my-notes = my_notes.main:main" in points
    assert "Classifier: Private :: Do Not Upload" in about


def test_the_templates_are_shipped(tmp_path: Path) -> None:
    """Our own wheel holds every template, those whose names begin with a dot among them."""
    done([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    templates = ROOT / "src" / "readingroom" / "apps" / "new" / "templates"
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.endswith(".tmpl")}
    ours = {file.relative_to(ROOT / "src").as_posix() for file in templates.rglob("*.tmpl")}
    assert shipped == ours
    assert len([name for name in ours if "/." in name]) == 4


def test_what_it_asks_for(project: Path) -> None:
    """It asks for the version of the kit that wrote it, or a later one."""
    ours = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    theirs = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    assert theirs["dependencies"] == [f"readingroom[rounds]>={ours['version']}"]
    assert theirs["requires-python"] == ours["requires-python"]
    assert "rounds" in ours["optional-dependencies"]
