"""A program that publishes and is killed at it, again and again, and looks each time what the next start makes of it.

    python -m support.publisher PLACE every CONTROL WAY
    python -m support.publisher PLACE random CONTROL COUNT SEED
    python -m support.publisher PLACE prepare|once|judge none WAY

It prints one line of JSON. What is killed is a child that was forked, so that nothing has to be loaded anew; the parent
never opens the ledger. CONTROL is a fault that is built in and must be found, or "none".
"""

import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from readingroom.library.ledger import Draft
from readingroom.library.operator import DecisionKey, Outcome, changing, deciding, settling
from readingroom.library.operator.changing import Change
from support.disks import FailingDisk
from support.publishing import Desk
from support.stopping import CALLS, Points, hooked

Say: TypeAlias = Callable[[Any], object]
"""Tells the parent a value."""

OLD, NEW = b"# Old\n\n" + b"old words\n" * 500, b"# New\n\n" + b"new words, and more\n" * 700
WAYS = (
    "create",
    "create deep",
    "replace",
    "rename",
    "rename deep",
    "delete",
    "undo",
    "undo delete",
    "reject",
)


def child(function: Callable[[Say], None]) -> tuple[int, list[Any]]:
    """Run `function` in a process of its own; how it ended, and what it said."""
    process, reading = started(function)
    said = heard(reading)
    return os.waitpid(process, 0)[1], said


def started(function: Callable[[Say], None]) -> tuple[int, int]:
    """A process of its own that runs `function`, and where to read what it says."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    code = 1
    try:
        os.close(reading)
        write = os.write  # not the one that is watched later
        function(lambda value: write(writing, json.dumps(value).encode() + b"\n"))
        code = 0
    except BaseException:  # noqa: BLE001  -- told, and then this process ends
        traceback.print_exc()
    finally:
        os._exit(code)


def heard(reading: int) -> list[Any]:
    """All that a process says until it ends; what it was saying when it was killed is left out."""
    with os.fdopen(reading, "rb") as lines:
        return [json.loads(line) for line in lines if line.endswith(b"\n")]


def die() -> None:
    """End as by `kill -9`."""
    os.kill(os.getpid(), signal.SIGKILL)


# --- every call of one publication --------------------------------------------------------------------------------


def prepare(place: Path, way: str) -> None:
    """A folder, a chain, and a draft or a decision of the kind."""
    desk = Desk(place)
    desk.write("ä/a.md", OLD)
    desk.write("other.md", b"# Other\n")
    key = desk.begin()
    draft = drafted(desk, way)
    if way.startswith("undo"):
        assert desk.publish(draft, key).decision is not None
    desk.ledger.close()


def drafted(desk: Desk, way: str) -> Draft:
    """The draft of a way."""
    if way in ("create", "create deep"):
        return desk.draft("create", "ä/x/y/new.md" if way == "create deep" else "ä/new.md", NEW)
    if way in ("rename", "rename deep"):
        return desk.draft("rename", "ä/a.md", to="ä/x/y/b.md" if way == "rename deep" else "b.md")
    if way.endswith("delete"):
        return desk.draft("delete", "ä/a.md")
    return desk.draft("replace", "ä/a.md", NEW)


def decide(desk: Desk, way: str, key: DecisionKey) -> Outcome:
    """Make the decision."""
    if way.startswith("undo"):
        return desk.operator.undo(2, key)
    (pending,) = desk.operator.queue()
    approval = desk.approval(pending.draft)
    if way == "reject":
        return desk.operator.reject([approval], key)[0]
    return desk.operator.publish([approval], key)[0]


def at_every_point(place: Path, way: str) -> dict[str, Any]:
    """Kill the decision before each of its calls, the first to the last."""
    template, work = place / "template", place / "work"
    assert child(lambda say: prepare(work, way))[0] == 0
    work.rename(template)
    before = tree(template / "docs")
    after = after_all(template, work, way)
    counted: dict[str, Any] = {"points": 0, "decided": 0, "absent": 0, "problems": []}
    turn, ended = 0, False
    while not ended:
        turn += 1
        fresh(template, work)
        status, said = child(victim(work, way, turn))
        ended = not os.WIFSIGNALED(status)
        assert not ended or (status, said) == (0, ["decided"]), (status, said)
        counted["points"] += not ended
        code, found = child(lambda say: look(work, way, say))
        problem = judged(found, code, before, after, acknowledged=bool(said))
        if problem:
            counted["problems"].append(f"before call {turn}: {problem}")
        elif not ended:
            counted["decided" if found[0]["decided"] else "absent"] += 1
    return counted


def fresh(template: Path, work: Path) -> None:
    """The folder and its ledger as they were."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(template, work)


