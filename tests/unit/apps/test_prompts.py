"""The author's prompts: what a file says, where the folder may lie, and that nothing in them is interpreted."""

import sys
from pathlib import Path

import pytest

from readingroom.apps import compose, prompt_folder
from readingroom.apps.config_checking import checked
from readingroom.apps.faults import UsageFault
from readingroom.apps.prompt_folder import prompts_in
from readingroom.apps.prompt_text import Unfit, prompt_from
from readingroom.apps.settings import settings_from
from readingroom.desk.author_prompts import OWN_NAMES, Argument
from readingroom.library import Rules

WEEKLY = """\
---
title: Weekly letter
description: Write the weekly letter.
arguments:
  - name: week
    description: "which week: a number"
    required: true
  - name: tone
---

Write the letter of week {{week}}, {{ tone }}. {{week}} {{not this}} {% nor %} $that
"""


def test_a_prompt() -> None:
    """Front matter says what it is; the text is what stands behind it."""
    prompt = prompt_from("weekly", WEEKLY.encode())
    assert (prompt.name, prompt.title, prompt.description) == (
        "weekly",
        "Weekly letter",
        "Write the weekly letter.",
    )
    assert prompt.arguments == (Argument("week", "which week: a number", required=True), Argument("tone"))
    assert prompt_from("weekly", b"\xef\xbb\xbf" + WEEKLY.replace("\n", "\r\n").encode()) == prompt


def test_what_is_put_in_is_not_looked_at() -> None:
    """An argument is plain text, also where it looks like a place for another one; what is no place stays."""
    prompt = prompt_from("weekly", WEEKLY.encode())
    assert prompt.filled({"week": "{{tone}}\\1", "tone": "dry"}) == (
        "Write the letter of week {{tone}}\\1, dry. {{tone}}\\1 {{not this}} {% nor %} $that"
    )
    assert prompt.filled({"week": "7"}).startswith("Write the letter of week 7, . 7")


def test_a_plain_text_is_a_prompt() -> None:
    """Without front matter it has no arguments."""
    prompt = prompt_from("plain", b"Say hello.\n")
    assert (prompt.text, prompt.arguments, prompt.title) == ("Say hello.", (), "")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a b", "x", "the name of a prompt has"),
        (OWN_NAMES[0], "x", "Reading Room has a prompt of this name, and serves that one"),
        ("a", "", "it has no text"),
        ("a", "---\ntitle: x\n---\n \n", "it has no text"),
        ("a", "---\ntitle: x\n", "not closed"),
        ("a", "---\n- x\n---\nx", "no mapping"),
        ("a", "---\nx: [\n---\nx", r"its front matter is not valid YAML \(line"),
        ("a", "---\ntitel: x\n---\nx", "there is no key titel; did you mean title"),
        ("a", "---\ntitle: [x]\n---\nx", "title must be one line"),
        ("a", "---\narguments: x\n---\nx", "arguments must be a list"),
        ("a", "---\narguments: [x]\n---\nx", "arguments must be a list"),
        ("a", "---\narguments: [{name: x, requird: true}]\n---\nx", "did you mean required"),
        ("a", "---\narguments: [{description: x}]\n---\nx", "the name of an argument"),
        ("a", "---\narguments: [{name: class}]\n---\nx", "the name of an argument"),
        ("a", "---\narguments: [{name: x}, {name: x}]\n---\nx", "x is there twice"),
        ("a", "---\narguments: [{name: x, required: maybe}]\n---\nx", "must be true or false"),
        ("a", f"---\narguments: [{', '.join(f'{{name: a{n}}}' for n in range(21))}]\n---\nx", "more than 20"),
        ("a", "{{week}}", r"its text has \{\{week\}\}, and there is no argument"),
    ],
)
def test_what_is_no_prompt(name: str, text: str, told: str) -> None:
    """Whatever is wrong is named, and the prompt not served."""
    with pytest.raises(Unfit, match=told):
        prompt_from(name, text.encode())


