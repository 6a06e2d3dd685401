"""Builds the documentation as a site in site/ (part of `make docs`), in an environment of its own (.venv-docs)."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-docs"


def main() -> None:
    """Set up what is needed, then build; a broken link or a page that nothing leads to is an error."""
    python = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = ENVIRONMENT / ".ready"
    lock = ROOT / "requirements/docs.txt"
    if not ready.exists() or ready.stat().st_mtime < lock.stat().st_mtime:
        print("Setting up .venv-docs from requirements/docs.txt")
        venv.create(ENVIRONMENT, with_pip=True)
        install = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
            "-r",
            lock,
        ]
        subprocess.run(install, check=True)
        ready.touch()
    # The theme announces its successor on every build; dependencies.md says why it is used all the same.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(
        [python, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, env=environment, check=True
    )
    print("The site is in site/index.html")


if __name__ == "__main__":
    main()