def after_all(template: Path, work: Path, way: str) -> dict[str, Any]:
    """The folder after the decision, when nobody is killed."""
    fresh(template, work)
    code, said = child(victim(work, way, -1))
    assert (code, said) == (0, ["decided"]), said
    return tree(work / "docs")


def victim(work: Path, way: str, turn: int) -> Callable[[Say], None]:
    """The decision, by a process that is killed at a call: of ours, or of SQLite's on its files."""

    def run(say: Say) -> None:
        points = Points(turn, die)
        disk = FailingDisk("deadly", lambda what: points.call(what, int))
        desk = Desk(work, vfs="deadly")
        key = desk.key()
        points.count = 0
        with hooked(points, (*CALLS, "close")):
            outcome = decide(desk, way, key)
        say("decided" if outcome.decision is not None else outcome.text)
        disk.unregister()

    return run


def look(work: Path, way: str, say: Say) -> None:
    """What the next start makes of it, and whether the decision can then be made, if it was not."""
    desk = Desk(work)
    told = desk.operator.recover()
    key = desk.key()
    verified = desk.operator.verify(key)
    wanted = 3 if way.startswith("undo") else 2
    found = {
        "decided": verified.decisions == wanted,
        "tree": tree(work / "docs"),
        "faults": [str(fault) for fault in (*verified.journal, *verified.drafts, *verified.files)],
        "under_way": desk.under_way(),
        "open": [pending.draft.id for pending in desk.operator.queue()],
        "told": told,
    }
    say(found)
    if not found["decided"]:
        outcome = decide(desk, way, key)
        say({"tree": tree(work / "docs"), "text": outcome.text})


def judged(found: list[Any], code: int, before: Any, after: Any, *, acknowledged: bool) -> str:
    """What is wrong with what the next start found, or ""."""
    if code or not found:
        return "the next start failed"
    first = found[0]
    if first["faults"] or first["under_way"]:
        return f"the ledger and the folder do not agree: {first['faults']} {first['under_way']}"
    if acknowledged and not first["decided"]:
        return "what was acknowledged is lost"
    if first["tree"] != (after if first["decided"] else before):
        return f"the folder is neither as before nor as after: {sorted(first['tree'])}"
    if not first["decided"] and found[-1].get("tree") != after:
        return f"the decision could not be made afterwards: {found[-1].get('text')}"
    return ""


def tree(docs: Path) -> dict[str, Any]:
    """Every name with its bytes, as text."""
    return {
        str(entry.relative_to(docs)): entry.read_text() if entry.is_file() else None
        for entry in sorted(docs.rglob("*"))
    }


# --- random moments -----------------------------------------------------------------------------------------------


def at_random(place: Path, count: int, seed: int) -> dict[str, Any]:
    """Kill a process that publishes without end at random moments, `count` times, on one folder and one ledger."""
    dice = random.Random(seed)
    assert child(lambda say: begin(place))[0] == 0
    counted: dict[str, Any] = {"kills": 0, "midway": 0, "acknowledged": 0, "kept unheard": 0, "problems": []}
    decisions = 1
    for number in range(count):
        process, reading = started(lambda say, number=number: publish_on(place, seed * 100_003 + number, say))
        assert os.read(reading, 8) == b'"ready"\n'
        time.sleep(dice.uniform(0, 0.06))
        os.kill(process, signal.SIGKILL)
        said = heard(reading)
        os.waitpid(process, 0)
        counted["kills"] += 1
        counted["midway"] += bool(said) and said[-1] == "start"
        acknowledged = [item for item in said if item != "start"]
        counted["acknowledged"] += len(acknowledged)
        code, found = child(lambda say, kept=acknowledged: look_at_all(place, kept, say))
        if code or not found:
            counted["problems"].append(f"kill {number}: the next start failed")
        else:
            counted["problems"] += [f"kill {number}: {problem}" for problem in found[0]["problems"]]
            counted["kept unheard"] += found[0]["decisions"] - decisions - len(acknowledged)
            decisions = found[0]["decisions"]
    return counted


def begin(place: Path) -> None:
    """A folder of a few files, and a chain."""
    desk = Desk(place)
    for name in "abcd":
        desk.write(f"{name}.md", OLD + name.encode())
    desk.begin()
    desk.ledger.close()


def publish_on(place: Path, seed: int, say: Say) -> None:
    """Propose and decide until the end comes from outside."""
    dice = random.Random(seed)
    desk = Desk(place)
    desk._made = seed * 1000
    key = desk.key()
    say("ready")
    desk.operator.recover()
    while True:
        act = chosen(desk, dice)
        say("start")
        outcome = act(key)
        if outcome.decision is None:
            raise AssertionError(outcome)
        say([outcome.decision.number, outcome.decision.mac.hex()])


