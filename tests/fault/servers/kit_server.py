"""A kit server with a tool for every way a handler can go right or wrong: `kit_server.py [--drain S] [--workers N]`."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from typing import Any

from readingroom import Context, InvalidParams, Limits, Server, ToolError


def descriptor_is_open(descriptor: int) -> bool:
    """Say whether a descriptor is open."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


options = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))
limits = Limits(
    drain_seconds=float(options.get("--drain", "5")),
    workers=int(options.get("--workers", "32")),
    requests_in_flight=int(options.get("--requests", "1024")),
)
app = Server("faults", version="1.0.0", limits=limits, instructions="For tests.")
gates: dict[str, threading.Event] = {}
# What the protocol's handles lead to, before the server has taken them.
protocol = {os.fstat(descriptor).st_ino for descriptor in (0, 1) if descriptor_is_open(descriptor)}
barrier = threading.Barrier(8)
cancelled: list[str] = []


def gate(name: str) -> threading.Event:
    """The gate of that name; many may ask for it at once."""
    return gates.setdefault(name, threading.Event())


@app.tool
def add(a: int, b: int) -> int:
    """Add, in a worker."""
    return a + b


@app.tool(quick=True)
def add_quick(a: int, b: int) -> int:
    """Add, inline."""
    return a + b


@app.tool
async def add_async(a: int, b: int) -> int:
    """Add, as a coroutine."""
    await asyncio.sleep(0)
    return a + b


@app.tool
def hold(name: str, ctx: Context) -> str:
    """Wait until the gate is opened or the request is cancelled."""
    gate(name + " entered").set()
    while not gate(name).wait(0.01):
        if ctx.cancelled:
            cancelled.append(name)
            ctx.check()
    return name


@app.tool
def hold_fast(name: str) -> str:
    """Wait until the gate is opened, whatever happens."""
    gate(name + " entered").set()
    gate(name).wait()
    return name


@app.tool
async def hold_async(name: str) -> str:
    """Wait until the gate is opened, as a coroutine."""
    gate(name + " entered").set()
    try:
        while not gate(name).is_set():  # noqa: ASYNC110  -- gates are opened from other threads
            await asyncio.sleep(0.005)
    except asyncio.CancelledError:
        cancelled.append(name)
        raise
    return name


@app.tool(quick=True)
def open_gate(name: str) -> bool:
    """Open a gate."""
    gate(name).set()
    return True


@app.tool(quick=True)
def is_open(name: str) -> bool:
    """Say whether a gate is open."""
    return gate(name).is_set()


@app.tool(quick=True)
def cancelled_ones() -> list[str]:
    """Name the handlers that have seen their cancellation."""
    return list(cancelled)


@app.tool
def take(seconds: float) -> float:
    """Take that long."""
    time.sleep(seconds)
    return seconds


@app.tool
def meet() -> int:
    """Wait for seven others."""
    return barrier.wait(10)


@app.tool
async def meet_async() -> int:
    """Wait for seven others, each in its own coroutine."""
    waiting.append(None)
    while len(waiting) < 8:  # noqa: ASYNC110  -- the simplest barrier there is
        await asyncio.sleep(0.001)
    return len(waiting)


waiting: list[None] = []


@app.tool
def say(text: str) -> str:
    """Print to stdout in three ways."""
    print(text)
    sys.stdout.write(text + "\n")
    os.write(1, text.encode() + b"\n")
    return text


@app.tool
def shell(command: str) -> int:
    """Run a command in a shell, with the handles it inherits."""
    return os.system(command)  # noqa: S605  -- whether its handles are the protocol's is what is tested


@app.tool
def child(program: str) -> str:
    """Run a Python program with the handles it inherits, and give what it says on stderr."""
    done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True, timeout=20)
    return done.stderr


