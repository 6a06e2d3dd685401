"""What a configuration says, who may have written it, and what counts before what."""

import os
import sys
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from readingroom.apps import config_file, config_place
from readingroom.apps.config_checking import checked
from readingroom.apps.config_keys import KEYS
from readingroom.apps.config_showing import _DEFAULTS
from readingroom.apps.config_text import decoded
from readingroom.apps.faults import UsageFault
from readingroom.apps.settings import Settings, settings_from
from readingroom.library import Rules


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The folder that is served."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


def configuration(tmp_path: Path, text: str) -> Path:
    """Write a configuration beside the folder."""
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    return file


def settled(
    tmp_path: Path, docs: Path, text: str, environment: dict[str, str] | None = None, **given: Any
) -> Settings:
    """The settings under a configuration."""
    file = configuration(tmp_path, text)
    return settings_from({"folder": str(docs), "config": str(file), **given}, environment or {})


ALL = """\
name = "articles"
title = "Articles"
description = "What we have written."
instructions = "Ask in German.\\nCite."
role = "editor"
principal = "desk"
internal = ["private/"]
leave_out = ["*.bak.md"]
cache = "~/c"
ledger = "/l"
rescan = 5
watch = false
modern_only = true
max_file_bytes = 1_000
passage_characters = 500
"""


def test_every_key_is_taken(tmp_path: Path, docs: Path) -> None:
    """Each key of the general part ends in the settings."""
    assert all(f"{key.name} = " in ALL for key in KEYS if key.name != "prompts")
    found = settled(tmp_path, docs, ALL)
    assert (found.name, found.title, found.description) == ("articles", "Articles", "What we have written.")
    assert (found.instructions, found.role, found.principal) == ("Ask in German.\nCite.", "editor", "desk")
    assert (found.internal, found.leave_out) == (("private/",), ("*.bak.md",))
    assert (found.cache, found.ledger, found.rescan) == (str(Path("~/c").expanduser()), "/l", 5.0)
    assert (found.watch, found.older_era) == (False, False)
    assert (found.max_file_bytes, found.passage_characters) == (1_000, 500)


def test_an_empty_configuration_says_nothing(tmp_path: Path, docs: Path) -> None:
    """What holds under an empty file is what holds without one."""
    assert settled(tmp_path, docs, "") == settings_from({"folder": str(docs)}, {})


def test_options_count_first(tmp_path: Path, docs: Path) -> None:
    """Options count before all else; patterns are added, for a rule that hides documents may not be lost."""
    given: dict[str, Any] = {"role": "reader", "principal": "p", "cache": "c", "ledger": "x", "rescan": "7"}
    found = settled(tmp_path, docs, ALL, internal=["b/"], leave_out=("c/",), no_watch=True, **given)
    assert (found.role, found.principal, found.cache, found.ledger, found.rescan) == (
        "reader",
        "p",
        "c",
        "x",
        7.0,
    )
    assert found.internal == ("private/", "b/")
    assert found.leave_out == ("*.bak.md", "c/")


def test_variables_count_before_the_file(tmp_path: Path, docs: Path) -> None:
    """So do READINGROOM_ROLE and READINGROOM_LEDGER; READINGROOM_CONFIG names the file."""
    found = settled(tmp_path, docs, ALL, {"READINGROOM_ROLE": "reader", "READINGROOM_LEDGER": "y"})
    assert (found.role, found.ledger) == ("reader", "y")
    by_variable = settings_from(
        {"folder": str(docs)}, {"READINGROOM_CONFIG": str(configuration(tmp_path, 'role = "editor"'))}
    )
    assert by_variable.role == "editor"
    assert settings_from({"folder": str(docs)}, {"READINGROOM_CONFIG": ""}).role == "reader"


def test_the_table_of_a_folder(tmp_path: Path, docs: Path) -> None:
    """It counts before the general part, whatever the folder is called; patterns add up; other tables count for nothing."""
    (tmp_path / "link").symlink_to(docs)
    text = (
        'title = "All"\nrole = "editor"\ninternal = ["a/"]\n'
        f'[folders."{tmp_path / "link"}"]\nrole = "reader"\ninternal = ["b/"]\n'
        f'[folders."{tmp_path}"]\ntitle = "Above"\n'
    )
    found = settled(tmp_path, docs, text)
    assert (found.title, found.role, found.internal) == ("All", "reader", ("a/", "b/"))


