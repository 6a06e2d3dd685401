"""Measures Reading Room beside its peers in one run and says whether it keeps the bars it set itself: `make bench`.

Prints the tables; a full run also writes them to `docs/benchmarks.md`. Exit code 0, or 1 when a bar is missed and
`--strict` is given, or 2 when a server failed.
"""

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import client
import contestants
import folder
import kit
import library
import machine
import million
import speed
import web
from calls import WrongAnswer
from child import Broken
from outcome import Outcome
from report import as_markdown, as_text, verdicts, write_between_markers

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
PARTS = ("kit", "web", "client", "library", "speed", "folder", "million")
LONG = ("million",)
"""Measured only when they are named."""


def tell(what: str) -> None:
    """Progress, on standard error."""
    print(f"  {what}", file=sys.stderr, flush=True)


def options() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="Measure Reading Room beside its peers.")
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often everything is measured in turn (default 5)"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=[], help="measure these parts only")
    parser.add_argument(
        "--servers", nargs="+", default=[], metavar="NAME", help="of the kits, measure these only"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every single figure to a file")
    parser.add_argument(
        "--no-install", action="store_true", help="do not look whether the peers are installed"
    )
    parser.add_argument("--strict", action="store_true", help="end with 1 when a bar is missed")
    return parser.parse_args()


def measured(asked: argparse.Namespace) -> list[Outcome]:
    """The outcome of each part asked for. Raises Broken or WrongAnswer when a server fails."""
    doors: dict[str, Callable[[], Outcome]] = {
        "kit": lambda: kit.measure(asked.rounds, tell, asked.servers),
        "web": lambda: web.measure(asked.rounds, tell),
        "client": lambda: client.measure(asked.rounds, tell),
        "library": lambda: library.measure(min(asked.rounds, library.MOST_ROUNDS), tell),
        "speed": lambda: speed.measure(asked.rounds, tell),
        "million": lambda: million.measure(asked.rounds, tell),
        "folder": lambda: folder.measure(min(asked.rounds, folder.MOST_ROUNDS), tell),
    }
    return [doors[part]() for part in PARTS if part in (asked.only or set(PARTS) - set(LONG))]


def page_of(outcomes: list[Outcome], about: str) -> str:
    """All tables in Markdown."""
    blocks = [about]
    for outcome in outcomes:
        blocks.append(f"## {outcome.title}")
        blocks += [f"{caption}:\n\n{as_markdown(table)}" for caption, table in outcome.tables.items()]
        blocks.append(f"Bars:\n\n{as_markdown(verdicts(outcome.judged))}")
        blocks += outcome.remarks
    return "\n\n".join(blocks)


def show(outcomes: list[Outcome]) -> None:
    """All tables on standard output."""
    for outcome in outcomes:
        print(f"\n{outcome.title}")
        for caption, table in {**outcome.tables, "Bars": verdicts(outcome.judged)}.items():
            print(f"\n{caption}:\n{as_text(table)}")
        print(*outcome.remarks, sep="\n")


def record(path: Path, outcomes: list[Outcome], about: str) -> None:
    """Every single figure, by part, name, round and figure."""
    raw = {name: series.rounds for outcome in outcomes for name, series in outcome.series.items()}
    path.write_text(json.dumps({"about": about, "figures": raw}, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Run the benchmark; returns the exit code."""
    asked = options()
    if not asked.no_install:
        contestants.install()
    before, began = machine.load_average(), time.monotonic()
    try:
        outcomes = measured(asked)
    except (Broken, WrongAnswer, RuntimeError) as problem:
        print(f"bench: {type(problem).__name__}: {problem}", file=sys.stderr)
        return 2
    day = dt.datetime.now(tz=dt.UTC).date().isoformat()
    took = time.monotonic() - began
    about = (
        f"Taken on {day} on {machine.described()}; load of the machine {before} before, {machine.load_average()} after; "
        f"{asked.rounds} interleaved rounds; the run took {took:.0f} s."
    )
    print(about)
    show(outcomes)
    if asked.json:
        record(asked.json, outcomes, about)
    if not asked.only and not asked.servers:
        write_between_markers(PAGE, page_of(outcomes, about))
        print(f"\nWritten to {PAGE.name}.")
    missed = any(verdict.met is False for outcome in outcomes for verdict in outcome.judged)
    return int(asked.strict and missed)


if __name__ == "__main__":
    sys.exit(main())
