"""The client's part of the benchmark: what a call costs its caller, over stdio and over HTTP, and a large answer.

The server is the same for all: the kit's `add`, run inline. A bare loop that sends the same call as bytes says what the
server and the way there cost; what is left of a client's time is the client's own.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import measures
import web
import web_load
from bars import client_bars, judge, large_bars
from child import Child
from contestants import Contestant, environment, peers, version_in
from outcome import Outcome
from report import figures
from rounds import Figures, Measure, interleave

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE / "clients"
LARGE_SERVER = HERE / "servers" / "text_bare.py"
WARM_UP, COUNT, LARGE_COUNT = 200, 500, 3
BATCHES = 10
SECONDS = 300
COLUMNS = {
    "stdio_us": "stdio, p50, µs a call",
    "stdio_own_us": "less the bare loop's",
    "http_us": "HTTP, p50, µs a call",
    "http_own_us": "less the bare loop's",
}
LARGE_COLUMNS = {"large_ms": "p50, ms"}


def command_of(name: str) -> list[str]:
    """The command of a client, up to where the server stands."""
    python = peers().python_of("mcp") if name == "mcp" else Path(sys.executable)
    return [str(python), str(SCRIPTS / f"client_{name}.py")]


def told_by(command: list[str]) -> object:
    """What a client's process printed. Raises RuntimeError when it fails."""
    done = subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=False, timeout=SECONDS
    )
    if done.returncode:
        raise RuntimeError(f"{command[1]} failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def server() -> Contestant:
    """The server that all of them call."""
    return Contestant("quick", "", (sys.executable, str(HERE / "servers" / "add.py"), "--quick"), COUNT)


def bare() -> Figures:
    """What the same calls take without a client."""
    with Child(list(server().command), environment()) as child:
        measures.discovered(child)
        measures.one_by_one(child, 1, WARM_UP)
        over_stdio = median(measures.one_by_one(child, 1_000, COUNT))
    with web.serving(server()) as (_, port):
        request = web.request_for(port)
        web_load.load(port, request, 1, WARM_UP)
        batches = [web_load.load(port, request, 1, COUNT // BATCHES) for _ in range(BATCHES)]
    for _, bodies in batches:
        web.check(bodies, echoes=False)
    over_http = median(took for took, _ in batches) / (COUNT // BATCHES)
    return {"stdio_us": 1e6 * over_stdio, "http_us": 1e6 * over_http}


def of_client(name: str) -> Figures:
    """What the calls take with a client, in all and less what the same calls take without, measured right before."""
    floor = bare()
    counts = [str(WARM_UP), str(COUNT)]
    over_stdio = told_by([*command_of(name), *counts, *server().command])
    with web.serving(server()) as (_, port):
        over_http = told_by([*command_of(name), *counts, f"http://127.0.0.1:{port}/mcp"])
    found = {"stdio_us": 1e6 * median(over_stdio), "http_us": 1e6 * median(over_http)}
    own = {f"{way}_own_us": found[f"{way}_us"] - floor[f"{way}_us"] for way in ("stdio", "http")}
    return found | own


def large() -> dict[str, list[float]]:
    """What answers of both sizes take, in milliseconds, by size."""
    command = [*command_of("large"), str(LARGE_COUNT), sys.executable, str(LARGE_SERVER)]
    return {size: [1000 * one for one in took] for size, took in told_by(command).items()}


def large_measures(size: str, held: dict[str, list[float]]) -> list[Measure]:
    """One size's share of what `large` measured in this round: the first of them measures both."""

    def take() -> Figures:
        if size not in held:
            held.update(large())
        return {"large_ms": median(held.pop(size))}

    return [take]


def measure(rounds: int, tell: Callable[[str], None]) -> Outcome:
    """Measure. Raises Broken, WrongAnswer or RuntimeError when a server or a client fails."""
    versions = {
        "readingroom": f"Reading Room {version_in(Path(sys.executable), 'readingroom')}",
        "mcp": f"mcp {version_in(peers().python_of('mcp'), 'mcp')}",
    }
    told_by([*command_of("mcp"), "1", "1", *server().command])  # its first start compiles bytecode
    contestants: dict[str, list[Measure]] = {name: [lambda name=name: of_client(name)] for name in versions}
    series = interleave({**contestants, "bare": [bare]}, rounds, tell)
    titles = {**versions, "bare": "bare loop (no client)"}
    held: dict[str, list[float]] = {}
    sizes = interleave({size: large_measures(size, held) for size in ("8", "32")}, rounds, tell)
    return Outcome(
        "A call with each client, on one server",
        {
            "Medians, with the least and the greatest value": figures(series, titles, COLUMNS),
            "A large answer, with Reading Room's client": figures(
                sizes, {size: f"{size} MiB of text" for size in ("8", "32")}, LARGE_COLUMNS
            ),
        },
        [*judge(client_bars(), series), *judge(large_bars(), sizes)],
        {"client": series, "client, large answers": sizes},
        [f"{COUNT} calls one by one after {WARM_UP}; each large answer {LARGE_COUNT} times a round."],
    )
