"""Static tokens in words, for whoever keeps them. A token itself is in none of them."""

from typing import TYPE_CHECKING

from .characters import one_line, width

if TYPE_CHECKING:
    from ..transport.auth_token_file import Record, Records

_HEADS = ("id", "role", "principal", "made", "ends", "last used", "state", "label")


def token_lines(records: "Records", now: float) -> list[str]:
    """Give the lines of a table."""
    if not records:
        return ["There are no tokens."]
    rows = [_HEADS, *(_row(record, now) for record in records)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in rows]


def token_values(records: "Records", now: float) -> list[dict[str, object]]:
    """Give what a program may know of each."""
    return [
        {
            "id": record.id,
            "role": record.role,
            "principal": record.principal,
            "label": record.label,
            "created": day(record.created),
            "expires": None if record.expires is None else day(record.expires),
            "lastUsed": record.last_used or None,
            "state": _state(record, now),
            "successor": record.successor or None,
        }
        for record in records
    ]


def ends(record: "Record") -> str:
    """Say until when a token is good."""
    return "never" if record.expires is None else day(record.expires)


def day(seconds: float) -> str:
    """Give a time as its day in UTC."""
    import time

    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _row(record: "Record", now: float) -> tuple[str, ...]:
    return (
        record.id,
        record.role,
        one_line(record.principal),
        day(record.created),
        ends(record),
        record.last_used or "-",
        _state(record, now),
        one_line(record.label),
    )


def _padded(cell: str, columns: int) -> str:
    return cell + " " * (columns - width(cell))


def _state(record: "Record", now: float) -> str:
    if record.revoked is not None:
        return "revoked"
    if not record.is_good(now):
        return "expired"
    return "rotated" if record.successor else "good"
