"""Publishing while others are at it: another publisher, an editor of drafts, a program that rewrites the very file.

Each decision is kept once, and nothing that others wrote is lost without being noticed.
"""

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from readingroom.library.ledger import digest_of
from readingroom.library.operator import changing, deciding, moving
from readingroom.library.operator.folder import Folder
from support.publishing import Desk, seated

TESTS = Path(__file__).resolve().parents[1]
OLD = b"# Old\n"

WRITER = """
import os, random, sys, time
from pathlib import Path
from readingroom.library.operator.folder import Folder
from readingroom.library.operator.moving import exchange
docs, how, pause = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
file, new, stop = docs / "a.md", docs / "a.md.new", docs / "a.md.stop"
dice = random.Random(7)
print("writing", flush=True)
number = 0
with Folder.root(docs) as folder:
    while not stop.exists():
        content = b"%d\\n" % (number + 1) * 400
        if how in ("renaming", "exchanging"):
            new.write_bytes(content)
            if how == "renaming":
                os.replace(new, file)
            else:
                exchange(folder, b"a.md.new", folder, b"a.md")
                print(number, new.read_text().split("\\n")[0])
        else:
            try:
                with file.open("r+b") as same:
                    if how == "emptying":
                        same.truncate()
                    same.write(content)
                    same.truncate()
            except FileNotFoundError:
                continue
        number += 1
        time.sleep(dice.uniform(0, pause))
print(number)
"""

PUBLISHER = """
import sys
from pathlib import Path
from support.publishing import Desk
desk = Desk(Path(sys.argv[1]))
key = desk.key()
approvals = [desk.approval(one.draft) for one in desk.operator.queue()]
print("ready", flush=True)
sys.stdin.readline()
outcomes = desk.operator.publish(approvals, key)
print(*(outcome.code or "published" for outcome in outcomes))
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder that waits for no disk."""
    with seated(tmp_path) as desk:
        desk.write("a.md", OLD)
        yield desk


