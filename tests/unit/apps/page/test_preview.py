"""Tests of the preview: whatever a document says, plain tags come out, and soon."""

import pytest

from readingroom.apps.page import preview as module
from readingroom.apps.page.preview import LARGEST_TEXT, preview
from readingroom.apps.page.rendering import rendered
from support.attacks import ATTACKS

MARKDOWN = "\n\n".join(ATTACKS)
PLAIN = {"p", "span", "table", "pre", "code", "blockquote", "h1", "hr", "tbody", "tr", "td"}


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_nothing_loads_runs_or_leads_anywhere(kind: str) -> None:
    """No attribute of a document's comes through, and no tag but the plain ones."""
    import re

    made = rendered(MARKDOWN, kind)
    tags = set(re.findall(r"<(/?[a-z0-9]+)([^>]*)>", made))
    assert {name.strip("/") for name, _ in tags} <= PLAIN
    assert {attributes for _, attributes in tags} <= {"", ' class="link"', ' class="target"'}


def test_markdown_is_rendered() -> None:
    """Headings, lists, tables and emphasis; links and images say in words where they lead."""
    made = rendered(
        "# T\n\n*e* [l](https://a.example/b) ![alt](p.png)\n\n| a |\n|---|\n| 1 |\n\n3. x\n", "markdown"
    )
    assert "<h1>T</h1>" in made
    assert "<em>e</em>" in made
    assert '<span class="link">l</span> <span class="target">(https://a.example/b)</span>' in made
    assert '<span class="link">image: alt</span> <span class="target">(p.png)</span>' in made
    assert "<td>1</td>" in made
    assert '<ol start="3">' in made


def test_front_matter_is_no_markdown() -> None:
    """It is shown as it stands; a block that does not end is none."""
    assert rendered("---\ntitle: x\n---\nText\n", "markdown").startswith("<pre><code>title: x\n</code></pre>")
    assert "<hr>" in rendered("---\ntitle: x\n", "markdown")


def test_hidden_characters_are_shown() -> None:
    """Also those that are written as entities."""
    assert rendered("a\u202eb &#x202E; &#8203;", "markdown") == "<p>a⟨U+202E⟩b ⟨U+202E⟩ ⟨U+200B⟩</p>\n"


def test_a_process_of_its_own_renders() -> None:
    """What it gives is HTML."""
    assert preview("*x*", "markdown").html == "<p><em>x</em></p>\n"


@pytest.mark.parametrize(
    ("text", "kind"), [("x", "text"), ("x", "rst"), ("x" * (LARGEST_TEXT + 1), "markdown")]
)
def test_what_is_not_rendered_says_so(text: str, kind: str) -> None:
    """Other formats, and what is too long."""
    assert preview(text, kind).why_not


@pytest.mark.slow
def test_a_text_made_to_be_slow_costs_seconds_of_another_process() -> None:
    """And then there is no preview: its time ends by the system's bound, or by ours where the machine is busy."""
    shown = preview("[" * 100_000, "markdown")
    assert shown.why_not.endswith("read the source.")
    assert not shown.html


def test_a_process_that_does_not_end_is_ended() -> None:
    """Where the system knows no bounds, the clock does."""
    assert "too long" in preview("[" * 100_000, "markdown", seconds=0.01).why_not


def test_a_preview_that_is_too_large_is_none(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A short text may become a long one."""
    import io
    import sys

    from readingroom.apps.page import rendering

    monkeypatch.setattr(rendering, "bound", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["rendering", "markdown"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"*x*")))
    assert rendering.main() == 0
    assert capsysbinary.readouterr().out == b"<p><em>x</em></p>\n"
    monkeypatch.setattr(rendering, "LARGEST_HTML", 3)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"*x*")))
    assert rendering.main() != 0
    assert module.SECONDS > 2