@app.tool
def fork_child() -> str:
    """Fork, and let the child say which of its descriptors lead to the client."""
    reading, writing = os.pipe()
    child_id = os.fork()
    if child_id == 0:
        left = [
            str(number)
            for number in range(64)
            if descriptor_is_open(number) and os.fstat(number).st_ino in protocol
        ]
        os.write(writing, ("left: " + ",".join(left)).encode())
        os._exit(0)
    os.waitpid(child_id, 0)
    said = os.read(reading, 1000).decode()
    os.close(reading)
    os.close(writing)
    return said


class Odd(BaseException):
    """An exception that no `except Exception` catches."""


class Unspeakable(Exception):
    """An exception that cannot be told."""

    def __str__(self) -> str:
        raise ValueError("no words")


def descend(depth: int) -> int:
    """Call itself for ever."""
    return descend(depth + 1) + 1


@app.tool
def fail(kind: str) -> str:
    """Raise what is asked for."""
    failures: dict[str, BaseException] = {
        "exit": SystemExit(3),
        "interrupt": KeyboardInterrupt(),
        "base": Odd("secret"),
        "memory": MemoryError(),
        "generator": GeneratorExit(),
        "value": ValueError("secret"),
        "surrogate": ToolError("lone \ud800"),
        "surrogate_refusal": InvalidParams("lone \ud800", data={"x": "\udfff"}),
        "unspeakable": Unspeakable(),
        "tool": ToolError("the model may read this"),
        "cancelled": asyncio.CancelledError(),
        "stop": StopIteration(),
    }
    if kind == "recursion":
        return str(descend(0))
    if kind == "sys.exit":
        sys.exit("bye")
    raise failures[kind]


@app.tool(quick=True)
def fail_quick(kind: str) -> str:
    """Raise on the thread that reads."""
    return fail(kind)


@app.tool
async def fail_async(kind: str) -> str:
    """Raise on the loop."""
    await asyncio.sleep(0)
    return fail(kind)


@app.tool
async def fail_task(kind: str) -> str:
    """Raise in a task beside the request."""

    async def other() -> None:
        fail(kind)

    task = asyncio.get_running_loop().create_task(other())
    while not task.done():  # noqa: ASYNC110  -- awaiting it would raise here what it raised
        await asyncio.sleep(0)
    return "still here"


@app.tool(structured=False)
def give(kind: str) -> Any:
    """Return what is asked for."""
    loop: list[Any] = []
    loop.append(loop)
    values: dict[str, Any] = {
        "surrogate": "lone \ud800",
        "object": object(),
        "function": gate,
        "loop": loop,
        "keys": {(1, 2): 3},
        "set": {1},
        "nothing": None,
        "bytes": b"\xff",
        "deep": nested(200_000),
    }
    return values[kind]


def nested(depth: int) -> list[Any]:
    """A list in a list in a list."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@app.tool
def wrong(kind: str) -> int:
    """Return what the output schema does not allow."""
    values: dict[str, Any] = {"text": "x", "none": None, "surrogate": "\ud800", "object": object()}
    number: int = values[kind]
    return number


@app.tool
def big(characters: int) -> str:
    """Return a long text."""
    return "x" * characters


@app.tool(quick=True)
def big_quick(characters: int) -> str:
    """Return a long text, inline."""
    return "x" * characters


@app.tool
async def big_async(characters: int) -> str:
    """Return a long text, as a coroutine."""
    await asyncio.sleep(0)
    return "x" * characters


@app.tool
def say_cancelled() -> bool:
    """Wait for a handler that has seen its cancellation, and say so on stderr."""
    while not cancelled:
        time.sleep(0.005)
    sys.stderr.write(f"cancelled: {cancelled}\n")
    return True


@app.tool
def progress(steps: int, ctx: Context) -> int:
    """Tell of progress."""
    for step in range(steps):
        ctx.progress(step, steps)
    return steps


@app.resource("faults:///{name}")
def resource(name: str) -> str | None:
    """A resource of that name, or none."""
    return None if name == "none" else name


@app.prompt
def prompt(topic: str) -> str:
    """A prompt about a topic."""
    return f"About {topic}"


if __name__ == "__main__":
    app.run(older_era=False)