def test_bytes_that_are_no_text() -> None:
    """No other encoding is guessed."""
    with pytest.raises(Unfit, match="UTF-8"):
        prompt_from("a", b"\xff")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good prompt, a bad one, and files that are none."""
    made = tmp_path / "prompts"
    made.mkdir(mode=0o755)
    (made / "weekly.md").write_text(WEEKLY)
    (made / "bad.md").write_text("{{x}}")
    for name in (".hidden.md", "notes.txt"):
        (made / name).write_text("x")
    (made / "folder.md").mkdir()
    return made


def test_a_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The good ones are served; the others are named, with the reason."""
    found = prompts_in(str(folder), str(tmp_path / "docs"))
    assert [prompt.name for prompt in found.prompts] == ["weekly"]
    bad, no_file = found.faults
    assert bad.endswith("bad.md is not served: its text has {{x}}, and there is no argument of that name")
    assert no_file.endswith("folder.md is no file; it is not served")
    monkeypatch.setattr(prompt_folder, "_MOST", 1)
    assert "more than 1 prompts" in prompts_in(str(folder), None).faults[0]


def test_where_the_folder_may_lie(tmp_path: Path) -> None:
    """Not where apps may propose changes: outside what is served, hidden in it, or left out of it."""
    for place in ("docs", "docs/prompts", "docs/.prompts/de", "docs/other"):
        (tmp_path / place).mkdir(mode=0o755, exist_ok=True, parents=True)
    docs = tmp_path / "docs"
    (docs / ".gitignore").write_text("other/\n")
    for place in ("docs", "docs/prompts"):
        with pytest.raises(UsageFault, match="where apps may propose changes"):
            prompts_in(str(tmp_path / place), str(docs))
    for place in ("docs/.prompts/de", "docs/other"):
        assert prompts_in(str(tmp_path / place), str(docs)).prompts == ()
    assert prompts_in(str(docs / "prompts"), str(docs), Rules(leave_out=("prompts/",))).prompts == ()
    (tmp_path / "link").symlink_to(docs / "prompts")
    with pytest.raises(UsageFault, match="where apps may propose changes"):
        prompts_in(str(tmp_path / "link"), str(docs))
    with pytest.raises(UsageFault, match="cannot be read"):
        prompts_in(str(tmp_path / "none"), str(docs))


@pytest.mark.skipif(sys.platform == "win32", reason="there access lists say who may write")
def test_who_may_write(folder: Path) -> None:
    """A file that others may write is not served; a folder that they may write serves nothing."""
    (folder / "weekly.md").chmod(0o666)
    found = prompts_in(str(folder), None)
    assert found.prompts == ()
    assert any("weekly.md can be written by others" in fault for fault in found.faults)
    folder.chmod(0o777)
    with pytest.raises(UsageFault, match="can be written by others"):
        prompts_in(str(folder), None)


def test_through_the_configuration(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong is told once on stderr when serving begins, and by `config check`; a bad folder refuses."""
    docs, file = tmp_path / "docs", tmp_path / "c.toml"
    docs.mkdir()
    file.write_text(f'[folders."{docs.as_posix()}"]\nprompts = "{folder.as_posix()}"\n')
    file.chmod(0o600)
    settings = settings_from({"folder": str(docs), "config": str(file)}, {})
    compose.check(settings)
    assert capsys.readouterr().err.count("is not served") == 2
    server = compose.server_over(compose.Opening(settings), settings)
    assert "weekly" in server._features.prompts
    assert len(checked(str(file)).remarks) == 2
    folder.rename(docs / "prompts")
    file.write_text(f'prompts = "{(docs / "prompts").as_posix()}"\n[folders."{docs.as_posix()}"]\n')
    assert "where apps may propose changes" in checked(str(file)).faults[0]
    with pytest.raises(UsageFault):
        compose.check(settings_from({"folder": str(docs), "config": str(file)}, {}))


def test_our_own_names(tmp_path: Path) -> None:
    """The names that are kept free are those of all prompts that an editor is served."""
    settings = settings_from({"folder": str(tmp_path), "role": "editor"}, {})
    assert set(compose.server_over(compose.Opening(settings), settings)._features.prompts) == set(OWN_NAMES)
