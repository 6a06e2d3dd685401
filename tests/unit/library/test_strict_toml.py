"""TOML is read strictly, and what is wrong is named with its line."""

import pytest

from readingroom.library.strict_toml import Broken, Fault, kind_of, nearest, parsed, unknown_key

TEXT = """\
# a comment
name = "x"

internal = [
  "a[bc]/",
  "b/",
]
text = \"\"\"
[not.a.table]
more\"\"\"
one.two = 3

[folders."/home/me/a.b"] # a folder
role = "editor"
inner = { deep = 1 }

[[many]]
each = 1
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 2),
        (("internal",), 4),
        (("text",), 8),
        (("one",), 11),
        (("one", "two"), 11),
        (("folders", "/home/me/a.b"), 13),
        (("folders", "/home/me/a.b", "role"), 14),
        (("folders", "/home/me/a.b", "inner", "deep"), 15),
        (("many",), 17),
        (("many", "each"), 18),
        (("not", "a", "table"), None),
        (("role",), None),
    ],
)
def test_lines(path: tuple[str, ...], line: int | None) -> None:
    """Each key and table is found in the line it begins in, whatever values of several lines hold."""
    assert parsed(TEXT.encode()).line(path) == line
    assert parsed(TEXT.replace("\n", "\r\n").encode()).line(path) == line


@pytest.mark.parametrize(
    ("data", "line", "told"),
    [
        (b"a = 1\nb =\n", 2, "this is no TOML"),
        (b"a = 1\na = 2\n", 2, "a key is there twice"),
        (b"[a]\n[a]\n", 2, "a table is there twice"),
        (b"a = {b = 1}\na.c = 2\n", 2, "a table is there twice"),
        (b"a = [\n1,\n", 3, "this is no TOML"),
        (b"a = 1\nb = '\xff'\n", 2, "no text in UTF-8"),
        (b"a = " + b"[" * 5_000, None, "too deep"),
        (b"a = " + b"1" * 5_000, None, "too long"),
    ],
)
def test_what_is_no_toml(data: bytes, line: int | None, told: str) -> None:
    """A file that cannot be read is refused as a whole, with the line that stopped it."""
    with pytest.raises(Broken, match=told) as caught:
        parsed(data)
    assert caught.value.fault.line == line


def test_a_mark_of_the_byte_order_is_no_fault() -> None:
    """Editors on Windows write one at the beginning."""
    assert parsed(b"\xef\xbb\xbfa = 1").values == {"a": 1}


def test_a_long_array_costs_no_more_than_a_moment() -> None:
    """Where each of many lines may be the last of an array, the lines behind it are not told rather than waited for."""
    text = "a = 1\nb = [\n" + '"x[y]",\n' * 8_000 + "]\nc = 1\n"
    document = parsed(text.encode())
    assert document.line(("a",)) == 1
    assert document.line(("c",)) is None
    plain = parsed(text.replace("[y]", "").encode())
    assert plain.line(("c",)) == 8_004


def test_nearest() -> None:
    """The key that was probably meant is named, and none that is far off."""
    assert nearest("leave-out", ["internal", "leave_out"]) == "leave_out"
    assert (
        unknown_key("Internl", ["internal", "leave_out"]) == "there is no key Internl; did you mean internal?"
    )
    assert unknown_key("zzz", ["internal"]) == "there is no key zzz"
    assert unknown_key("a\nb", []) == r"there is no key 'a\nb'"


def test_kinds() -> None:
    """Kinds of values are told in words; a boolean is no number."""
    values = (True, 1, 1.5, "x", [], {}, object())
    assert [kind_of(value) for value in values] == [
        *("true or false", "a whole number", "a number", "a text", "an array", "a table", "a date or time"),
    ]


def test_a_fault_in_words() -> None:
    """The line comes first, where there is one."""
    assert (str(Fault("x", 3)), str(Fault("x"))) == ("line 3: x", "x")
