"""Interleaved rounds and what is computed from them: medians and ratios. Knows no server.

Everything measured together is measured in turn (A B C, then B C A, …), so that other work on the machine hits all
alike. A ratio is the ratio of the medians; its least and greatest are those of the single rounds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Figures = dict[str, float]
Measure = Callable[[], Figures]


@dataclass(frozen=True)
class Ratio:
    """Ours over theirs: of the medians, and the range over single rounds."""

    value: float
    least: float
    greatest: float


class Series:
    """The figures of all rounds, by name of what was measured."""

    def __init__(self) -> None:
        self.rounds: dict[str, list[dict[str, list[float]]]] = {}

    def add(self, name: str, gathered: dict[str, list[float]]) -> None:
        """Append one round's figures of `name`."""
        self.rounds.setdefault(name, []).append(gathered)

    def values(self, name: str, figure: str) -> list[float]:
        """Every value of a figure, over all rounds."""
        return [value for gathered in self.rounds.get(name, ()) for value in gathered.get(figure, ())]

    def median(self, name: str, figure: str) -> float | None:
        """The median over all rounds; None when it was not measured."""
        values = self.values(name, figure)
        return median(values) if values else None

    def ratio(self, ours: tuple[str, str], theirs: tuple[str, str]) -> Ratio | None:
        """Ours over theirs, each a name and a figure; None when one of them was not measured."""
        above, below = self.median(*ours), self.median(*theirs)
        if above is None or below is None:
            return None
        singles = [
            median(mine[ours[1]]) / median(other[theirs[1]])
            for mine, other in zip(self.rounds[ours[0]], self.rounds[theirs[0]], strict=True)
            if ours[1] in mine and theirs[1] in other
        ]
        return Ratio(above / below, min(singles), max(singles))


def gather(measures: list[Measure]) -> dict[str, list[float]]:
    """One round of one contestant: each figure with the values its measures gave."""
    gathered: dict[str, list[float]] = {}
    for measure in measures:
        for figure, value in measure().items():
            gathered.setdefault(figure, []).append(value)
    return gathered


def interleave(contestants: dict[str, list[Measure]], count: int, tell: Callable[[str], None]) -> Series:
    """Measure all contestants `count` times in turn, each round beginning with the next of them."""
    series, names = Series(), list(contestants)
    for number in range(count):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            tell(f"round {number + 1} of {count}: {name}")
            series.add(name, gather(contestants[name]))
    return series
