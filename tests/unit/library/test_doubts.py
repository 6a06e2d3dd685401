"""How long a file that seems half written is doubted."""

from readingroom.library.doubts import Doubts
from readingroom.library.hooks import MIDWAY_S, Hooks


class Clock:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def test_a_file_is_doubted_for_a_moment() -> None:
    """However often it is saved meanwhile; then it is believed, and doubted anew the next time."""
    clock = Clock()
    doubts = Doubts(clock)
    told = []
    for _ in range(6):
        told.append(doubts.hold("a.md"))
        clock.now += MIDWAY_S / 2
    assert told == [True, True, False, True, True, False]


def test_one_that_was_whole_in_between_is_doubted_anew() -> None:
    """And others are doubted by themselves."""
    clock = Clock()
    doubts = Doubts(clock)
    assert doubts.hold("a.md")
    clock.now += MIDWAY_S / 2
    assert doubts.hold("b.md")
    clock.now += 10 * MIDWAY_S
    assert doubts.hold("a.md")


def test_what_is_remembered_is_bounded() -> None:
    """Of very many files, the doubts begin anew."""
    doubts = Doubts(Clock())
    for number in range(5000):
        assert doubts.hold(f"{number}.md")
    assert len(doubts._since) <= 1000


def test_who_does_not_look_again_keeps_what_was() -> None:
    """A scan whose maker says nothing of doubts doubts what seems half written."""
    assert Hooks(pause=lambda: None, tell=lambda _: None).again("a.md")