def test_home_is_expanded_in_the_name_of_a_table(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """~ is the home folder there, too."""
    monkeypatch.setenv("HOME" if sys.platform != "win32" else "USERPROFILE", str(tmp_path))
    assert settled(tmp_path, docs, '[folders."~/docs"]\ntitle = "Mine"\n').title == "Mine"


def test_two_tables_for_one_folder(tmp_path: Path, docs: Path) -> None:
    """Nobody could say which counts."""
    text = f'[folders."{docs}"]\n[folders."{docs}/"]\n'
    with pytest.raises(UsageFault, match="are one folder"):
        settled(tmp_path, docs, text)


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('internl = ["x"]', 1, "there is no key internl; did you mean internal?"),
        ("rôle = 1", 1, "this is no TOML"),
        ('folder = "x"', 1, "there is no key folder; did you mean folders?"),
        ('\n[folders."/x"]\nfolders = 1', 3, "there is no key folders"),
        ('[folders."/x"]\nleave-out = []', 2, "did you mean leave_out?"),
        ('[folders."x"]', 1, "the name of a folder's table must be a full path"),
        ('[folders]\n"/x" = 1', 2, "folders holds one table for each folder"),
        ("folders = 1", 1, "folders holds one table for each folder"),
        ("[[folders]]", 1, "folders holds one table for each folder"),
        ("name = 3", 1, "name must be a text in quotes, not a whole number"),
        ('name = ""', 1, "name must be 1 to 100 printable characters"),
        ('name = "a\\nb"', 1, "name must be 1 to 100 printable characters"),
        ('instructions = "a\\u0000b"', 1, "instructions must be 1 to 4,000 printable characters"),
        ('role = "operator"', 1, 'role must be "reader" or "editor"'),
        ("role = []", 1, 'role must be "reader" or "editor"'),
        ('internal = "private/"', 1, "internal must be an array of patterns"),
        ("internal = [1]", 1, "internal must be an array of patterns"),
        ('\ninternal = ["a", "a//b"]', 2, "internal has a pattern that cannot be used, number 2"),
        ("leave_out = [" + '"a",' * 1_001 + "]", 1, "leave_out has more than 1,000 patterns"),
        ('cache = "here"', 1, "cache must be a full path"),
        ('cache = ""', 1, "cache must be a path in quotes"),
        ("ledger = 1", 1, "ledger must be a path in quotes"),
        ("rescan = true", 1, "rescan must be a number of seconds from 1 to 86400"),
        ("rescan = 0.5", 1, "rescan must be a number of seconds"),
        ("rescan = nan", 1, "rescan must be a number of seconds"),
        ('watch = "yes"', 1, "watch must be true or false, not a text"),
        ("modern_only = 1", 1, "modern_only must be true or false, not a whole number"),
        ("max_file_bytes = 0", 1, "max_file_bytes must be a whole number from 1 to 1,073,741,824"),
        ("passage_characters = true", 1, "passage_characters must be a whole number from 200 to 20,000"),
        ("passage_characters = 500.0", 1, "passage_characters must be a whole number"),
    ],
)
def test_faults(tmp_path: Path, docs: Path, text: str, line: int, told: str) -> None:
    """Whatever is wrong refuses the configuration, by name and with its line; nothing is coerced or passed over."""
    (fault,) = decoded(text.encode()).faults
    assert fault.line == line
    assert told in fault.text
    with pytest.raises(UsageFault, match=f"is refused: line {line}: "):
        settled(tmp_path, docs, text)


def test_patterns_are_not_told_where_apps_may_read(tmp_path: Path, docs: Path) -> None:
    """A pattern may name what is hidden, and hosts show apps what a server writes to stderr; its author is told by
    `config check`."""
    with pytest.raises(UsageFault) as caught:
        settled(tmp_path, docs, 'internal = ["secret//x"]')
    assert "secret" not in str(caught.value)
    assert "secret//x" in checked(str(tmp_path / "config.toml")).faults[0]


