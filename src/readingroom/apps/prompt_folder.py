"""The folder of an author's prompts: where it may lie, and what is in it. Looks, and changes nothing.

A prompt is told to models in the author's name, so nobody else may be able to write it, and no app by way of a draft.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..desk.author_prompts import AuthorPrompt
from .config_file import check_owner, contents_of, is_same
from .faults import UsageFault
from .prompt_text import Unfit, prompt_from

if TYPE_CHECKING:
    from ..library import Rules

_LARGEST = 64 * 1024
_MOST = 100
_SUFFIX = ".md"


class Prompts(msgspec.Struct, frozen=True):
    """The prompts that can be served, by name, and what is wrong with the others, each a sentence."""

    prompts: tuple[AuthorPrompt, ...]
    faults: tuple[str, ...]


def prompts_in(folder: str, root: str | None, rules: "Rules | None" = None) -> Prompts:
    """Read the prompts of a folder, for the library in `root` under its rules.

    Raises: UsageFault when the folder cannot be read, when others may write it, and when it lies where apps may propose
    changes.
    """
    what = f"the folder of prompts {folder}"
    try:
        check_owner(what, folder, os.stat(folder))  # noqa: PTH116  -- text all the way
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name for entry in entries if entry.name.endswith(_SUFFIX) and entry.name[0] != "."
            )
    except OSError as error:
        raise UsageFault(f"{what} cannot be read: {error.strerror or error}") from None
    if root is not None:
        _check_place(folder, root, rules)
    found: list[AuthorPrompt] = []
    faults = [f"{what} has more than {_MOST} prompts: the rest is not served"] if len(names) > _MOST else []
    for name in names[:_MOST]:
        file = os.path.join(folder, name)  # noqa: PTH118  -- as above
        try:
            found.append(prompt_from(name.removesuffix(_SUFFIX), contents_of("the prompt", file, _LARGEST)))
        except Unfit as error:
            faults.append(f"the prompt {file} is not served: {error}")
        except UsageFault as error:
            faults.append(f"{error}; it is not served")
    return Prompts(tuple(found), tuple(faults))


def _check_place(folder: str, root: str, rules: "Rules | None") -> None:
    """Raise UsageFault when the folder is or lies in the folder that is served, and is not left out of it."""
    parts: list[str] = []
    place = os.path.realpath(folder)
    while not is_same(place, root):
        above, name = os.path.split(place)
        if above == place:
            return
        parts.insert(0, name)
        place = above
    if not parts or not _is_left_out(root, parts, rules):
        raise UsageFault(
            f"the folder of prompts {folder} lies in the folder that is served, where apps may propose changes: move it "
            "elsewhere, or leave it out"
        )


def _is_left_out(root: str, parts: list[str], rules: "Rules | None") -> bool:
    if any(part.startswith(".") for part in parts):
        return True
    from ..library import Rules
    from ..library.model import LeftOut
    from ..library.walk import look

    return isinstance(look(Path(root), "/".join(parts), rules or Rules()), LeftOut)
