"""Shares: what is there for all, and of which nobody may take all."""

from readingroom.server.older_shares import Shares


def test_one_takes_its_share_and_leaves_the_rest() -> None:
    """What is given back may be taken again."""
    shares = Shares(5, 3)
    assert shares.take("a", 2)
    assert shares.take("a")
    assert not shares.take("a")
    assert shares.take("b", 2)
    assert not shares.take("c")
    shares.give("a")
    assert shares.take("c")
    assert shares.taken == 5


def test_who_has_nothing_may_take_more_than_fits() -> None:
    """When nobody else has anything: it would never fit otherwise."""
    shares = Shares(2, 1)
    assert shares.take("a", 3)
    assert not shares.take("b")
    shares.give("a", 3)
    assert shares.take("b")


def test_what_was_let_in_is_counted_whatever_is_left() -> None:
    """And nothing is left of principals that have given all back."""
    shares = Shares(1, 1)
    for _ in range(3):
        shares.add("a")
    assert (shares.taken, shares.take("b")) == (3, False)
    shares.give("a", 3)
    assert (shares.taken, shares._of) == (0, {})