def chosen(desk: Desk, dice: random.Random) -> Callable[[DecisionKey], Outcome]:
    """A decision that can be made now."""
    files = sorted(file.relative_to(desk.docs).as_posix() for file in desk.docs.rglob("*.md"))
    last = desk.operator.history(after=max(0, _last(desk) - 1))
    undoable = [item for item in last if item.kind in ("publish", "undo")]
    if undoable and dice.random() < 0.25:
        return lambda key: desk.operator.undo(undoable[-1].number, key)
    path, fresh_path = dice.choice(files), f"n{dice.randrange(3)}/m/{dice.randrange(10**9)}.md"
    content = NEW * dice.randrange(1, 6) + str(dice.random()).encode()
    kind = dice.choice(("create", "replace", "rename", "delete") if len(files) > 2 else ("create",))
    if kind == "create":
        draft = desk.draft("create", fresh_path, content)
    elif kind == "rename":
        draft = desk.draft("rename", path, to=fresh_path)
    else:
        draft = desk.draft(kind, path, content if kind == "replace" else None)
    return lambda key: desk.publish(draft, key)


def _last(desk: Desk) -> int:
    with desk.ledger.reading() as reading:
        decision = reading.last_decision()
    return 0 if decision is None else decision.number


def look_at_all(place: Path, acknowledged: list[Any], say: Say) -> None:
    """Whether folder and ledger agree after the next start, and all that was acknowledged is there, once."""
    desk = Desk(place)
    desk.operator.recover()
    verified = desk.operator.verify(desk.key())
    problems = [fault.text for fault in (*verified.journal, *verified.files)] + list(verified.drafts)
    decisions = desk.operator.history(limit=10**6)
    macs = {decision.number: decision.mac.hex() for decision in decisions}
    problems += [f"decision {number} is lost" for number, mac in acknowledged if macs.get(number) != mac]
    published = [decision.draft for decision in decisions if decision.kind == "publish"]
    if len(published) != len(set(published)):
        problems.append("a draft was published twice")
    hidden = [name for name in desk.tree() if "/." in f"/{name}"]
    problems += [f"{name} was left" for name in hidden]
    if desk.under_way():
        problems.append("something is still under way")
    say({"problems": problems, "decisions": len(decisions)})


# --- faults that are built in -------------------------------------------------------------------------------------


def swap_before_intent() -> None:
    """The folder is changed before a crash could be told of it."""
    noted = deciding.Deciding._noted

    def hasty(self: deciding.Deciding, writing: Any, wanted: Any) -> Any:
        publication = noted(self, writing, wanted)
        changing.carry_out(self._root, settling.change_of(publication, writing))
        return publication

    deciding.Deciding._noted = hasty  # type: ignore[method-assign]  # the fault
    deciding.carry_out = lambda root, change: None


def decide_before_swap() -> None:
    """The decision is kept before the folder is changed."""
    decided = deciding.Deciding._decided
    deciding.carry_out = lambda root, change: None

    def hasty(self: deciding.Deciding, publication: Any, approval: Any) -> Any:
        decision = decided(self, publication, approval)
        with self._ledger.reading() as reading:
            change = settling.change_of(publication, reading)
        changing.carry_out(self._root, change)
        return decision

    deciding.Deciding._decided = hasty  # type: ignore[method-assign]  # the fault


def write_in_place() -> None:
    """The file itself is written, and not another that takes its place."""

    def hasty(root: Path, change: Change) -> None:
        file = root / change.target
        file.parent.mkdir(parents=True, exist_ok=True)
        content = change.after or b""
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(opened, content[: len(content) // 2])
        os.write(opened, content[len(content) // 2 :])
        os.close(opened)

    deciding.carry_out = hasty


def nothing_is_settled() -> None:
    """The next start looks at nothing."""
    settling.take_back = lambda root, change: ()


CONTROLS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "swap before intent": swap_before_intent,
    "decide before swap": decide_before_swap,
    "write in place": write_in_place,
    "nothing is settled": nothing_is_settled,
}


def main(place: str, mode: str, control: str, *arguments: str) -> None:
    """Run one of them and print what came of it."""
    CONTROLS[control]()
    if mode == "every":
        print(json.dumps(at_every_point(Path(place), arguments[0])))
    elif mode == "random":
        print(json.dumps(at_random(Path(place), int(arguments[0]), int(arguments[1]))))
    elif mode == "prepare":
        prepare(Path(place), arguments[0])
    elif mode == "once":
        desk = Desk(Path(place))
        print(decide(desk, arguments[0], desk.key()).code)
    else:
        look(Path(place), arguments[0], lambda value: print(json.dumps(value)))


if __name__ == "__main__":
    main(*sys.argv[1:])
