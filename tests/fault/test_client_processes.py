"""What a client starts it ends: the process, what that has started, its own threads and descriptors."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from readingroom.errors import ConnectFailed
from readingroom.kit.client import Client
from readingroom.transport import stdio_client

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the unruly servers use POSIX calls")

SERVERS = Path(__file__).parent / "servers"
GOOD = [sys.executable, "-S", str(SERVERS / "breaking.py"), "good"]

SILENT = [sys.executable, str(SERVERS / "unruly.py"), "silent"]


def ignore(_: str) -> None:
    """Take a line of stderr."""


def made(name: str, **how: object) -> Client:
    """Make a client of the unruly server called `name`."""
    settings = {"timeout": 30, "stderr": ignore, "close_seconds": 0.2, **how}
    return Client.stdio([sys.executable, str(SERVERS / "unruly.py"), name], **settings)


def runs(pid: int) -> bool:
    """Say whether a process runs; one that is dead and not reaped by whoever inherited it does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def ours() -> tuple[int, int, int]:
    """Count the open descriptors and the threads of this process, and the servers that end with it."""
    return len(list(Path("/dev/fd").iterdir())), threading.active_count(), len(stdio_client._OPEN)


def no_more_than(before: tuple[int, int, int]) -> bool:
    """Whether there are no more of any than before; what earlier tests have left may end meanwhile."""
    return all(now <= then for now, then in zip(ours(), before, strict=True))


@pytest.mark.parametrize(
    "name",
    [
        "silent",
        "ignores_eof",
        "ignores_sigterm",
        "has_a_child",
        "has_a_stubborn_child",
        "ends_without_its_child",
        "writes_endlessly",
    ],
)
def test_nothing_is_left(name):
    """However a server resists, closing ends it and all it has started, and gives everything back."""
    before = ours()
    client = made(name).open()
    pids = client.call_tool("pids").structured["pids"]
    assert all(runs(pid) for pid in pids)
    client.close()
    assert [pid for pid in pids if runs(pid)] == []
    assert no_more_than(before)


@pytest.mark.parametrize("name", ["dies", "dies_with_a_child", "closes_stdout"])
def test_nothing_is_left_of_a_broken_server(name):
    """A server that broke the connection is ended with all it has started as well."""
    before = ours()
    with made(name) as client:
        pids = client.call_tool("pids").structured["pids"]
        client.submit("tools/call", {"name": "act"})
    assert [pid for pid in pids if runs(pid)] == []
    assert no_more_than(before)


def test_a_dead_server_is_reaped_before_it_is_closed():
    """A server that dies by itself is no zombie, and its children are ended, before anyone closes the client."""
    with made("dies_with_a_child") as client:
        pids = client.call_tool("pids").structured["pids"]
        with pytest.raises(Exception, match="exit code 8"):
            client.call_tool("act")
        with pytest.raises(ChildProcessError):
            os.waitpid(pids[0], os.WNOHANG)


def test_children_of_a_dead_server_are_asked_first(tmp_path):
    """What a dead server has left behind is asked to end before it is made to."""
    with made("dies_with_a_polite_child", cwd=tmp_path) as client:
        pids = client.call_tool("pids").structured["pids"]
        client.submit("tools/call", {"name": "act"})
    assert [pid for pid in pids if runs(pid)] == []
    assert (tmp_path / "asked").exists()


def test_a_runaway_holds_nothing_up():
    """A process that left the group and holds the output open keeps neither the closing nor a thread."""
    before = ours()
    began = time.monotonic()
    made("has_a_runaway").open().close()
    assert time.monotonic() - began < 10
    assert no_more_than(before)


def test_open_and_close_many_times():
    """Opening and closing fifty times leaves no descriptor and no thread behind, open failures included."""
    client = Client.stdio(GOOD, stderr=ignore)
    with client:
        client.call_tool("echo")
    before = ours()
    for _ in range(50):
        with client:
            client.call_tool("echo")
        with pytest.raises(ConnectFailed):
            Client.stdio(["./no-such-program"]).open()
    assert no_more_than(before)


def test_close_again_and_from_many_threads():
    """Closing may be done twice, and by many threads at once; each returns when all is over."""
    client = made("silent").open()
    pid = client.call_tool("pids").structured["pids"][0]
    still = []
    closers = [threading.Thread(target=lambda: (client.close(), still.append(runs(pid)))) for _ in range(8)]
    for closer in closers:
        closer.start()
    for closer in closers:
        closer.join()
    assert still == [False] * 8
    client.close()


