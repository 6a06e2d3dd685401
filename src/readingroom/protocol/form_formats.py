"""The four formats that a text in a form may have: whether a text is an e-mail address, a URI, a date or a point in time.

Reasonable, not exhaustive: whether an address exists cannot be known from its spelling.
"""

from collections.abc import Callable

_DATE_LENGTH = len("2026-11-30")
_LONGEST_ADDRESS = 254


def is_email(text: str) -> bool:
    """Say whether `text` looks like an e-mail address: something, one @, and a name of a host."""
    name, at, host = text.rpartition("@")
    is_plain = text.isprintable() and not any(character.isspace() for character in text)
    labels = host.split(".")
    return bool(
        at
        and name
        and "@" not in name
        and is_plain
        and len(text) <= _LONGEST_ADDRESS
        and all(labels)
        and not name.startswith(".")
        and not name.endswith(".")
        and ".." not in name
        and all(label.replace("-", "").isalnum() and label[0] != "-" and label[-1] != "-" for label in labels)
    )


def is_uri(text: str) -> bool:
    """Say whether `text` is an absolute URI (RFC 3986), in ASCII."""
    import re

    pattern = r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+"
    return re.fullmatch(pattern, text) is not None


def is_date(text: str) -> bool:
    """Say whether `text` is a date that exists, as in 2026-11-30 (RFC 3339)."""
    import datetime as dt

    if len(text) != _DATE_LENGTH or not text.isascii() or not text.replace("-", "").isdigit():
        return False
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_date_time(text: str) -> bool:
    """Say whether `text` is a date with a time and its offset, as in 2026-11-30T09:30:00Z (RFC 3339)."""
    import re

    # A leap second is written as the second 60.
    time = r"[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
    return is_date(text[:_DATE_LENGTH]) and re.fullmatch(time, text[_DATE_LENGTH:], re.ASCII) is not None


FORMATS: dict[str, Callable[[str], bool]] = {
    "email": is_email,
    "uri": is_uri,
    "date": is_date,
    "date-time": is_date_time,
}
