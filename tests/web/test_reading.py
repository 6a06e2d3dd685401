"""Tests in a real browser of whether everybody can read the page: labels, contrast, headings, landmarks, narrow screens."""

from collections.abc import Callable
from typing import Any

import pytest

from support.browsing import WEB, Browser, Shelf

pytestmark = [pytest.mark.peers, pytest.mark.timeout(240)]

AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
LONG = "a" * 120
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('*')].filter(element => element.getBoundingClientRect().right > innerWidth + 1)
    .map(element => element.outerHTML.slice(0, 120)).slice(0, 5)"""


@pytest.fixture
def drafts(shelf: Shelf) -> list[str]:
    """Drafts of every kind, with long words, warnings, and one that is outdated."""
    wishes: list[tuple[str, str, dict[str, Any]]] = [
        ("edit", "harbour.md", {"edits": [("noon", f"one {LONG} \u202eo'clock")], "note": f"Look: {LONG}"}),
        ("rename", "boats.md", {"to": f"boats/{LONG}.md"}),
        ("delete", "secret.md", {}),
        (
            "create",
            "ferry.md",
            {"content": f"# Ferry\n\n| a | b |\n|---|---|\n| {LONG} | 2 |\n\n    {LONG}\n"},
        ),
    ]
    found = [shelf.propose(kind, path, **wish) for kind, path, wish in wishes]
    (shelf.folder / "secret.md").write_text("# Other\n")
    return found


def pages_of(drafts: list[str]) -> list[str]:
    """The addresses of pages of every kind."""
    together = "&".join(f"draft={draft}" for draft in drafts)
    reviews = [f"review?draft={draft}" for draft in drafts]
    looks = [
        "search?q=ferry",
        "search",
        "document?path=harbour.md",
        "history",
        "decision/1",
        "verify",
        "nothing",
    ]
    return ["", *reviews, f"review?{together}", *looks]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_shut_out(
    chromium: Browser, shelf: Shelf, drafts: list[str], enter: Callable[..., str], scheme: str
) -> None:
    """axe-core finds no fault by WCAG 2.2 A and AA, nor by good practice, on any page, in light and dark."""
    assert AXE.exists(), "axe-core is not installed; run: make test-peers"
    axe = AXE.read_text("utf-8")
    root = enter(scheme=scheme)
    faults = {}
    for page in pages_of(drafts):
        chromium.goto(f"{root}/{page}")
        faults[page] = chromium.axe(axe)
    chromium.goto(f"{root}/review?draft={drafts[0]}")
    chromium.fill("#passphrase", "wrong")
    chromium.click("#read")
    chromium.click("button[value=publish]")
    chromium.wait("#passphrase-error")
    faults["wrong"] = chromium.axe(axe)
    assert {page: found for page, found in faults.items() if found} == {}


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_screen_needs_no_scrolling_sideways(
    chromium: Browser, shelf: Shelf, drafts: list[str], enter: Callable[..., str], width: int
) -> None:
    """On a phone, and in a page that was enlarged four times, whatever long words there are."""
    root = enter(width=width, height=700)
    too_wide = {}
    for page in pages_of(drafts):
        chromium.goto(f"{root}/{page}")
        chromium.run("document.querySelectorAll('details').forEach(part => { part.open = true })")
        too_wide[page] = chromium.run(TOO_WIDE)
    assert {page: found for page, found in too_wide.items() if found} == {}


def test_a_phone_shows_the_difference_in_one_column(
    chromium: Browser, drafts: list[str], enter: Callable[..., str]
) -> None:
    """What was removed above what was added, and what stayed once."""
    root = enter(width=390, height=800)
    chromium.goto(f"{root}/review?draft={drafts[0]}")
    places = chromium.run("""() => ['tr.changed td.line.old', 'tr.changed td.line.new', 'tr.kept td.line.old']
        .map(selector => document.querySelector(selector).getBoundingClientRect())
        .map(place => [place.left, place.top, place.height])""")
    old, new, kept = places
    assert old[0] == new[0]
    assert old[1] < new[1]
    assert kept[2] == 0


def test_everything_to_touch_is_large_enough(
    chromium: Browser, drafts: list[str], enter: Callable[..., str]
) -> None:
    """Buttons, links of the pages and fields are 24 pixels high at least."""
    root = enter(width=390, height=800)
    for page in ("", f"review?draft={drafts[0]}", "search"):
        chromium.goto(f"{root}/{page}")
        small = chromium.run("""() =>
            [...document.querySelectorAll('nav a, button, .button, input[type=password], textarea')]
            .filter(element => element.getBoundingClientRect().height < 24).map(element => element.outerHTML)""")
        assert small == []


def test_the_page_needs_no_style_to_be_read(
    chromium: Browser, drafts: list[str], enter: Callable[..., str]
) -> None:
    """What colours say is said in words as well: what was removed, what was added, what is doubtful."""
    root = enter()
    chromium.goto(f"{root}/review?draft={drafts[0]}")
    said = chromium.run("document.querySelector('table.diff').textContent")
    assert "removed: The ferry leaves the harbour at noon." in said
    assert "added: The ferry leaves the harbour at one" in said
    assert "⟨U+202E⟩" in said
    chromium.goto(f"{root}/review?draft={drafts[2]}")
    assert "outdated" in chromium.run("document.querySelector('main').textContent")
