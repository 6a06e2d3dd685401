"""The smallest server worth the name: one tool. Run it with `python examples/minimal_server.py`, or list it:

readingroom list -- python examples/minimal_server.py
"""

from readingroom import Server

app = Server("minimal", version="1.0.0")


@app.tool(read_only=True)
def count_words(text: str) -> int:
    """Count the words of a text."""
    return len(text.split())


if __name__ == "__main__":
    app.run()
