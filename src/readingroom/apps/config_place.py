"""Where the configuration is, and whether there is one: one look at the file system, and nothing is read.

On the way to the first answer of `serve`; what reads it is loaded where there is one.
"""

import os
import sys
from collections.abc import Mapping

from .faults import UsageFault

VARIABLE = "READINGROOM_CONFIG"
_NAME = "config.toml"


def place_of(option: str | None, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Give the file of the configuration and who named it: the option, the variable, or "" for the platform's folder.

    None when nobody named one and there is none in the platform's folder. Raises: UsageFault for a name that is empty, and
    when it cannot be told whether there is one: its rules may hide documents.
    """
    if option is not None:
        if not option:
            raise UsageFault("--config must name a file")
        return option, "--config"
    named = environment.get(VARIABLE)
    if named:
        return named, VARIABLE
    file = default_place()
    try:
        os.stat(file)  # noqa: PTH116  -- pathlib would cost more than it says
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageFault(
            f"it cannot be told whether there is a configuration at {file} ({error.strerror or error}), and it may hide "
            "documents: let this account reach that folder, or name a configuration with --config"
        ) from None
    return file, ""


def default_place() -> str:
    """Give the file in the platform's folder for configurations, whether or not it is there."""
    return os.path.join(_folder(), "readingroom", _NAME)  # noqa: PTH118  -- as above


def _folder() -> str:
    """Give the folder that platformdirs gives, which takes longer to load than all of a server; a test compares the two."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or _at_home("AppData", "Local")
    given = os.environ.get("XDG_CONFIG_HOME", "").strip()
    if os.path.isabs(given):  # noqa: PTH117  -- as above
        return given
    return _at_home("Library", "Application Support") if sys.platform == "darwin" else _at_home(".config")


def _at_home(*parts: str) -> str:
    return os.path.join(os.path.expanduser("~"), *parts)  # noqa: PTH111, PTH118  -- as above
