"""What a process and its children hold, have held and have used, read from Linux's /proc; None elsewhere."""

import os
from pathlib import Path

PROC = Path("/proc")


def parent_of(entry: Path) -> int | None:
    """The parent's id; None when the process has ended meanwhile."""
    try:
        # The name in brackets may itself hold brackets and blanks: what follows the last bracket is regular.
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def tree(root: int) -> list[int]:
    """The process and all that descend from it."""
    parents = {int(entry.name): parent_of(entry) for entry in PROC.iterdir() if entry.name.isdigit()}
    found, wave = [root], {root}
    while wave := {child for child, parent in parents.items() if parent in wave}:
        found.extend(wave)
    return found


def field(text: str, name: str) -> float:
    """A `Name:   123 kB` line as MiB; 0 where there is none."""
    for line in text.splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    return 0.0


def held_by(root: int) -> dict[str, float] | None:
    """MiB over the whole process tree: `pss` and `rss` now, `peak` the sum of the highest RSS of each."""
    if not (PROC / "self" / "smaps_rollup").exists():
        return None
    total = {"pss": 0.0, "rss": 0.0, "peak": 0.0}
    for process in tree(root):
        now, status = (PROC / str(process) / name for name in ("smaps_rollup", "status"))
        text, marks = now.read_text(), status.read_text()
        total["pss"] += field(text, "Pss")
        total["rss"] += field(text, "Rss")
        total["peak"] += field(marks, "VmHWM")
    return total


def processor_time(root: int) -> float | None:
    """Seconds of processor time that the process itself has used, in steps of a hundredth."""
    if not (PROC / "self" / "stat").exists():
        return None
    fields = (PROC / str(root) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
