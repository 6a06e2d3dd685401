"""What the last list of tools said of each: the arguments that are mirrored in headers, and the schema of its output.

Filled by whoever lists, read by whoever calls; knows no carrier.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from ..protocol.headers import Mirror
from .values import Object, ToolInfo

if TYPE_CHECKING:
    from .output_schema import Check


class KnownTool(msgspec.Struct, frozen=True):
    """A tool as it was listed: its mirrored arguments (XH-5), and the schema of its output if it has one (TOOL-10)."""

    mirrors: tuple[Mirror, ...] = ()
    output_schema: Object | None = None


class KnownTools:
    """The tools of the last list, by name."""

    __slots__ = ("_checks", "_tools")

    def __init__(self) -> None:
        self._tools: dict[str, KnownTool] = {}
        self._checks: dict[str, tuple[Object, Check | None]] = {}

    def learn(self, tools: Iterable[ToolInfo]) -> None:
        """Take a whole list in place of the last one. Annotations of headers that break the rules are passed over."""
        self._tools = {tool.name: KnownTool(_mirrors(tool), tool.output_schema) for tool in tools}

    def learn_more(self, tools: Iterable[ToolInfo]) -> None:
        """Take a further page of the last list."""
        self._tools |= {tool.name: KnownTool(_mirrors(tool), tool.output_schema) for tool in tools}

    def get(self, name: str) -> KnownTool | None:
        """Give what is known of a tool; None when it was not in the list, or there was no list yet."""
        return self._tools.get(name)

    def check_of(self, name: str) -> "Check | None":
        """Give what checks the answers of a tool, made when it is first asked for; None where there is nothing to check.

        Raises: Violation for an output schema that cannot be used.
        """
        known = self._tools.get(name)
        if known is None or known.output_schema is None:
            return None
        made = self._checks.get(name)
        if made is None or made[0] != known.output_schema:
            from .output_schema import compile_check

            made = known.output_schema, compile_check(name, known.output_schema)
            self._checks[name] = made
        return made[1]


def _mirrors(tool: ToolInfo) -> tuple[Mirror, ...]:
    from ..protocol.headers import ANNOTATION, BadAnnotation, mirrors_of

    if ANNOTATION not in repr(tool.input_schema):
        return ()
    try:
        return mirrors_of(tool.input_schema)
    except BadAnnotation:
        return ()
