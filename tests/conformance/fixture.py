"""The server that the official conformance suite tests: every feature that its scenarios name, made with the public kit."""

import fixture_documents
import fixture_older
import fixture_rounds
import fixture_tasks
import fixture_tools

from readingroom import MemoryTasks, Server


def application() -> Server:
    """Make the server, with all of its features."""
    app = Server(
        "conformance-fixture",
        version="1.0.0",
        instructions="For the conformance suite.",
        logging=True,
        notices=("tools", "prompts", "resources", "updates"),
        tasks=MemoryTasks(),
    )
    for part in (fixture_tools, fixture_documents, fixture_rounds, fixture_older, fixture_tasks):
        part.register(app)
    return app
