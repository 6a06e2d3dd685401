"""The programs of other SDKs in processes of their own: where they are, and their clients under commands.

They stand in the environments that `scripts/install_peers.py` makes (`make test-peers` runs it). A test that finds one
missing fails: it is marked `peers`, so it was asked for.
"""

import contextlib
import functools
import importlib.util
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "tests" / "interop" / "peers"
PATIENCE = 50.0
"""Seconds after which a wait has failed; a Python client may need several to start."""

MODERN = "2026-07-28"


@functools.cache
def installer() -> ModuleType:
    """The installer of peers, which knows where they stand."""
    spec = importlib.util.spec_from_file_location("install_peers", ROOT / "scripts" / "install_peers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def command_of(peer: str, work: str) -> list[str]:
    """Give the command that runs a peer's script: `work` is `drive` for its client and `serve` for its server."""
    if peer == "typescript":
        program, script = installer().node_program(), SCRIPTS / f"{work}_typescript.mjs"
        is_there = program is not None and (SCRIPTS / "node_modules").exists()
    else:
        program, script = installer().python_of(peer), SCRIPTS / f"{work}_{peer}.py"
        is_there = program.exists()
    assert is_there, f"{peer} is not installed; run: make test-peers"
    return [str(program), str(script)]


class Driven:
    """A peer's client in a process of its own, connected to a server that it has started with `command`.

    A single word that begins with `http` is the address of a server that runs already. `mode` is the peer's word for the era
    it is to speak: `auto`, `legacy` or a revision.
    """

    def __init__(self, peer: str, command: list[str], mode: str = "auto") -> None:
        self.peer = peer
        self._starts_server = not command[0].startswith("http")
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  -- closed by `end`
        self.process = subprocess.Popen(
            [*command_of(peer, "drive"), mode, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={
                key: value
                for key, value in os.environ.items()
                if not key.startswith(("PYTHON", "NODE", "COVERAGE"))
            },
            text=True,
            encoding="utf-8",
        )
        self._answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.connected = self._take()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._answers.put(line)
        self._answers.put("")

    def _take(self) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing came in {PATIENCE} s; stderr: {self.stderr()[-1500:]}") from None
        assert line, f"the driver has ended; stderr: {self.stderr()[-3000:]}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def do(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Do something and give its answer: `{"ok": …}` or `{"error": …}`."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": name, **arguments}) + "\n")
        self.process.stdin.flush()
        return self._take()

    def ok(self, name: str, /, **arguments: Any) -> Any:
        """Do something that succeeds and give what it gave."""
        answer = self.do(name, **arguments)
        assert "ok" in answer, answer
        return answer["ok"]

    def refused(self, name: str, /, **arguments: Any) -> tuple[int, Any]:
        """Do something that the server refuses and give the code and the data of its error."""
        answer = self.do(name, **arguments)
        assert "code" in answer.get("error", {}), answer
        return answer["error"]["code"], answer["error"]["data"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and give the result as it came."""
        return self.ok("call", name=tool, arguments=arguments)

    def structured(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool that succeeds and give its structured content."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def failure(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool that fails and give the text that a model reads."""
        result = self.call(tool, **arguments)
        assert result["isError"] is True
        return text_of(result)

    def close(self) -> None:
        """Let the client close the connection: it has found nothing wrong with what it heard, and it leaves no process."""
        assert self.ok("take_faults") == []
        servers = descendants(self.process.pid)
        assert bool(servers) == self._starts_server
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self._take() == {"ok": "closed"}
        assert not servers & parents().keys()

    def end(self) -> None:
        """End the driver, whatever it does."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self._stderr.close()

    def stderr(self) -> str:
        """Give what the driver and its server have written to stderr so far."""
        self._stderr.seek(0)
        return self._stderr.read().decode(errors="replace")


def text_of(result: dict[str, Any]) -> str:
    """Give the text blocks of a result, joined."""
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


def descendants(pid: int) -> set[int]:
    """Give the processes that one has started, and those that these have."""
    of, found, fresh = parents(), set(), {pid}
    while fresh:
        fresh = {child for child, parent in of.items() if parent in fresh}
        found |= fresh
    return found


def parents() -> dict[int, int]:
    """Give every process with its parent, but for those that are dead and not reaped."""
    if sys.platform != "linux":
        listed = subprocess.run(
            ["/bin/ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True
        )
        rows = [line.split() for line in listed.stdout.splitlines()]
        return {int(pid): int(parent) for pid, parent, state in rows if not state.startswith("Z")}
    found = {}
    for home in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            state, parent = (home / "stat").read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                found[int(home.name)] = int(parent)
    return found
