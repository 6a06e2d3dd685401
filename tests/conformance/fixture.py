"""The server that the official conformance suite tests: every feature that its scenarios name, made with the public kit."""

from pathlib import Path

import fixture_documents
import fixture_older
import fixture_rounds
import fixture_schemas
import fixture_tasks
import fixture_tools

from readingroom import MemoryTasks, Server, SqliteTasks


def application(shared: Path | None = None) -> Server:
    """Make the server with all of its features; processes given the same folder, which holds a `key`, serve as one."""
    key = (shared / "key").read_bytes() if shared else None
    app = Server(
        "conformance-fixture",
        version="1.0.0",
        instructions="For the conformance suite.",
        logging=True,
        notices=("tools", "prompts", "resources", "updates"),
        cursor_key=key,
        state_keys=(key,) if key else None,
        tasks=SqliteTasks(shared / "tasks") if shared else MemoryTasks(),
    )
    for part in (
        fixture_tools,
        fixture_schemas,
        fixture_documents,
        fixture_rounds,
        fixture_older,
        fixture_tasks,
    ):
        part.register(app)
    return app