def test_close_in_another_task():
    """A client may be opened in one task and closed in another, in any order with others."""

    async def run() -> None:
        first, second = made("silent"), made("silent")
        await asyncio.gather(first.aio.open(), second.aio.open())
        await asyncio.create_task(first.aio.close())
        assert (await second.aio.call_tool("echo", {"n": 1})).structured == {"n": 1}
        await asyncio.create_task(second.aio.close())

    before = ours()
    asyncio.run(run())
    assert no_more_than(before)


def test_opened_in_one_loop_and_used_in_another():
    """A client belongs to no event loop."""
    client = made("silent")
    asyncio.run(_opened(client))
    assert asyncio.run(_echo(client)) == {"n": 2}
    assert client.call_tool("echo", {"n": 3}).structured == {"n": 3}
    asyncio.run(client.aio.close())


async def _opened(client: Client) -> None:
    await client.aio.open()


async def _echo(client: Client) -> object:
    return (await client.aio.call_tool("echo", {"n": 2})).structured


FORGETFUL = """
import sys
from readingroom.kit.client import Client
from readingroom.transport import stdio_client
client = Client.stdio(sys.argv[1:], stderr=lambda line: None).open()
print(*client.call_tool("pids").structured["pids"], flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["", "raise SystemExit(3)", "1 / 0", "sys.stdout.close()"])
def test_a_program_that_forgets_to_close(end):
    """A program that ends without closing its client ends the server all the same."""
    command = [sys.executable, str(SERVERS / "unruly.py"), "ignores_eof"]
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL.format(end=end), *command],
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert [pid for pid in map(int, done.stdout.split()) if runs(pid)] == []


def test_a_program_that_forks():
    """A copy of the program that was forked off does not end the server of the original."""
    with made("silent") as client:
        copy = os.fork()
        if copy == 0:
            stdio_client._close_all()
            os._exit(0)
        assert os.waitpid(copy, 0)[1] == 0
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}


def test_a_killed_program():
    """When the program is killed, the server sees the end of its input."""
    program = subprocess.Popen(
        [sys.executable, "-c", FORGETFUL.format(end="import time; time.sleep(600)"), *SILENT],
        stdout=subprocess.PIPE,
    )
    pids = [int(pid) for pid in program.stdout.readline().split()]
    program.kill()
    program.wait()
    program.stdout.close()
    until = time.monotonic() + 20
    while any(runs(pid) for pid in pids) and time.monotonic() < until:
        time.sleep(0.01)
    assert [pid for pid in pids if runs(pid)] == []


def test_a_program_that_ignores_its_children():
    """Where the program lets the system reap its children, ending a server works as well."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with made("silent") as client:
            pid = client.call_tool("pids").structured["pids"][0]
        assert not runs(pid)
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.mark.parametrize("name", ["interrupts", "interrupts_any_thread"])
def test_interrupted_wait(name):
    """An interrupt ends a call that waits, cancels it on the server, and leaves the client usable."""

    def anywhere(_: str) -> None:
        if name == "interrupts_any_thread":
            signal.raise_signal(signal.SIGINT)

    with made(name, stderr=anywhere, timeout=3600) as client:
        with pytest.raises(KeyboardInterrupt):
            client.call_tool("act")
        assert client.call_tool("echo", {"n": 1}).structured == {"n": 1}


# Says on stderr that it runs, and then nothing to anybody; the end of its input is nothing to it.
DEAF = [sys.executable, "-c", "import sys, time; print('up', file=sys.stderr, flush=True); time.sleep(3600)"]


def test_an_opening_that_is_cancelled():
    """Is over at once: a server that nobody has spoken with gets no time to end by itself, however long that may be."""

    async def run() -> None:
        up = asyncio.Event()
        loop = asyncio.get_running_loop()
        client = Client.stdio(
            DEAF,
            close_seconds=3600,
            timeout=3600,
            era="modern",
            stderr=lambda _: loop.call_soon_threadsafe(up.set),
        )
        opening = asyncio.create_task(client.aio.open())
        await up.wait()
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

    asyncio.run(run())


def test_an_opening_that_is_interrupted():
    """Is over at once, too."""
    client = Client.stdio(
        DEAF,
        close_seconds=3600,
        timeout=3600,
        era="modern",
        stderr=lambda _: signal.raise_signal(signal.SIGINT),
    )
    with pytest.raises(KeyboardInterrupt):
        client.open()
    client.close()
