"""Start Reading Room over the example library, as an AI app would, and ask it three questions (`make demo`)."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from readingroom import Client

LIBRARY = Path(__file__).parent / "library"
QUESTIONS = ("постоянный адрес", "缓存", "How long may I keep a borrowed book?")
WHAT_NEXT = """
Next, with {command}:
  search FOLDER "a question"   asks a folder of yours
  serve FOLDER                 is what an AI app is configured with; docs/how-to/configure-your-app.md says where
A server of your own making, on the same kit: examples/notes_server.py"""


def main() -> int:
    """Discover the server, ask, and say what to do next; 1 when a question found nothing."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # TextIO does not say that it can
    with tempfile.TemporaryDirectory(prefix="readingroom-demo-") as cache:
        command = [sys.executable, "-m", "readingroom", "serve", str(LIBRARY), "--cache", cache]
        with Client.stdio(command) as client:
            discovered = client.server
            print(f"{discovered.server['title']} {discovered.server['version']} ", end="")
            print(f"serves examples/library over MCP {discovered.supported_versions[0]}.")
            print(f"Its tools: {', '.join(tool.name for tool in client.list_tools())}.")
            found = [ask(client, question) for question in QUESTIONS]
    print(WHAT_NEXT.format(command=command_line()))
    return 0 if all(found) else 1


def ask(client: Client, question: str) -> bool:
    """Search, and print of each hit the address, the lines, the heading, and the lines that have words of the question."""
    answer = answer_to(client, question)
    print(f"\n{question}")
    for hit in answer["items"]:
        first, last = hit["lines"]
        print(f"  {hit['uri']} lines {first}-{last}: {' > '.join(hit['section'])}")
        for line in lines_of(hit)[:3]:
            print(f"      {line}")
    return bool(answer["items"])


def answer_to(client: Client, question: str) -> dict[str, Any]:
    """Give what is found; on a slow machine it takes some calls, each of some seconds, until everything is indexed."""
    for _ in range(20):
        answer: dict[str, Any] = client.call_tool(
            "library_search", {"query": question, "limit": 2}
        ).structured
        if answer["items"] or "still being indexed" not in answer.get("hint", ""):
            break
    return answer


def lines_of(hit: dict[str, Any]) -> list[str]:
    """Give the lines of the passage in which a highlight begins, without its headings, which have been printed already."""
    found = []
    at = 0
    for line in hit["text"].splitlines(keepends=True):
        if not line.startswith("#") and any(at <= first < at + len(line) for first, _ in hit["highlights"]):
            found.append(line.strip())
        at += len(line)
    return found


def command_line() -> str:
    """Give the command as it can be typed here."""
    command = Path(sys.executable).with_name("readingroom")
    return str(command.relative_to(Path.cwd()) if command.is_relative_to(Path.cwd()) else command)


if __name__ == "__main__":
    sys.exit(main())
