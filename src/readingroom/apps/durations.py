"""Spans of time as they are written on a command line: 7d, 12h, 30m. Pure."""

from .faults import UsageFault

_SECONDS = {"d": 24 * 3600, "h": 3600, "m": 60}
_DIGITS = 6


def seconds_of(text: str, option: str, most: int) -> int:
    """Give the seconds of a span, which is `most` seconds at most. Raises: UsageFault, which names the option."""
    number, unit = text[:-1], text[-1:]
    digits = number.isascii() and number.isdecimal() and len(number) <= _DIGITS
    if not digits or unit not in _SECONDS:
        raise UsageFault(
            f"{option} takes a number of days, hours or minutes, as in 7d, 12h, 30m, not {text!r}"
        )
    seconds = int(number) * _SECONDS[unit]
    if seconds > most:
        raise UsageFault(f"{option} must be {most // _SECONDS['d']}d at most, not {text}")
    return seconds
