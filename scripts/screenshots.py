"""Takes the pictures of the operator's page for the documentation, of the example library with some drafts.

    python scripts/screenshots.py

Writes docs/images/. Needs what `make test-peers` installs: a browser and what drives it.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.browsing import Browser, Shelf, origin_of, root_of  # noqa: E402  -- the tests have what it takes

IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1000, 720
PHONE = (390, 760)
SUFFIXES = (".md", ".html", ".rst", ".txt")

RULES = "borrowing/rules.md"


def documents() -> dict[str, bytes]:
    """Give the example library."""
    library = ROOT / "examples" / "library"
    files = (file for file in sorted(library.rglob("*")) if file.suffix in SUFFIXES)
    return {file.relative_to(library).as_posix(): file.read_bytes() for file in files}


def proposed(shelf: Shelf) -> dict[str, str]:
    """Draft some changes; their ids."""
    drafts = {
        "films": shelf.propose(
            "edit",
            RULES,
            edits=[("| Films, games, magazines | 7 days | one |", "| Films and games | 14 days | two |")],
            note="Films may be kept longer from December on, and magazines stay in the house.",
        ),
        "renewing": shelf.propose(
            "edit",
            RULES,
            principal="assistant",
            edits=[
                ("It works from the tenth\nday", "It works from the seventh\nday"),
                (
                    "so you lose nothing by being early.",
                    "so you lose nothing\u200b by being early or \u202elate.",
                ),
            ],
            note="Shorter notice for renewals.",
        ),
        "guide": shelf.propose(
            "create",
            "visiting/first-visit.md",
            content="# Your first visit\n\nCome in, take a seat, and ask at the desk for a card.\n",
        ),
    }
    drafts["rota"] = shelf.propose("delete", "staff/rota.md")
    return drafts


def main() -> int:
    """Take every picture."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, Browser() as browser:
        shelf = Shelf(Path(place), documents(), name="alderwick")
        drafts = proposed(shelf)
        with shelf.served() as address:
            browser.open([origin_of(address)], width=WIDTH, height=HEIGHT)
            browser.goto(address)
            browser.wait("nav")

            def take(name: str, page: str = "") -> None:
                browser.goto(f"{root_of(address)}/{page}")
                browser.screenshot(str(IMAGES / f"page-{name}.png"))

            review = f"review?draft={drafts['renewing']}"
            take("queue")
            take("review", review)
            take("search", "search?q=How+long+may+I+keep+a+borrowed+book%3F")
            browser.scheme("dark")
            take("review-dark", review)
            browser.resize(*PHONE)
            browser.scheme("light")
            take("review-phone", review)
    return 0


if __name__ == "__main__":
    sys.exit(main())
