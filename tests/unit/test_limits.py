"""The caps of the kit."""

import re
from pathlib import Path

import pytest

from readingroom import Limits

NAMES = Limits.__struct_fields__


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_a_limit_is_positive(name: str, value: float) -> None:
    """Under another nothing could be served."""
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


def test_the_defaults_are_those_of_the_documentation() -> None:
    """A change of one is a change of what is promised."""
    page = Path(__file__).resolve().parents[2] / "docs" / "reference" / "limits.md"
    rows = re.findall(r"^\| `(\w+)` \| ([\d,.]+)(?: (MiB|KiB|s))? \|", page.read_text("utf-8"), re.MULTILINE)
    units = {"MiB": 1024 * 1024, "KiB": 1024}
    told = {name: float(number.replace(",", "")) * units.get(unit, 1) for name, number, unit in rows}
    assert told == {name: getattr(Limits(), name) for name in NAMES}
