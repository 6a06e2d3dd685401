"""What MCP 2026-07-28 requires and we keep: every requirement that the code and its tests name by id.

Read by the documentation (docs/reference/rules.md) and by tests (tests/rules); never imported by a server or a client. The
sentences are ours; the specification, which each rule links to, is what counts. A level of OURS marks a decision where the
specification leaves one open.
"""

from typing import Literal

import msgspec

from . import authorization, clients, core, http, older, rounds, subscriptions, tasks

SPECIFICATION = "https://modelcontextprotocol.io/specification/2026-07-28/"
_TASKS = "https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/2026-07-28/tasks.md"
EXTENSIONS = {"ext-tasks": _TASKS}
"""Where extensions that are no part of the specification are written down."""

Level = Literal["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "OURS"]
Who = Literal["server", "client", "both"]
Carrier = Literal["any", "stdio", "http"]


class Rule(msgspec.Struct, frozen=True):
    """One requirement: its id, how strong it is, whom it binds, on which carrier, in a sentence, and where it stands."""

    id: str
    level: Level
    who: Who
    carrier: Carrier
    sentence: str
    page: str

    @property
    def link(self) -> str:
        """Where the specification says so."""
        extension, _, place = self.page.partition("#")
        return f"{EXTENSIONS[extension]}#{place}" if extension in EXTENSIONS else SPECIFICATION + self.page


_TABLES = (core, clients, http, rounds, subscriptions, tasks, older, authorization)
# In each: a line for the id, the level, whom, the carrier and the page; then the sentence, indented.


def _read(table: str) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    fields: list[str] = []
    for line in table.strip().splitlines():
        if line.startswith(" "):
            rule_id, level, who, carrier, page = fields
            told = {"id": rule_id, "level": level, "who": who, "carrier": carrier, "page": page}
            rules.append(msgspec.convert({**told, "sentence": line.strip()}, Rule))
        else:
            fields = line.split(" | ")
    return tuple(rules)


RULES: tuple[Rule, ...] = tuple(rule for table in _TABLES for rule in _read(table.TABLE))
"""All of them, chapter by chapter."""
