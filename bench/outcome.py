"""What one part of the benchmark hands back: its figures, the tables made of them, and its bars."""

from dataclasses import dataclass, field

from bars import Verdict
from report import Table
from rounds import Series


@dataclass(frozen=True)
class Outcome:
    """A part's title, its tables by caption, its bars judged, remarks on this very run, and all figures."""

    title: str
    tables: dict[str, Table]
    judged: list[Verdict]
    series: dict[str, Series]
    remarks: list[str] = field(default_factory=list)
