"""What docs/handing-over.md says of methods, places, tools and commands is so."""

import re
from pathlib import Path

import platformdirs
import pytest

from readingroom.apps.commands import COMMANDS
from readingroom.apps.config_place import VARIABLE as CONFIG_VARIABLE
from readingroom.apps.running import parser_of
from readingroom.apps.settings import LEDGER_VARIABLE, ROLE_VARIABLE
from readingroom.protocol.methods import METHODS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "handing-over.md").read_text("utf-8")
PAGES = ("handing-over.md", "how-to/review-drafts.md", "how-to/let-an-app-propose.md", "how-to/back-up.md")


def test_methods() -> None:
    """Each method that is served is named, and no other."""
    named = set(re.findall(r"`((?:[a-z]+/)+[a-z]+)`", PAGE))
    assert {name for name in named if not name.startswith("notifications/")} == set(METHODS)


def test_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of the platforms are those of the library that chooses them."""
    from platformdirs.macos import MacOS
    from platformdirs.unix import Unix

    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    home = str(Path("~").expanduser())
    for platform in (Unix, MacOS):
        dirs = platform("readingroom", appauthor=False)
        for place in (dirs.user_cache_dir, dirs.user_data_dir, dirs.user_config_dir):
            assert f"`{place.replace(home, '~')}/" in PAGE
    assert platformdirs.user_data_dir("readingroom", appauthor=False)


def test_variables() -> None:
    """Those that decide something are named."""
    assert {ROLE_VARIABLE, LEDGER_VARIABLE, CONFIG_VARIABLE} == set(re.findall(r"READINGROOM_\w+", PAGE))


@pytest.mark.parametrize("page", PAGES)
def test_commands(page: str) -> None:
    """Each command of ours that a page has one type is there, with each of its options."""
    options = {
        command.name: " ".join(written for written, _ in parser_of(command).entries()) for command in COMMANDS
    }
    text = (DOCS / page).read_text("utf-8").replace("\\\n", " ")
    typed = re.findall(r"(?:^|`)readingroom (?!\[)([a-z]+)([^`\n]*)", text, re.MULTILINE)
    assert typed
    for name, rest in typed:
        assert name in options, name
        ours, _, served = rest.partition(" -- readingroom serve ")
        for flag in re.findall(r"(?<!\S)--[a-z-]+", ours):
            assert flag in options[name], f"{name} {flag}"
        for flag in re.findall(r"(?<!\S)--[a-z-]+", served):
            assert flag in options["serve"], f"serve {flag}"
