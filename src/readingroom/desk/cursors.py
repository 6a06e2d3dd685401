"""Cursors of the library's tools: a position, sealed for one tool, one set of arguments and one principal.

What a cursor was not made for it does not open, so that nobody goes on with another's search.
"""

from typing import TypeVar

import msgspec

from ..kit import BadSeal, Sealer, ToolError

Position = TypeVar("Position", int, str)


class Cursors:
    """Seals and opens positions, each for the principal that asks."""

    def __init__(self, key: bytes) -> None:
        self._sealer = Sealer(key)

    def seal(
        self, principal: str, tool: str, arguments: tuple[object, ...], position: int | str | None
    ) -> str | msgspec.UnsetType:
        """Give the principal's cursor for `position`, or UNSET when there is none."""
        if position is None:
            return msgspec.UNSET
        text = msgspec.json.encode(position).decode()
        return self._sealer.seal(text, purpose=_purpose(tool, arguments), principal=principal)

    def open(
        self,
        principal: str,
        tool: str,
        arguments: tuple[object, ...],
        cursor: str | None,
        kind: type[Position],
    ) -> Position | None:
        """Give the position that was sealed, a rank or a path.

        Raises: ToolError for a cursor of another call, or of another principal.
        """
        if cursor is None:
            return None
        try:
            text = self._sealer.open(cursor, purpose=_purpose(tool, arguments), principal=principal)
        except BadSeal as error:
            raise ToolError(
                "The cursor does not belong to this call: repeat it with the same arguments."
            ) from error
        return msgspec.json.decode(text, type=kind)


def _purpose(tool: str, arguments: tuple[object, ...]) -> str:
    return msgspec.json.encode((tool, arguments)).decode()
