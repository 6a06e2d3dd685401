"""The HTTP part of the benchmark: one tool, `add`, on each kit, one worker each, beside an application that only echoes."""

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from statistics import median

import calls
import memory
import web_load
from bars import judge, web_bars
from contestants import Contestant, environment, web_contestants
from outcome import Outcome
from report import figures
from rounds import Figures, interleave

CONNECTIONS = 16
WARM_UP = 300
BURSTS = 3
SECONDS = 20.0
COLUMNS = {
    "rate": f"calls/s, {CONNECTIONS} connections",
    "cpu_us": "processor time of the server, µs a call",
    "single_p50_us": "one connection, µs a call",
    "peak_mib": "memory, peak RSS, MiB",
}


@contextmanager
def serving(contestant: Contestant):
    """Start a server on a free port; gives its process and port. Raises RuntimeError when it does not come up."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryFile() as noise:
        command = [*contestant.command, str(port)]
        process = subprocess.Popen(command, env=environment(), stdout=noise, stderr=noise)
        try:
            _wait_for(port, process)
            yield process, port
        finally:
            process.kill()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"{process.args} did not come up")


def request_for(port: int) -> bytes:
    """A call of `add` with everything that the protocol wants beside it."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "add",
    }
    return web_load.request_of(port, calls.add(1).rstrip(b"\n"), headers)


def check(bodies: list[bytes], *, echoes: bool) -> None:
    """See that every answer is the sum, or the request again. Raises RuntimeError."""
    for body in set(bodies):
        text = body.decode()
        told = json.loads(text[text.index("{") : text.rindex("}") + 1])
        if not (echoes and "params" in told):
            calls.check_sum(json.dumps(told).encode(), 1)


def measures_of(contestant: Contestant) -> list[Callable[[], Figures]]:
    """What one round does with a server."""
    echoes = contestant.name == "echo"

    def under_load() -> Figures:
        with serving(contestant) as (process, port):
            request = request_for(port)
            check(web_load.load(port, request, CONNECTIONS, WARM_UP)[1], echoes=echoes)
            used = memory.processor_time(process.pid)
            took = []
            for _ in range(BURSTS):
                seconds, bodies = web_load.load(port, request, CONNECTIONS, contestant.burst)
                check(bodies, echoes=echoes)
                took.append(seconds)
            total = memory.processor_time(process.pid)
            alone, _ = web_load.load(port, request, 1, contestant.burst // 8)
            held = memory.held_by(process.pid)
        found = {
            "rate": contestant.burst / median(took),
            "single_p50_us": 1e6 * alone / (contestant.burst // 8),
        }
        if used is not None and total is not None and held is not None:
            found["cpu_us"] = 1e6 * (total - used) / (BURSTS * contestant.burst)
            found["peak_mib"] = held["peak"]
        return found

    return [under_load]


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Measure. Raises Failed or RuntimeError when a server fails."""
    contestants = web_contestants()
    series = interleave({one.name: measures_of(one) for one in contestants}, rounds, tell)
    table = figures(series, {one.name: one.title for one in contestants}, COLUMNS)
    sizes = ", ".join(f"{one.burst:,} to {one.name}" for one in contestants)
    return Outcome(
        "One tool on each kit, over HTTP",
        {"Medians, with the least and the greatest value": table},
        judge(web_bars(), series),
        {"web": series},
        [f"One worker process each, uvicorn under all of them; {BURSTS} times: {sizes}."],
    )
