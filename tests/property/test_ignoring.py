"""Whatever the folders and the patterns: the walk ignores what git ignores, and a look agrees with the walk."""

import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readingroom.library.model import Found, LeftOut
from readingroom.library.rules import Rules
from readingroom.library.walk import look, walk

GIT = shutil.which("git")
NAMES = ["a", "b", "ab", "a.md", "b.md", "-", "a]b", "[a", "x y", "a!", "#a", "é.md"]
PIECES = [
    "a",
    "b",
    "c",
    "/",
    "*",
    "**",
    "**/",
    "/**",
    "?",
    ".md",
    "[a-b]",
    "[!a]",
    "[^-a]",
    "[b-a]",
    "[[:alpha:]]",
]
PIECES += ["[", "]", "!", "-", "\\", " ", "é", "#"]

trees = st.recursive(
    st.none(),
    lambda below: st.dictionaries(st.sampled_from(NAMES), below, min_size=1, max_size=5),
    max_leaves=12,
)
lines = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=6)
    .map("".join)
    .filter(lambda line: "**\\/" not in line)
)
ignore_files = st.lists(st.tuples(st.booleans(), lines), min_size=1, max_size=4).map(
    lambda pairs: "".join(f"{'!' * negated}{line}\n" for negated, line in pairs)
)


@pytest.fixture(scope="module")
def repository() -> Iterator[pathlib.Path]:
    """An empty repository of git's."""
    if GIT is None:
        pytest.skip("git, the oracle of this test, is not installed")
    with tempfile.TemporaryDirectory() as root:
        subprocess.run([GIT, "init", "-q", root], check=True)
        yield pathlib.Path(root)


def lay_out(root: pathlib.Path, tree: dict[str, object], files: dict[str, str]) -> list[str]:
    """Put the tree and its ignore files under an emptied root; the paths of all entries, ignore files aside."""
    for entry in root.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    paths: list[str] = []

    def put(below: dict[str, object], base: str) -> None:
        for name, inner in below.items():
            paths.append(base + name)
            if isinstance(inner, dict):
                (root / base / name).mkdir()
                put(inner, f"{base}{name}/")
            else:
                (root / base / name).touch()

    put(tree, "")
    folders = ["", *(path + "/" for path in paths if (root / path).is_dir())]
    for number, text in files.items():
        (root / folders[int(number) % len(folders)] / ".gitignore").write_text(text)
    return paths


def git_says(root: pathlib.Path, paths: list[str]) -> dict[str, tuple[str, str]]:
    """File and line of the pattern that decides for each path, as git has it."""
    command = [
        "git",
        "-C",
        str(root),
        "-c",
        "core.ignorecase=false",
        "check-ignore",
        "-z",
        "-v",
        "-n",
        "--no-index",
    ]
    asked = "\0".join(paths).encode()
    fields = (
        subprocess.run([*command, "--stdin"], input=asked, capture_output=True).stdout.decode().split("\0")
    )
    return {
        fields[i + 3]: (fields[i], fields[i + 1]) if fields[i + 2][:1] != "!" else ("", "")
        for i in range(0, len(fields) - 1, 4)
    }


@pytest.mark.skipif(os.name == "nt", reason="makes names that Windows has not")
@settings(max_examples=60, deadline=None)
@given(
    tree=trees.filter(bool),
    files=st.dictionaries(st.sampled_from("01234"), ignore_files, min_size=1, max_size=3),
)
def test_the_walk_ignores_what_git_ignores(
    repository: pathlib.Path, tree: dict[str, object], files: dict[str, str]
) -> None:
    """An entry is ignored by the very file and line by which git ignores it, and kept where git keeps it."""
    paths = lay_out(repository, tree, files)
    expected = git_says(repository, paths)
    told = {item.path: item for item in walk(repository, Rules())}
    for path, (file, line) in expected.items():
        above = [path, *(str(parent) for parent in pathlib.PurePosixPath(path).parents)]
        decided = next((told[step] for step in reversed(above) if step in told), None)
        ignored = isinstance(decided, LeftOut) and decided.reason.startswith("ignored by")
        assert ignored == bool(file), path
        if ignored:
            assert decided.reason.startswith(f"ignored by {file}, line {line}:")  # type: ignore[union-attr]  # `ignored` says that it is LeftOut


@pytest.mark.skipif(os.name == "nt", reason="makes names that Windows has not")
@settings(max_examples=40, deadline=None)
@given(tree=trees.filter(bool), files=st.dictionaries(st.sampled_from("01234"), ignore_files, max_size=3))
def test_a_look_agrees_with_the_walk(tree: dict[str, object], files: dict[str, str]) -> None:
    """What the walk finds a look finds equal; below what the walk drops a look finds nothing to serve."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        paths = lay_out(root, tree, files)
        told = {item.path: item for item in walk(root, Rules())}
        for path in paths:
            looked = look(root, path, Rules())
            if path in told:
                assert looked == told[path]
            elif (root / path).is_file():
                assert isinstance(looked, LeftOut)
            else:
                assert not isinstance(looked, Found)
