"""Start Reading Room over the example library, as an AI app would, and ask it three questions (`make demo`)."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from readingroom import Client

LIBRARY = Path(__file__).parent / "library"
QUESTIONS = ("постоянный адрес", "缓存", "How long may I keep a borrowed book?")


def main() -> None:
    """Discover the server, search, and say what to do next."""
    with tempfile.TemporaryDirectory(prefix="readingroom-demo-") as cache:
        command = [sys.executable, "-m", "readingroom", "serve", str(LIBRARY), "--cache", cache]
        print("Starting: readingroom serve examples/library")
        with Client.stdio(command) as client:
            server, tools = client.server, client.list_tools()
            print(f"It is {server.server['name']} {server.server['version']}", end="")
            print(f" and speaks MCP {server.supported_versions[0]}.")
            print(f"Its tools: {', '.join(tool.name for tool in tools)}.")
            for question in QUESTIONS:
                answer = client.call_tool("library_search", {"query": question, "limit": 3})
                show(question, answer.structured)
    print(WHAT_NEXT)


def show(question: str, answer: dict[str, Any]) -> None:
    """Print the hits of one question: the address, the lines, the heading, and how the passage begins."""
    print(f"\n? {question}")
    for hit in answer["items"]:
        first, last = hit["lines"]
        print(f"  {hit['uri']}  lines {first}-{last}")
        passage = " ".join(hit["text"].split()).lstrip("# ")
        print(f"      {passage[:80]}{'…' if len(passage) > 80 else ''}")


WHAT_NEXT = """
Next:
  readingroom search FOLDER "a question"     the same over a folder of yours
  readingroom serve FOLDER                   what to put into the configuration of an AI app (see docs/)
  examples/notes_server.py                   a server of your own on the same kit"""

if __name__ == "__main__":
    main()
