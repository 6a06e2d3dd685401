"""What a form of the page says, read strictly from its body. Knows no field by name."""

from collections.abc import Sequence
from urllib.parse import parse_qsl

import msgspec

MEDIA = "application/x-www-form-urlencoded"
BODY_BYTES = 256 * 1024
_FIELDS = 500
_DIGITS = 9  # of any number of ours, and few enough for every integer of a ledger


class BadForm(Exception):
    """The body is no form, or says too much; the text says which."""


class Form(msgspec.Struct, frozen=True):
    """The fields of a form, in their order; a name may stand several times."""

    fields: tuple[tuple[str, str], ...] = ()

    def one(self, name: str) -> str:
        """Give the field's value, or "" when it is not there. Raises BadForm when it is there twice."""
        values = self.all(name)
        if len(values) > 1:
            raise BadForm(f"The form says {name} twice.")
        return values[0] if values else ""

    def all(self, name: str) -> Sequence[str]:
        """Give every value of the field."""
        return [value for known, value in self.fields if known == name]


def form_from(body: bytes) -> Form:
    """Read a body. Raises BadForm for what is not UTF-8, not a form, or has too many fields."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            errors="strict",
            max_num_fields=_FIELDS,
        )
    except (ValueError, UnicodeError):
        raise BadForm("That is no form of this page.") from None
    # Browsers send line ends as CR LF.
    return Form(tuple((name, value.replace("\r\n", "\n")) for name, value in pairs))


def number_from(said: str) -> int | None:
    """Read a number that a form or an address says; None for what is none."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= _DIGITS else None
