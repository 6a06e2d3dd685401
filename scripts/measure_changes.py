"""How long after a change of a file two servers tell of it, and a search finds it.

    python scripts/measure_changes.py [DOCUMENTS [CHANGES [BURST]]]

Makes a folder of so many documents (100) and so many changes (100), one after the other, each saved as a program would:
written in place, by a new file in the old one's place, or appended to. Meanwhile two more servers are asked without end.
Then so many changes (10,000) are made as fast as can be, and a last one, of which it is told when it is found.
"""

import json
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from readingroom.library import uri

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
PATIENCE_S = 60.0


class Serving:
    """A server over a folder, and what it says: answers by id, notices with the time they came."""

    def __init__(self, docs: Path, cache: Path) -> None:
        command = [sys.executable, "-m", "readingroom", "serve", str(docs), "--cache", str(cache)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.notices: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            message = json.loads(line)
            if "method" in message:
                self.notices.put((time.perf_counter(), message))
            else:
                self._answers.put(message["result"])

    def send(self, method: str, **params: Any) -> None:
        """Send a request."""
        self._number += 1
        message = {
            "jsonrpc": "2.0",
            "id": self._number,
            "method": method,
            "params": {**params, "_meta": META},
        }
        if self.process.stdin is not None:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its structured answer."""
        self.send("tools/call", name=tool, arguments=arguments)
        answer: dict[str, Any] = self._answers.get(timeout=PATIENCE_S)["structuredContent"]
        return answer

    def listen(self, uris: list[str]) -> None:
        """Wait until the library is in step, and listen."""
        while self.call("library_list").get("reconciled") is None:
            time.sleep(0.5)
        self.send("subscriptions/listen", notifications={"resourceSubscriptions": uris})
        self.notices.get(timeout=PATIENCE_S)

    def told(self, address: str) -> float:
        """When this address was told of."""
        while True:
            at, message = self.notices.get(timeout=PATIENCE_S)
            if message["params"].get("uri") == address:
                return at

    def cpu(self) -> float:
        """The seconds of processor time that it has used, where the system tells."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100


class Asker(threading.Thread):
    """Somebody who asks a server of their own until it is over."""

    def __init__(self, docs: Path, cache: Path, words: list[str]) -> None:
        super().__init__(daemon=True)
        self.serving = Serving(docs, cache)
        self.over = threading.Event()
        self.took: list[float] = []
        self._words = words

    def run(self) -> None:
        """Ask."""
        dice = random.Random(2)
        while not self.over.wait(0.01):
            at = time.perf_counter()
            self.serving.call("library_search", query=" ".join(dice.choices(self._words, k=2)))
            self.took.append(time.perf_counter() - at)


def burst(files: list[Path], count: int, server: Serving) -> tuple[float, float]:
    """Change so many files at once; the seconds that took, and those until the last change is found."""
    began = time.perf_counter()
    for turn in range(count):
        save(files[turn % len(files)], f"burst{turn}x", turn)
    at = save(files[0], "zqburst", 1)
    while not server.call("library_search", query="zqburst")["items"]:
        time.sleep(0.01)
    return at - began, time.perf_counter() - at


def percentiles(times: list[float]) -> str:
    """The middle and the slow end."""
    times = sorted(times)
    return f"p50 {times[len(times) // 2] * 1e3:.0f} ms, p95 {times[int(len(times) * 0.95)] * 1e3:.0f} ms"


def save(file: Path, word: str, turn: int) -> float:
    """Add a word, in one of three ways; when it was done."""
    if turn % 3 == 0:
        with file.open("a") as opened:
            opened.write(f"\n{word}\n")
        return time.perf_counter()
    text = file.read_text() + f"\n{word}\n"
    if turn % 3 == 1:
        file.write_text(text)
        return time.perf_counter()
    beside = file.with_suffix(".new")
    beside.write_text(text)
    beside.replace(file)
    return time.perf_counter()


def measure(documents: int, changes: int, many: int, place: Path) -> None:
    """Measure, and print."""
    dice = random.Random(1)
    words = [f"w{dice.randrange(5000)}" for _ in range(5000)]
    files = [place / "docs" / f"d{number % 100:02}" / f"{number:05}.md" for number in range(documents)]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Document {file.stem}\n\n{' '.join(dice.choices(words, k=150))}\n")
    servers = [Serving(place / "docs", place / "cache") for _ in range(2)]
    watched = dice.sample(files, min(100, documents))
    for server in servers:
        server.listen([uri(file.relative_to(place / "docs").as_posix()) for file in watched])
    askers = [Asker(place / "docs", place / "cache", words) for _ in range(2)]
    for asker in askers:
        asker.start()
    time.sleep(3)
    took: dict[str, list[float]] = {"notice, first server": [], "notice, second server": [], "searchable": []}
    for turn in range(changes):
        file, word = dice.choice(watched), f"zq{turn}x"
        at = save(file, word, turn)
        for name, server in zip(took, servers, strict=False):
            took[name].append(server.told(uri(file.relative_to(place / "docs").as_posix())) - at)
        while turn % 2 == 0 and not servers[0].call("library_search", query=word)["items"]:
            time.sleep(0.005)
        took["searchable"] += [time.perf_counter() - at] if turn % 2 == 0 else []
        time.sleep(0.3 + 1.2 * dice.random())
    print(f"{documents} documents, {changes} changes")
    for name, times in took.items():
        print(f"{name}: {percentiles(times)}")
    print("asked meanwhile:", percentiles(askers[0].took + askers[1].took))
    made, found = burst(files, many, servers[0])
    print(f"{many} changes at once, in {made:.1f} s: the last one is found {found:.2f} s after it was made")
    for asker in askers:
        asker.over.set()
        asker.join()
    before = [server.cpu() for server in servers]
    time.sleep(20)
    idle = [(server.cpu() - used) / 20 * 1e3 for server, used in zip(servers, before, strict=True)]
    print("idle:", ", ".join(f"{used:.1f} ms/s" for used in idle))
    for server in [*servers, *(asker.serving for asker in askers)]:
        server.process.kill()
        server.process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        numbers = [int(given) for given in sys.argv[1:]] + [100, 100, 10_000][len(sys.argv) - 1 :]
        measure(numbers[0], numbers[1], numbers[2], Path(folder).resolve())
