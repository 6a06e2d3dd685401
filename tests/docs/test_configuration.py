"""The reference of the configuration names every key, as the code has it, and what it shows is understood."""

import re
from pathlib import Path

import pytest

from readingroom.apps.config_keys import KEYS, Key
from readingroom.apps.config_text import decoded
from readingroom.library.narrowing import decoded as narrowing_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "reference/configuration.md").read_text("utf-8")
HOW_TO = (DOCS / "how-to/configure-a-library.md").read_text("utf-8")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_keys(key: Key) -> None:
    """Each key has its row, with what it takes, what holds without it and what it is."""
    assert f"\n| `{key.name}` | {key.takes} | {key.default} | {key.means} |\n" in PAGE


@pytest.mark.parametrize("page", [PAGE, HOW_TO])
def test_examples(page: str) -> None:
    """The first example of a page is a configuration, the second what a folder says of itself; neither has a fault."""
    first, second = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[:2]
    assert decoded(first.encode()).faults == ()
    assert narrowing_of(second.encode()).internal