def started(code: str, *arguments: str) -> "subprocess.Popen[str]":
    """A process of its own that has begun."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=kept | {"PYTHONPATH": str(TESTS)},
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def raced(desk: Desk, how: str, pause: float, tries: int) -> tuple[Counter[str], list[str]]:
    """Publish while the file is rewritten; the codes, and what the other program told."""
    key = desk.begin()
    writer = started(WRITER, str(desk.docs), how, str(pause))
    codes: Counter[str] = Counter()
    for number in range(tries):
        try:
            draft = desk.draft("replace", "a.md", b"published %d\n" % number)
        finally:
            if number == tries - 1:
                (desk.docs / "a.md.stop").touch()
        codes[desk.publish(draft, key).code] += 1
    told = writer.communicate(timeout=60)[0].splitlines()
    (desk.docs / "a.md.stop").unlink()
    (desk.docs / "a.md.new").unlink(missing_ok=True)
    desk.operator.recover()
    assert desk.under_way() == 0
    print(how, dict(codes), "written", told[-1])
    return codes, told


def version(number: int) -> bytes:
    """What the other program writes as its write of that number; before the first, what was there."""
    return b"%d\n" % number * 400 if number else OLD


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("pause", [0.0, 0.02])
@pytest.mark.parametrize("how", ["renaming", "in place", "emptying"])
def test_the_last_word_of_a_program_that_rewrites_the_file_is_never_lost(
    desk: Desk, how: str, pause: float
) -> None:
    """It stands there, or is kept beside it and told of, or is what a decision says that it replaced."""
    codes, told = raced(desk, how, pause, 120)
    assert set(codes) <= {"", "base_changed", "unknown"}
    assert codes["base_changed"] > 0
    assert codes[""] > 0 or not pause
    decisions = desk.operator.history(limit=1000)
    newest = version(int(told[-1]))
    tree = desk.tree()
    kept = [content for name, content in tree.items() if name.startswith(".readingroom")]
    assert tree["a.md"] == newest or newest in kept or digest_of(newest) in {one.before for one in decisions}
    assert tree["a.md"] == newest or digest_of(tree["a.md"] or b"") == decisions[-1].after


def unnoticed(desk: Desk, told: list[str]) -> list[str]:
    """What the other program found to be ours where its own version before had not been seen by us."""
    by_content = {one.after: one for one in desk.operator.history(limit=1000) if one.kind == "publish"}
    lines = []
    for line in told[:-1]:
        number, found = line.split(" ", 1)
        decision = by_content.get(digest_of(f"{found}\n".encode()))
        while decision is not None and decision.before in by_content:
            decision = by_content[decision.before]  # one publication upon another
        if decision is not None and decision.before != digest_of(version(int(number))):
            lines.append(line)
    return lines


linux = pytest.mark.skipif(sys.platform != "linux", reason="the program exchanges as Linux does, to see")


@linux
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_every_version_that_was_replaced_is_named_by_its_decision(desk: Desk, pause: float) -> None:
    """The other program notes what it finds: wherever that is ours, its own version before was seen by us."""
    codes, told = raced(desk, "exchanging", pause, 200)
    assert codes[""] > 0 or not pause
    assert unnoticed(desk, told) == []


@linux
@pytest.mark.parametrize("looks", [True, False])
def test_a_version_that_comes_at_the_last_moment(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, *, looks: bool
) -> None:
    """It is seen by whoever looks at what came out; who does not is found out, so that the test above can fail."""
    if not looks:
        monkeypatch.setattr(changing, "_check", lambda *_args: None)
        monkeypatch.setattr(deciding, "clear_up", _removed)
    exchange, told = moving.exchange, list[str]()

    def write() -> None:
        number, new = len(told), desk.docs / "a.md.new"
        new.write_bytes(version(number + 1))
        with Folder.root(desk.docs) as folder:
            exchange(folder, b"a.md.new", folder, b"a.md")
        told.append(f"{number} {new.read_text().splitlines()[0]}")

    def exchanged_late(*places: Any) -> bool:
        if not told:
            write()
        return exchange(*places)

    monkeypatch.setattr(moving, "exchange", exchanged_late)
    key = desk.begin()
    outcome = desk.publish(desk.draft("replace", "a.md", b"published\n"), key)
    write()
    assert outcome.code == ("base_changed" if looks else "")
    assert unnoticed(desk, [*told, "2"]) == ([] if looks else ["1 published"])


def _removed(root: Path, change: Any) -> tuple[str, ...]:
    (root / change.temporary).unlink()
    return ()


@pytest.mark.parametrize("publishers", [2, 4])
def test_several_publishers_publish_each_draft_once(desk: Desk, publishers: int) -> None:
    """All approve everything at the same moment, each in a process of its own."""
    desk.begin()
    drafts = [desk.draft("create", f"new-{number}.md", b"# %d\n" % number) for number in range(8)]
    drafts.append(desk.draft("replace", "a.md", b"# New\n"))
    processes = [started(PUBLISHER, str(desk.docs.parent)) for _ in range(publishers)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate(timeout=50)[0].split() for process in processes]
    assert [sorted(codes).count("published") for codes in zip(*told, strict=True)] == [1] * len(drafts)
    assert {code for codes in told for code in codes} == {"published", "not_open"}
    verified = desk.operator.verify(desk.key())
    assert (verified.is_sound, verified.decisions) == (True, 1 + len(drafts))


def test_two_drafts_of_one_file_are_published_once(desk: Desk) -> None:
    """The second is outdated by the first."""
    key = desk.begin()
    first, second = (desk.draft("replace", "a.md", b"# %d\n" % number) for number in range(2))
    outcomes = desk.operator.publish([desk.approval(first), desk.approval(second)], key)
    assert [outcome.code for outcome in outcomes] == ["", "base_changed"]
    assert desk.tree()["a.md"] == b"# 0\n"


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_draft_that_is_updated_all_the_while_is_published_as_it_was_shown(desk: Desk) -> None:
    """Or refused; never another text than the one that was approved."""
    key = desk.begin()
    end = threading.Event()

    def update(draft: Any) -> None:
        while not end.is_set():
            with desk.ledger.writing() as writing:
                now = writing.draft(draft.id)
                assert now is not None
                if now.state == "open":
                    content = b"# revision %d\n" % (now.revision + 1)
                    changed = replace(now, revision=now.revision + 1, content=content)
                    writing.put_draft(replace(changed, digest=digest_of(content)))

    codes: Counter[str] = Counter()
    for number in range(25):
        draft = desk.draft("create", f"{number}.md", b"# revision 1\n")
        end.clear()
        thread = threading.Thread(target=update, args=(draft,))
        thread.start()
        for _ in range(20):
            shown = desk.operator.show(draft.id)
            (outcome,) = desk.operator.publish([shown.approval], key)
            codes[outcome.code] += 1
            if outcome.decision is not None:
                assert shown.after is not None
                assert (desk.docs / f"{number}.md").read_text() == shown.after
                assert outcome.decision.draft_revision == shown.draft.revision
                break
            assert not (desk.docs / f"{number}.md").exists()
        end.set()
        thread.join()
    assert set(codes) <= {"", "draft_revision_changed", "busy"}
    assert codes["draft_revision_changed"] > 0
    assert desk.operator.verify(key).is_sound
