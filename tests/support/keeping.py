"""A process on a folder that keeps changing: it keeps the index, or follows, and asks without end.

    python -m support.keeping DOCS CACHE CONTROL

Says in lines of JSON when it got the writer's lock, when it found the word that `CONTROL/ask` holds, and whatever an answer
should not have been. Who takes `CONTROL/doom` away while it holds the lock dies of SIGKILL: "point N" after so many calls of
functions under the lock, "time S" so many seconds after it was taken.
"""

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Self

from readingroom.library import Library, NotFound, Principal, Role, View, lock, reconcile

SECRET = "zanzibar"
STEADY = tuple(f"steady/{number}.md" for number in range(5))
EVERY_S = 2.0

_saying = threading.Lock()


def say(**what: Any) -> None:
    """One line to who started this."""
    with _saying:
        os.write(1, json.dumps(what).encode() + b"\n")


class Doom:
    """When this process dies, if it was chosen to."""

    def __init__(self, control: Path) -> None:
        self._file = control / "doom"
        self._left = 0

    def arm(self) -> None:
        """Called under the lock."""
        try:
            kind, number = self._file.read_text().split()
            self._file.unlink()
        except FileNotFoundError:
            pass
        else:
            if kind == "time":
                threading.Timer(float(number), _die).start()
            else:
                self._left = int(number)
        if self._left > 0:
            sys.setprofile(self._count)

    def _count(self, frame: FrameType, event: str, value: Any) -> None:
        self._left -= 1
        if self._left == 0:
            _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def doomed(doom: Doom, said: Callable[..., None] = say) -> type[lock.WriterLock]:
    """The writer's lock, under which one may die."""

    class Doomed(lock.WriterLock):
        def __enter__(self) -> Self:
            super().__enter__()
            said(held=time.monotonic())
            doom.arm()
            return self

        def __exit__(self, *raised: Any) -> None:  # noqa: PYI036  -- handed on
            super().__exit__(*raised)
            sys.setprofile(None)

    return Doomed


def wrong(view: View, role: Role, dice: random.Random) -> str:
    """What is not as it must be in some answers, whatever happens to the index; "" when nothing is."""
    hits = view.search("steady", limit=50).items
    if missing := set(STEADY) - {hit.path for hit in hits}:
        return f"steady documents are not found: {sorted(missing)}"
    if missing := set(STEADY) - {item.path for item in view.list("steady").items}:
        return f"steady documents are not listed: {sorted(missing)}"
    view.read(dice.choice(STEADY))
    try:
        text = view.read(f"d{dice.randrange(4)}/{dice.randrange(40):02}.md").text
    except NotFound:
        text = ""
    told = " ".join([text, *(hit.text for hit in view.search(f"apple {SECRET}", limit=50).items)])
    return "a reader is told a secret" if role == "reader" and SECRET in told else ""


def ask(library: Library, control: Path, turns: threading.Event) -> None:
    """Ask until the process ends."""
    dice, last = random.Random(os.getpid()), ""
    roles: tuple[Role, ...] = ("reader", "editor")
    views = {role: library.view(Principal("somebody", role)) for role in roles}
    while not turns.wait(0.005):
        try:
            for role, view in views.items():
                if problem := wrong(view, role, dice):
                    say(error=problem, role=role)
            word = (control / "ask").read_text()
            if word != last and all(view.search(word).items for view in views.values()):
                last = word
                say(found=word, at=time.monotonic())
        except Exception as error:  # noqa: BLE001  -- whatever it is, it is what the test looks for
            say(error=repr(error), cause=repr(error.__cause__))


def main() -> None:
    """Run until the input ends."""
    docs, cache, control = map(Path, sys.argv[1:4])
    vars(reconcile)["WriterLock"] = doomed(Doom(control))
    library = Library.open(docs, cache=cache, roles=("reader", "editor"))
    library.start(every=EVERY_S, watch=True)
    ending = threading.Event()
    asking = threading.Thread(target=ask, args=(library, control, ending))
    asking.start()
    say(ready=time.monotonic())
    sys.stdin.read()
    ending.set()
    asking.join()
    library.close()


if __name__ == "__main__":
    main()
