"""Where the library's static tokens are kept, and what each role may do with one. Loads no HTTP."""

from collections.abc import Mapping
from pathlib import Path

from .faults import UsageFault

READ = "docs:read"
PROPOSE = "docs:propose"
SCOPES: Mapping[str, tuple[str, ...]] = {"reader": (READ,), "editor": (READ, PROPOSE)}
"""What the roles of the library allow."""

DEFAULT = "default"


def token_file(given: str | None) -> Path:
    """Give the file that is meant: the one named, or that of the platform's data folder. Raises: UsageFault."""
    if given is None or given == DEFAULT:
        import platformdirs

        return Path(platformdirs.user_data_dir("readingroom", appauthor=False)) / "tokens.json"
    if not given:
        raise UsageFault("--tokens must name a file")
    return Path(given).absolute()


def check_outside(file: Path, folder: str) -> None:
    """Check that the tokens do not lie in the folder that is served. Raises: UsageFault."""
    if file.resolve().is_relative_to(Path(folder).resolve()):
        raise UsageFault(f"the tokens {file} lie inside the folder that is served; keep them outside of it")
