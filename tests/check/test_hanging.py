"""However broken a server is, `check` comes to an end, says what it saw, and leaves no process."""

import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from check.collection import checked, checked_over_http, named
from readingroom.apps.check import leftovers, stdio_peer
from readingroom.errors import ConnectFailed

pytestmark = pytest.mark.slow
ENOUGH = 45.0
GOOD = str(Path(__file__).parent / "servers")
ONCE_GOOD = f"import sys, os, time; sys.path.insert(0, {GOOD!r}); from good import Good, main\n"

STDIO = {
    "says nothing": "import time; time.sleep(600)",
    "ends at once": "print('usage: server FILE', file=__import__('sys').stderr)",
    "writes lines without end": "import sys\nwhile True: sys.stdout.write('x' * 99 + '\\n')",
    "writes one line without end": "import sys\nwhile True: sys.stdout.write('x' * 9999)",
    "closes stdout and lives": "import os, time\nos.close(1)\ntime.sleep(600)",
    "closes stdin and lives": "import os, time\nos.close(0)\ntime.sleep(600)",
    "answers once": ONCE_GOOD
    + "class Once(Good):\n    def answer(self, m, r):\n        super().answer(m, r)\n        time.sleep(600)\nmain(Once())",
    "floods after the first answer": ONCE_GOOD
    + "class Flood(Good):\n    def answer(self, m, r):\n        super().answer(m, r)\n"
    "        while True: self.write(b'[]\\n' * 1000)\nmain(Flood())",
    "ignores everything that asks it to end": "import signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)\n"
    "time.sleep(600)",
}
EXPECTED = {
    "writes lines without end": "STDIO-2",
    "writes one line without end": "STDIO-1",
    "floods after the first answer": "RPC-8",
}


@pytest.mark.parametrize("name", STDIO)
def test_on_stdio(name, monkeypatch):
    """Within a bound that has nothing to do with the server."""
    monkeypatch.setattr(stdio_peer, "START_SECONDS", 2.0)
    begun = time.monotonic()
    mark = f"hanging-{name.replace(' ', '-')}"
    found = checked([sys.executable, "-S", "-E", "-c", STDIO[name]], timeout=1.0, env={"LC_CHECKED": mark})
    assert time.monotonic() - begun < ENOUGH
    assert named(found)
    assert EXPECTED.get(name, "RPC-0") in named(found)
    assert _running_with(mark) == []


def _running_with(mark):
    """Give the processes that were started with a variable of that value."""
    wanted = f"LC_CHECKED={mark}".encode()
    return [
        place
        for place in Path("/proc").glob("[0-9]*")
        if wanted in leftovers._environment(place) and leftovers._runs(place)
    ]


@pytest.fixture
def port() -> Iterator[tuple[int, list]]:
    """A port at which each connection gets what the test says: pieces, with a pause after each."""
    pieces: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(connection):
            with connection:
                connection.recv(65536)
                for piece in pieces:
                    try:
                        connection.sendall(piece)
                    except OSError:
                        return
                    time.sleep(0.2)

        def accept():
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1], pieces


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: "
HTTP = {
    "closes at once": [],
    "is no HTTP": [b"SSH-2.0-server\r\n"],
    "drips its headers": [b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 90],
    "drips a body": [HEAD + b"application/json\r\nContent-Length: 1000\r\n\r\n", *[b" "] * 90],
    "drips a stream": [HEAD + b"text/event-stream\r\n\r\n", *[b": alive\n\n"] * 90],
    "answers in HTML": [HEAD + b"text/html\r\nContent-Length: 4\r\n\r\n<p/>"],
}


@pytest.mark.parametrize("name", HTTP)
def test_over_http(name, port):
    """Whatever comes, and however slowly."""
    number, pieces = port
    pieces += HTTP[name]
    begun = time.monotonic()
    found = checked_over_http(f"http://127.0.0.1:{number}/mcp", 1.0)
    assert time.monotonic() - begun < ENOUGH
    assert set(named(found)) & {"RPC-0", "HTTP-13"}


@pytest.mark.parametrize("place", ["127.0.0.1:{port}", "nowhere.invalid"])
def test_nobody_listens(place):
    """It says so, and finds nothing broken."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://{place.format(port=held.getsockname()[1])}/mcp"
        with pytest.raises(ConnectFailed, match="nothing answers there"):
            checked_over_http(url, 5.0)
