"""Names and what is said of them stand in columns, and no name is cut."""

from readingroom.apps.layout import two_columns


def test_columns() -> None:
    """The second column begins in the same place, whatever the script of the first."""
    assert two_columns([("a", "one"), ("缓存", "two"), ("ёжик", "")], 40) == [
        "  a     one",
        "  缓存  two",
        "  ёжик",
    ]


def test_a_long_name_stays_whole() -> None:
    """What is said of it follows on the next line, in its column."""
    rows = [("ab", "one"), ("x" * 30, "two"), ("y" * 30, "")]
    assert two_columns(rows, 40) == ["  ab  one", "  " + "x" * 30, "      two", "  " + "y" * 30]


def test_only_long_names() -> None:
    """Where no name fits, all is said below."""
    assert two_columns([("x" * 30, "two")], 40) == ["  " + "x" * 30, "    two"]
    assert two_columns([], 40) == []
