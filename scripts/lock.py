"""Resolves the requirements anew (`make lock`): every version pinned, with hashes, for every Python and system we support.

Needs uv, which it installs into an environment of its own.

    python scripts/lock.py          every package at its newest version that fits
    python scripts/lock.py --keep   what is locked stays as it is; only what is new is resolved
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-lock"
UV = "uv==0.13.9"

LOCKS = {
    "requirements/dev.txt": ["--group", "dev", "--all-extras", "pyproject.toml"],
    "requirements/base.txt": ["--group", "build", "--constraint", "requirements/dev.txt", "pyproject.toml"],
    "requirements/docs.txt": ["--group", "docs"],
}
"""The sources of each lock. `base` follows `dev`, so that both have the same versions of what is in both."""


def main() -> None:
    """Write every lock."""
    upgrade = [] if "--keep" in sys.argv[1:] else ["--upgrade"]
    binaries = ENVIRONMENT / ("Scripts" if sys.platform == "win32" else "bin")
    if not ENVIRONMENT.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([binaries / "python", "-m", "pip", "install", "--quiet", UV], check=True)
    for lock, sources in LOCKS.items():
        print(f"Resolving {lock}")
        command = [
            binaries / "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", *upgrade,
            "--generate-hashes", "--custom-compile-command", "make lock",
            *sources, "-o", lock,
        ]  # fmt: skip
        subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