def test_more_than_one_fault(tmp_path: Path, docs: Path) -> None:
    """All are found; a refusal names the first and tells how to see the rest."""
    text = "b = 1\na = 1\nrescan = 0"
    assert [fault.line for fault in decoded(text.encode()).faults] == [1, 2, 3]
    with pytest.raises(
        UsageFault, match=r"there is no key b \(and 2 more: readingroom config check lists them\)"
    ):
        settled(tmp_path, docs, text)


@pytest.mark.skipif(sys.platform == "win32", reason="there access lists say who may write")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_others_may_not_write_it(tmp_path: Path, docs: Path, mode: int) -> None:
    """Who writes the file decides what apps see: the sentence says so, and what to do."""
    file = configuration(tmp_path, "")
    file.chmod(mode)
    with pytest.raises(
        UsageFault, match=r"can be written by others, and whoever writes it decides .* run chmod go-w"
    ):
        settings_from({"folder": str(docs), "config": str(file)}, {})


@pytest.mark.skipif(sys.platform == "win32", reason="there access lists say who may write")
def test_it_may_not_be_another_users(tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another user is refused; one of the system's own account is not."""
    file = configuration(tmp_path, "")
    owner = file.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    if owner == 0:
        os.chown(file, 12_345, -1)
    with pytest.raises(UsageFault, match="belongs to another user"):
        settings_from({"folder": str(docs), "config": str(file)}, {})


def test_it_may_not_lie_in_the_folder(tmp_path: Path, docs: Path) -> None:
    """Not even hidden there, nor by way of a link."""
    (docs / ".hidden").mkdir()
    inside = configuration(docs / ".hidden", "")
    (tmp_path / "link.toml").symlink_to(inside)
    for file in (inside, tmp_path / "link.toml"):
        with pytest.raises(UsageFault, match=r"lies in the folder that is served.*move it elsewhere"):
            settings_from({"folder": str(docs), "config": str(file)}, {})


def test_a_link_to_it_is_followed(tmp_path: Path, docs: Path) -> None:
    """Many keep their configurations in one place and link to them."""
    (tmp_path / "link.toml").symlink_to(configuration(tmp_path, 'title = "T"'))
    found = settings_from({"folder": str(docs), "config": str(tmp_path / "link.toml")}, {})
    assert found.title == "T"


def test_what_cannot_be_read(tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was named and is not there, a folder, a name that is empty and a file that is too large are refused."""
    for name, told in (
        (tmp_path / "none", "cannot be read"),
        (tmp_path, "is no file|cannot be read"),
        ("", "--config"),
    ):
        with pytest.raises(UsageFault, match=told):
            settings_from({"folder": str(docs), "config": str(name)}, {})
    monkeypatch.setattr(config_file, "_LARGEST", 3)
    with pytest.raises(UsageFault, match="larger than 3 bytes"):
        settled(tmp_path, docs, "# 34")


def test_the_platforms_place(tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the one that platformdirs names, and is read when it is there."""
    expected = Path(platformdirs.user_config_dir("readingroom", appauthor=False)) / "config.toml"
    assert Path(config_place.default_place()) == expected
    monkeypatch.delenv("XDG_CONFIG_HOME")
    expected = Path(platformdirs.user_config_dir("readingroom", appauthor=False)) / "config.toml"
    assert Path(config_place.default_place()) == expected
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "readingroom").mkdir()
    configuration(tmp_path / "readingroom", 'title = "T"')
    assert settings_from({"folder": str(docs)}, {}).title == "T"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    assert settings_from({"folder": str(docs)}, {}).title is None


def test_whether_there_is_one_cannot_be_told(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules may hide documents, so nothing is served without it."""

    def refused(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(config_place.os, "stat", refused)
    with pytest.raises(UsageFault, match="it cannot be told whether there is a configuration"):
        config_place.place_of(None, {})


def test_defaults_are_those_of_the_settings(docs: Path) -> None:
    """What `config show` calls a default is what holds without a configuration."""
    found, rules = settings_from({"folder": str(docs)}, {}), Rules()
    for name, value in _DEFAULTS.items():
        if name in ("max_file_bytes", "passage_characters"):
            assert getattr(rules, name) == value
        elif name == "modern_only":
            assert found.older_era is not value
        elif name not in ("name", "title"):  # the desk's; tests/contract shows them
            assert getattr(found, name) == value
