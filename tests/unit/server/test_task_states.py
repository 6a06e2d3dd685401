"""What may become of a task, and that only one thing becomes of it whoever else is at it."""

import itertools
import threading

import pytest

from readingroom.server.task_states import answering, asking, cancelling, change, ending, withdrawing
from readingroom.server.task_store import MemoryTasks, Task, TaskBounds

ROOM = TaskBounds(tasks=9, tasks_of_one=9, size=9)
NEW = Task(
    id="a", principal="me", method="tools/call", name="t", owner="o", created=5, updated=5, ttl_ms=1000
)


def test_a_task_asks_and_goes_on_when_all_is_answered() -> None:
    """Partial answers leave the rest outstanding, what was answered disappears, unknown keys are passed over (TASK-8)."""
    asked = asking({"c": b"3"}, 7)(asking({"a": b"1", "b": b"2"}, 6)(NEW))
    assert (asked.status, asked.asked, asked.updated) == (
        "input_required",
        {"a": b"1", "b": b"2", "c": b"3"},
        7,
    )
    partly = answering({"a": b"x", "none": b"y"}, 8)(asked)
    assert (partly.status, set(partly.asked), partly.answers) == ("input_required", {"b", "c"}, {"a": b"x"})
    again = answering({"a": b"z"}, 9)(partly)
    assert again is partly
    whole = answering({"b": b"x", "c": b"y"}, 9)(partly)
    assert (whole.status, whole.asked, whole.updated) == ("working", {}, 9)
    assert whole.answers == {"a": b"x", "b": b"x", "c": b"y"}


def test_what_nobody_waits_for_is_withdrawn() -> None:
    """And the task goes on when nothing else is asked."""
    asked = asking({"a": b"1", "b": b"2"}, 6)(NEW)
    assert withdrawing({"c": None}, 7)(asked) is asked
    one = withdrawing({"a": None}, 7)(asked)
    assert (one.status, set(one.asked)) == ("input_required", {"b"})
    assert withdrawing({"b": None}, 8)(one).status == "working"


def test_a_cancellation_is_noted_once() -> None:
    """It is a wish: the task has the status that it had (TASK-10)."""
    wished = cancelling(6)(NEW)
    assert (wished.status, wished.cancel, wished.updated) == ("working", True, 6)
    assert cancelling(7)(wished) is wished


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_an_end_is_final(status: str) -> None:
    """Nothing changes it any more, another end neither (TASK-7); what was asked is gone."""
    ended = ending(status, 6, result=b"r", error=b"e", message="m")(asking({"a": b"1"}, 6)(NEW))  # type: ignore[arg-type]  # one of them
    assert (ended.status, ended.asked, ended.result, ended.error, ended.message) == (
        status,
        {},
        b"r",
        b"e",
        "m",
    )
    steps = (asking({"b": b""}, 9), answering({"a": b""}, 9), withdrawing({"a": b""}, 9), cancelling(9))
    for step in (*steps, ending("failed", 9)):
        assert step(ended) is ended


def test_times_do_not_run_backwards() -> None:
    """Whatever the clock does."""
    assert cancelling(1)(NEW).updated == 5


def test_a_change_of_what_is_not_there() -> None:
    """Changes nothing."""
    assert change(MemoryTasks(), "a", cancelling(1)) is None


def test_a_change_is_made_again_when_another_came_first() -> None:
    """On what the other has left."""

    class Busy(MemoryTasks):
        """A store in which another is quicker, once."""

        disturbed = False

        def replace(self, task: Task) -> bool:
            if not self.disturbed:
                self.disturbed = True
                change(self, task.id, asking({"k": b"1"}, 6))
            return super().replace(task)

    store = Busy()
    store.add(NEW, ROOM)
    found = change(store, "a", cancelling(7))
    assert found is not None
    assert (found.cancel, found.asked) == (True, {"k": b"1"})
    kept = store.get("a")
    assert kept == found


@pytest.mark.parametrize("round_", range(20))
def test_of_all_that_comes_at_once_one_end_remains(round_: int) -> None:
    """Cancelled, completed, failed, asked and answered from many threads: one final state, with its own parts only."""
    store = MemoryTasks()
    store.add(NEW, ROOM)
    steps = [
        ending("completed", 6, result=b"r"),
        ending("failed", 6, error=b"e", message="m"),
        ending("cancelled", 6),
        *(asking({f"k{n}": b"q"}, 6) for n in range(4)),
        *(answering({f"k{n}": b"a"}, 6) for n in range(4)),
        cancelling(6),
    ]
    order = steps[round_ % len(steps) :] + steps[: round_ % len(steps)]
    ends: list[str] = []
    begin = threading.Barrier(len(order))

    def run(number: int) -> None:
        begin.wait()
        found = change(store, "a", order[number])
        assert found is not None
        if found.is_final:
            ends.append(found.status)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(order))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.get("a")
    assert found is not None
    assert found.is_final
    assert set(ends) == {found.status}, "an end that was told is the end that is kept"
    parts = {"completed": (b"r", b"", ""), "failed": (b"", b"e", "m"), "cancelled": (b"", b"", "")}
    assert (found.result, found.error, found.message) == parts[found.status]
    assert (found.asked, found.answers) == ({}, {})


def test_every_order_of_an_end_and_an_answer() -> None:
    """Ends as the first end says."""
    steps = {
        "completed": ending("completed", 6, result=b"r"),
        "cancelled": ending("cancelled", 6),
        "answer": answering({"k": b"a"}, 6),
    }
    for order in itertools.permutations(steps):
        task = asking({"k": b"q"}, 6)(NEW)
        for name in order:
            task = steps[name](task)
        assert task.status == next(name for name in order if name != "answer")
