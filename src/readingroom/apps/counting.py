"""Numbers as people read them: counts with their noun, sizes, times and spans of time. Pure."""

_UNITS = ("bytes", "KB", "MB", "GB", "TB")


def counted(number: int, one: str, many: str = "") -> str:
    """Give a count with its noun: 1 document, 1,200 documents."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def size_text(size: float) -> str:
    """Give a size in bytes, KB, MB: in thousands."""
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:,.0f} {_UNITS[unit]}" if unit == 0 or size >= 10 else f"{size:,.1f} {_UNITS[unit]}"


def ago(seconds: float) -> str:
    """Tell how long ago something was, in the largest unit of which there are two."""
    if seconds < 2:
        return "just now"
    units = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))
    length, name = next(unit for unit in units if seconds >= 2 * unit[0])
    return f"{seconds / length:.0f} {name} ago"


def moment(seconds: float) -> str:
    """A time in UTC, to the minute."""
    import time

    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
