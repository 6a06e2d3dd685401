"""A notice board: whoever listens hears of new cards and of changed ones. `python examples/board_server.py`"""

import sys

from readingroom import Page, Resource, Server, ToolError, UsageError

app = Server("board", version="1.0.0", notices=("tools", "resources", "updates"))

_cards: dict[str, str] = {"c0": "Welcome. Pin a card with board_pin."}


@app.tool(destructive=False, open_world=False)
def board_pin(text: str) -> str:
    """Pin a card to the board; gives its id."""
    card = f"c{len(_cards)}"
    _cards[card] = text
    app.resources_changed()
    return card


@app.tool(idempotent=True, open_world=False)
def board_rewrite(card: str, text: str) -> str:
    """Write a card anew."""
    if card not in _cards:
        raise ToolError(f"There is no card {card!r}.")
    _cards[card] = text
    app.resource_updated(f"board:///{card}")
    return f"Rewrote {card}."


@app.tool(destructive=False, open_world=False)
def board_open_archive() -> str:
    """Open the archive: from then on there is a tool to search it."""
    try:
        app.tool(read_only=True, open_world=False)(archive_search)
    except UsageError:
        return "The archive is open already."
    app.tools_changed()
    return "The archive is open."


def archive_search(word: str) -> list[str]:
    """Find cards that hold the word."""
    return [card for card, text in _cards.items() if word.casefold() in text.casefold()]


@app.resource("board:///{card}", name="card")
def card_text(card: str) -> str | None:
    """A card of the board."""
    return _cards.get(card)


@app.resource_list
def card_list(after: str | None, limit: int) -> Page:
    """All cards, in order of their ids."""
    cards = sorted(card for card in _cards if after is None or card > after)
    items = tuple(Resource(f"board:///{card}", card) for card in cards[:limit])
    return Page(items, items[-1].name if len(cards) > limit else None)


@app.on_watch
def watch(uri: str, is_watched: bool) -> None:
    """Say on stderr which cards somebody listens to; a program with a source of its own would begin to look at it here."""
    sys.stderr.write(f"{uri} is {'watched' if is_watched else 'no longer watched'}\n")


if __name__ == "__main__":
    app.run()
