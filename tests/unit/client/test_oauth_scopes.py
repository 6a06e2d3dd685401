"""Which scopes are asked for."""

import pytest

from readingroom.client.oauth_scopes import first, more, with_offline


@pytest.mark.parametrize(
    ("wanted", "challenged", "supported", "asked"),
    [
        ((), (), (), ()),
        ((), (), ("a", "b"), ("a", "b")),
        ((), ("c",), ("a", "b"), ("c",)),
        (("x",), ("c",), ("a",), ("x",)),
        (("x", "x"), (), (), ("x",)),
    ],
)
def test_at_first(
    wanted: tuple[str, ...], challenged: tuple[str, ...], supported: tuple[str, ...], asked: object
) -> None:
    """What the caller wants, else what the challenge names, else all that there are, else none."""
    assert first(wanted, challenged, supported) == asked


def test_more() -> None:
    """All that was asked before, and what is missing."""
    assert more(("a", "b"), ("b", "c")) == ("a", "b", "c")


@pytest.mark.parametrize(
    ("scopes", "supported", "refreshes", "asked"),
    [
        (("a",), ["offline_access"], True, ("a", "offline_access")),
        (("a",), ["offline_access"], False, ("a",)),
        (("a",), ["a"], True, ("a",)),
        (("a",), None, True, ("a",)),
        ((), ["offline_access"], True, ()),
        (("offline_access",), ["offline_access"], True, ("offline_access",)),
    ],
)
def test_offline(
    scopes: tuple[str, ...], supported: list[str] | None, refreshes: bool, asked: object
) -> None:
    """Only where the server lists it, and beside other scopes."""
    assert with_offline(scopes, supported, refreshes=refreshes) == asked
