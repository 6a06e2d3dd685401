"""Processes that work on a ledger, for tests that kill, lock or crowd them. Run: `python -m support.ledger_work NAME ARGS`.

Each speaks JSON lines on stdout, flushed one by one.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from readingroom.library import LedgerBusy, LedgerFull, LibraryError
from readingroom.library.ledger import Ledger, restore

from .ledgers import a_draft, an_operation, opened


def started(work: str, *arguments: object, before: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    """Start one; `before` is what its command is given to."""
    command = [*before, sys.executable, "-m", "support.ledger_work", work, *(str(item) for item in arguments)]
    place = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": place}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def told(process: "subprocess.Popen[str]") -> Any:
    """The next line it speaks."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    return json.loads(line)


def ended(process: "subprocess.Popen[str]") -> None:
    """Wait for its end, and see that it was a good one."""
    _, faults = process.communicate(timeout=50)
    assert process.returncode == 0, faults


def _say(value: object) -> None:
    os.write(1, f"{json.dumps(value)}\n".encode())  # in one piece, for a child speaks, too


def operate(ledger: Ledger, key: str, result: bytes) -> bool:
    """Ask for an operation, which is executed once; whether it was now."""
    with ledger.writing() as writing:
        known = writing.operation("local", key)
        if known is None:
            writing.put_draft(a_draft(f"d-{key}", content=result * 50))
            writing.add_operation(an_operation(key, draft=f"d-{key}", result=result))
    return known is None


def crowd(folder: str, name: str, operations: str) -> None:
    """Ask for so many operations, which others ask for, too; tell how many were executed here, and the longest wait."""
    executed, longest = 0, 0.0
    with opened(Path(folder)) as ledger:
        _say("ready")
        sys.stdin.readline()
        for number in range(int(operations)):
            began = time.monotonic()
            executed += operate(ledger, f"key-{number}", name.encode())
            longest = max(longest, time.monotonic() - began)
    _say({"executed": executed, "longest": longest})


def publish(folder: str) -> None:
    """Be killed: for each line of input, which is a number, a child asks for operations, from that number on, for ever."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _ask_for_ever(Path(folder), int(line))
        _say(child)
        _, status = os.waitpid(child, 0)
        _say(os.waitstatus_to_exitcode(status))


def _ask_for_ever(folder: Path, number: int) -> None:
    ledger = opened(folder)
    while True:
        _say(["asked", number])
        operate(ledger, f"key-{number}", b"%d" % number)
        _say(["acknowledged", number])
        number += 1


def hold(folder: str) -> None:
    """Hold the ledger's lock until a line of input comes."""
    with opened(Path(folder)) as ledger, ledger.writing() as writing:
        writing.put_draft(a_draft("d-held"))
        _say("holding")
        sys.stdin.readline()
    _say("released")


def fill(folder: str, limit: str) -> None:
    """Ask until there is no room, on a small disk or, with a limit, under one to the size of files; then make room.

    Tells what was acknowledged before, whether one could look meanwhile, and what was acknowledged of the rest after.
    """
    if int(limit):
        _limit(int(limit))
    else:
        _mount("-t", "tmpfs", "-o", "size=12m", "none", folder)
        (Path(folder) / "ballast").write_bytes(bytes(8_000_000))
    with opened(Path(folder)) as ledger:
        acknowledged = [number for number in range(120) if _fits(ledger, number)]
        with ledger.reading() as reading:
            seen = sum(reading.operation("local", f"key-{number}") is not None for number in range(120))
        if int(limit):
            _limit(-1)
        (Path(folder) / "ballast").unlink(missing_ok=True)
        later = [number for number in range(120) if number not in acknowledged and _fits(ledger, number)]
        _say({"acknowledged": len(acknowledged), "seen": seen, "later": len(later), "faults": ledger.check()})


def _limit(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def _fits(ledger: Ledger, number: int) -> bool:
    try:
        operate(ledger, f"key-{number}", b"%0800d" % number)
    except LedgerFull:
        return False
    return True


def read_only(folder: str) -> None:
    """Open the ledger of a folder that may only be read, then of the same one that may be written again."""
    _mount("-t", "tmpfs", "-o", "size=2m", "none", folder)
    with opened(Path(folder)) as ledger:
        operate(ledger, "key-1", b"1")
    _mount("-o", "remount,ro", folder)
    _say(_fault_of(lambda: opened(Path(folder))))
    _mount("-o", "remount,rw", folder)
    with opened(Path(folder)) as ledger:
        _say([operate(ledger, "key-1", b"1"), operate(ledger, "key-2", b"2")])


def _mount(*arguments: str) -> None:
    subprocess.run([shutil.which("mount") or "/bin/mount", *arguments], check=True)


def _fault_of(work: Any) -> str:
    try:
        work()
    except LibraryError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def restore_for_ever(folder: str, *backups: str) -> None:
    """Put one backup after the other back, until killed."""
    _say("ready")
    while True:
        for backup in backups:
            restore(Path(backup), Path(folder) / "documents", Path(folder) / "ledgers", replace=True)


def race(folder: str) -> None:
    """Open a ledger that may not be there yet, at the moment when others do."""
    _say("ready")
    sys.stdin.readline()
    try:
        with opened(Path(folder)) as ledger:
            operate(ledger, f"key-{os.getpid()}", b"x")
    except LedgerBusy as error:
        _say(str(error))
    else:
        _say("done")


if __name__ == "__main__":
    {work.__name__: work for work in (crowd, publish, hold, fill, read_only, race, restore_for_ever)}[
        sys.argv[1]
    ](*sys.argv[2:])
