"""What the project says of itself is true: versions, the drawing of the errors, the documentation's links."""

import inspect
import re
import tomllib
from pathlib import Path

import readingroom
from readingroom import errors

ROOT = Path(__file__).resolve().parents[2]


def test_one_version() -> None:
    """The package, the project file and the newest section of the changelog have one version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    newest = re.search(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest is not None
    assert readingroom.__version__ == project == newest[1]


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    """The drawing in errors.py shows every class under its parent."""
    drawn: dict[str, str] = {}
    above: list[str] = []
    for line in (inspect.getdoc(errors) or "").splitlines():
        found = re.match(r"^((?:│  |   )*)(?:├─ |└─ )?(\w+)", line)
        if found is None or not hasattr(errors, found[2]) or not inspect.isclass(getattr(errors, found[2])):
            continue
        depth = 0 if line.startswith(found[2]) else len(found[1]) // 3 + 1
        above[depth:] = [found[2]]
        drawn[found[2]] = above[depth - 1] if depth else "Exception"
    classes = [
        value
        for value in vars(errors).values()
        if inspect.isclass(value) and value.__module__ == errors.__name__
    ]
    assert drawn == {cls.__name__: cls.__bases__[0].__name__ for cls in classes}


def test_links_between_pages_lead_somewhere() -> None:
    """Every relative link in README.md, CONTRIBUTING.md and docs/ leads to a file that is there."""
    broken: list[str] = []
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        targets = re.findall(r"(?<!!)\[[^\]]*\]\(([^)#:]+)(?:#[^)]*)?\)", text)
        broken += [f"{page.name}: {target}" for target in targets if not (page.parent / target).exists()]
    assert broken == []


def test_every_page_is_in_the_navigation() -> None:
    """mkdocs.yml names every page of docs/, and none that is not there."""
    named = set(re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    there = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert named == there


def test_every_dependency_has_a_reason() -> None:
    """docs/dependencies.md has a line for each package that the project asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    asked = [*project["project"]["dependencies"], *(name for extra in extras for name in extra)]
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8").lower()
    missing = [name for name in asked if f"| {re.split('[>=<]', name)[0].lower()} |" not in reasons]
    assert missing == []
