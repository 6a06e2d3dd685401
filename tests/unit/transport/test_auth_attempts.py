"""How often a token that is not good may be tried."""

from readingroom.transport.auth_attempts import IN_ALL, PER_ADDRESS, Attempts


def test_an_address_has_ten_in_a_minute() -> None:
    """Then it is told how long to wait; the minute begins with its first."""
    attempts = Attempts()
    assert [attempts.failed("a", float(second)) for second in range(PER_ADDRESS)] == [None] * PER_ADDRESS
    assert attempts.failed("a", 10.0) == 50
    assert attempts.failed("b", 10.0) is None
    assert attempts.failed("a", 59.5) == 1
    assert attempts.failed("a", 60.0) is None
    assert attempts.failed("a", 60.5) == 1


def test_all_together_have_a_hundred() -> None:
    """Nothing more is noted then, so that what is remembered has a bound."""
    attempts = Attempts()
    found = [attempts.failed(str(number), 0.0) for number in range(100_000)]
    assert found[:IN_ALL] == [None] * IN_ALL
    assert set(found[IN_ALL:]) == {60}
    assert len(attempts._failures) == IN_ALL
    assert attempts.failed("new", 60.0) is None
    assert len(attempts._failures) == 1


def test_a_clock_that_goes_back_locks_nobody_out() -> None:
    """What was noted is forgotten: nobody is to wait until the clock has caught up."""
    attempts = Attempts()
    for _ in range(PER_ADDRESS):
        attempts.failed("a", 1000.0)
    assert attempts.failed("a", 1000.0) == 60
    assert [attempts.failed("a", 10.0) for _ in range(PER_ADDRESS + 1)] == [None] * PER_ADDRESS + [60]
