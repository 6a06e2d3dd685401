"""Tests of the page in a real browser: a person reads, decides, and sees what came of it."""

from collections.abc import Callable

import pytest

from support.browsing import PASSPHRASE, Browser, Shelf, origin_of, root_of

pytestmark = [pytest.mark.peers, pytest.mark.timeout(240)]


def test_the_address_lets_in_one_browser(chromium: Browser, shelf: Shelf) -> None:
    """The key is used up, the cookie is no script's, and leaves the page for no other port."""
    with shelf.served() as address:
        chromium.open([origin_of(address)])
        assert chromium.goto(address) == 200
        chromium.wait("h1:has-text('Nothing waits for you')")
        assert chromium.address() == f"{root_of(address)}/"
        assert chromium.run("document.cookie") == ""
        chromium.open([origin_of(address)])
        assert chromium.goto(address) == 403
        assert chromium.goto(f"{root_of(address)}/") == 403


def test_publish_by_keyboard_alone(chromium: Browser, shelf: Shelf, enter: Callable[..., str]) -> None:
    """From the queue to the published file, without a mouse."""
    shelf.propose("edit", "harbour.md", edits=[("noon", "one o'clock")], note="The new timetable.")
    enter()
    focus_on(chromium, "harbour.md")
    chromium.press("Enter")
    chromium.wait("table.diff")
    assert chromium.text("td.line.old mark") == "noon"
    focus_on(chromium, "passphrase")
    chromium.type(PASSPHRASE)
    chromium.press("Enter")
    chromium.wait("h1:has-text('Published')")
    assert "one o'clock" in shelf.text("harbour.md")


def test_reject_by_keyboard_alone(chromium: Browser, shelf: Shelf, enter: Callable[..., str]) -> None:
    """With a comment for the app."""
    shelf.propose("delete", "boats.md")
    enter()
    focus_on(chromium, "boats.md")
    chromium.press("Enter")
    chromium.wait("table.diff")
    focus_on(chromium, "comment")
    chromium.type("We still have boats.")
    focus_on(chromium, "passphrase")
    chromium.type(PASSPHRASE)
    focus_on(chromium, "Reject")
    chromium.press("Space")
    chromium.wait("h1:has-text('Rejected')")
    assert "rowing boats" in shelf.text("boats.md")


def test_the_first_tab_skips_to_the_content(chromium: Browser, enter: Callable[..., str]) -> None:
    """The link is seen only then."""
    enter()
    chromium.press("Tab")
    assert chromium.run("document.activeElement.innerText") == "Skip to the content"
    assert chromium.run("document.activeElement.getBoundingClientRect().width") > 50
    chromium.press("Enter")
    assert chromium.address().endswith("#main")


def test_several_are_published_with_one_passphrase(
    chromium: Browser, shelf: Shelf, enter: Callable[..., str]
) -> None:
    """Ticked in the queue, shown together, decided once; then one is undone and all of it checked."""
    shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    shelf.propose("create", "ferry.md", content="# Ferry\n\nIt has two decks.\n")
    root = enter()
    for box in ("li:nth-child(1) input", "li:nth-child(2) input"):
        chromium.click(box)
    chromium.click("text=Review the ticked ones together")
    chromium.wait("h1:has-text('2 drafts together')")
    chromium.fill("#passphrase", PASSPHRASE)
    chromium.click("button[value=publish]")
    chromium.wait("h1:has-text('Published')")
    assert "two decks" in shelf.text("ferry.md")
    chromium.goto(f"{root}/decision/3")
    assert "The document is deleted" in chromium.text(".warnings")
    chromium.click("#read")
    chromium.fill("#passphrase", PASSPHRASE)
    chromium.click("button:has-text('Undo')")
    chromium.wait("h1:has-text('Undone')")
    assert not (shelf.folder / "ferry.md").exists()
    (shelf.folder / "boats.md").write_text("by another hand\n")
    chromium.goto(f"{root}/verify")
    chromium.fill("#passphrase", PASSPHRASE)
    chromium.click("button:has-text('Check')")
    chromium.wait("h2:has-text('Something does not hold')")
    assert "boats.md was changed past Reading Room" in chromium.text("main")


def test_a_wrong_passphrase_leaves_everything(
    chromium: Browser, shelf: Shelf, enter: Callable[..., str]
) -> None:
    """The focus is in the field again, which is empty, and the comment is still there."""
    draft = shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    root = enter()
    chromium.goto(f"{root}/review?draft={draft}")
    chromium.fill("#comment", "Well spotted.")
    chromium.fill("#passphrase", "wrong")
    chromium.click("button[value=publish]")
    chromium.wait("#passphrase-error")
    assert chromium.run("[document.activeElement.id, document.activeElement.value]") == ["passphrase", ""]
    assert chromium.run("document.getElementById('comment').value") == "Well spotted."
    assert "noon" in shelf.text("harbour.md")


def test_going_back_does_not_decide_twice(chromium: Browser, shelf: Shelf, enter: Callable[..., str]) -> None:
    """The form that was sent is not kept by the browser: the page is asked for anew, and there is nothing to decide."""
    draft = shelf.propose("edit", "harbour.md", edits=[("noon", "one")])
    root = enter()
    chromium.goto(f"{root}/review?draft={draft}")
    chromium.fill("#passphrase", PASSPHRASE)
    chromium.click("button[value=publish]")
    chromium.wait("h1:has-text('Published')")
    chromium.back()
    assert "It is published; there is nothing to decide." in chromium.text("main")
    assert chromium.count("#passphrase") == 0


def test_a_search_sees_what_each_role_sees(chromium: Browser, enter: Callable[..., str]) -> None:
    """And leads to the line."""
    enter()
    chromium.click("nav >> text=Search")
    chromium.fill("#query", "ferryman")
    chromium.press("Enter")
    chromium.wait(".hits li")
    assert "secret.md" in chromium.text(".hits")
    chromium.click(".hits a")
    chromium.wait("li:target")
    assert chromium.run("document.querySelector('li:target .num').innerText") == "4"


def focus_on(chromium: Browser, name: str) -> None:
    """Go on with the Tab key to what has this name: its id, or how its text begins."""
    script = "(document.activeElement.innerText || document.activeElement.id || '').trim()"
    for _ in range(60):
        chromium.press("Tab")
        if chromium.run(script).startswith(name):
            shown = chromium.run("getComputedStyle(document.activeElement).outlineStyle")
            assert shown != "none", f"nobody sees that {name} has the focus"
            return
    raise AssertionError(f"the Tab key never comes to {name}")
