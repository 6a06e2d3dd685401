"""A server by `readingroom new --typescript`: it passes its own tests, the type checker and our check, as it is written.

What its packages are stands in tests/interop/generated, whose lock is the one that is written. Both languages are also held
to one contract crosswise: the tests of each against the server of the other.
"""

import json
import sys
from pathlib import Path

import pytest

from support.new_servers import (
    NAME,
    PACKAGE,
    attempted,
    checked,
    checked_over_http,
    done,
    new,
    own_tests,
    replaced,
)
from support.peers import ROOT, installer

pytestmark = [pytest.mark.peers, pytest.mark.timeout(400)]

PACKAGES = ROOT / "tests" / "interop" / "generated"


@pytest.fixture(scope="module")
def node() -> str:
    """Give the path of Node.js."""
    program = installer().node_program()
    assert program is not None, "Node.js is not installed; run: make test-peers"
    return str(program)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, node: str) -> Path:
    """Give a server as it is written, with its packages; nobody changes it."""
    return with_packages(new(tmp_path_factory.mktemp("new") / "project", "--typescript"))


def with_packages(project: Path) -> Path:
    """Put the packages of the lock where npm would."""
    installed = PACKAGES / "node_modules"
    assert installed.is_dir(), "its packages are not installed; run: make test-peers"
    (project / "node_modules").symlink_to(installed, target_is_directory=True)
    return project


def told_by_tests(project: Path, node: str, *options: str) -> str:
    """Run the tests as package.json says, and give what is told; they must pass."""
    assert (
        json.loads((project / "package.json").read_text())["scripts"]["test"]
        == 'node --test "tests/**/*.test.ts"'
    )
    return done([node, "--test", *options, "tests/**/*.test.ts"], project)


def test_the_lock_is_the_one_that_was_installed(tmp_path: Path) -> None:
    """What the tests here install is what `npm ci` installs there (scripts/install_peers.py --lock node makes both)."""
    project = new(tmp_path / "project", "--typescript", name="reading-room-generated")
    for name in ("package.json", "package-lock.json"):
        assert (project / name).read_text("utf-8") == (PACKAGES / name).read_text("utf-8")


def test_its_own_tests(project: Path, node: str) -> None:
    """They pass, over stdio and over HTTP."""
    told = told_by_tests(project, node)
    assert "fail 0" in told
    assert "skipped 0" in told


def test_modern_only(tmp_path: Path, node: str) -> None:
    """With --modern-only its own tests expect that older clients are refused, and they pass."""
    project = with_packages(new(tmp_path / "project", "--typescript", "--modern-only"))
    told = told_by_tests(project, node, "--test-name-pattern", "refused with no option")
    assert "✔ a client from before 2026-07-28 is refused with no option" in told


def test_types_and_build(tmp_path: Path, node: str) -> None:
    """The type checker has nothing to say, and what it builds runs."""
    project = with_packages(
        new(tmp_path / "project", "--typescript", "--description", 'Notes of "Ada" \\ $x `y` ${z}')
    )
    compiler = str(project / "node_modules" / "typescript" / "bin" / "tsc")
    done([node, compiler], project)
    done([node, compiler, "--project", "tsconfig.build.json"], project)
    assert done([node, "dist/main.js", "--version"], project) == "0.1.0\n"
    assert attempted([node, "dist/main.js", "--http", "x"], project).returncode == 2


def test_check(project: Path, node: str) -> None:
    """`readingroom check` finds no rule broken; what it warns of is listed in docs/how-to/start-a-server.md."""
    found = checked([node, "src/main.ts"], project)
    assert found.get("broken", []) == []
    assert found.get("warning", []) == ["PAGE-3"]
    assert len(found["kept"]) > 50


def test_check_over_http(project: Path, node: str) -> None:
    """Over HTTP the SDK breaks these; when this fails, docs/how-to/start-a-server.md has to say so."""
    found = checked_over_http([node, "src/main.ts"], project)
    assert found["broken"] == ["RPC-4", "ENC-5"]
    assert sorted(found["warning"]) == ["HTTP-11", "PAGE-3", "RPC-9"]


def test_check_without_the_guard(tmp_path: Path, node: str) -> None:
    """Without src/guard.ts the SDK breaks rules; once this fails, the guard has done its work and may go."""
    bare = with_packages(new(tmp_path / "project", "--typescript"))
    replaced(bare / "src" / "serving.ts", "process.stdin.pipe(new Guard(process.stdout))", "process.stdin")
    found = checked([node, "src/main.ts"], bare)
    assert found["broken"] == ["META-5"]
    assert {"META-3", "RPC-3", "RPC-8", "STDIO-3"} <= set(found["warning"])


def test_the_contract_by_the_python_tests(project: Path, tmp_path: Path, node: str) -> None:
    """The tests of the Python server, with our client, pass against the TypeScript server."""
    ours = new(tmp_path / "project")
    main = json.dumps([node, str(project / "src" / "main.ts")])
    replaced(ours / "tests" / "conftest.py", f'(sys.executable, "-m", "{PACKAGE}")', f"tuple({main})")
    run = own_tests(ours, "-k", "contract")
    assert run.returncode == 0, run.stdout[-6000:]


def test_the_contract_by_the_typescript_tests(tmp_path: Path, node: str) -> None:
    """The tests of the TypeScript server, with the SDK's client, pass against the Python server."""
    ours, theirs = new(tmp_path / "ours"), with_packages(new(tmp_path / "theirs", "--typescript"))
    main = ours / "src" / "serve.py"
    main.write_text(f"from {PACKAGE}.main import main\n\nmain()\n")
    connecting = theirs / "tests" / "connecting.ts"
    replaced(connecting, 'fileURLToPath(new URL("../src/main.ts", import.meta.url))', json.dumps(str(main)))
    replaced(connecting, "process.execPath", json.dumps(sys.executable))
    told = done([node, "--test", "tests/contract.test.ts"], theirs)
    assert "pass 6" in told
    assert "fail 0" in told
    assert NAME in (theirs / "tests" / "contract.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new_text"),
    [
        ("tools/reading.ts", "readOnlyHint: true", "readOnlyHint: false"),
        ("tools/changing.ts", '=== "missing"', '=== "never"'),
        ("resources.ts", "throw new ResourceNotFoundError(uri.href)", "return { contents: [] }"),
    ],
)
def test_its_own_tests_can_fail(tmp_path: Path, node: str, file: str, old: str, new_text: str) -> None:
    """A hint, a question or an answer that is not what the contract says is noticed."""
    project = with_packages(new(tmp_path / "project", "--typescript"))
    replaced(project / "src" / file, old, new_text)
    command = [node, "--test", "--test-name-pattern", "stdio", "tests/contract.test.ts"]
    run = attempted(command, project)
    assert run.returncode == 1, run.stdout[-6000:]
    assert "AssertionError" in run.stdout
