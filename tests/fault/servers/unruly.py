"""Servers whose answers are good and whose processes are not: `unruly.py NAME`. Standard library, POSIX only.

The tool `pids` gives the numbers of all processes of the server; `act` does what the name says.
"""

import json
import os
import signal
import subprocess
import sys
import time

from breaking import answer, line, put

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)",
]
POLITE_PROGRAM = """
import pathlib, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(pathlib.Path("asked").touch()))
print(flush=True)
time.sleep(600)
"""
POLITE = [sys.executable, "-c", POLITE_PROGRAM]
CHILDREN = []


def start(command, **how):
    """Start a child that lives for ten minutes, and wait until it runs."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    CHILDREN.append(child)
    return child


def start_stubborn():
    """Start a child that does not end when asked to."""
    child = start(STUBBORN, stdout=subprocess.PIPE)
    child.stdout.readline()


def die(code):
    """End at once."""
    os._exit(code)


def die_talking():
    """Say why on stderr, and end."""
    sys.stderr.write("out of memory in sector 7\nküche: Ende\n")
    sys.stderr.flush()
    die(3)


def die_in_a_line():
    """End in the middle of an answer."""
    put(b'{"jsonrpc":"2.0","id":2,"res')
    die(4)


def close_stdout():
    """Close the output and live on."""
    os.close(1)
    time.sleep(600)


def close_stdin():
    """Close the input, say so, and live on."""
    os.close(0)
    print("closed", file=sys.stderr, flush=True)
    time.sleep(600)


ACTS = {
    "silent": lambda: None,
    "dies": lambda: die(7),
    "dies_talking": die_talking,
    "dies_in_a_line": die_in_a_line,
    "dies_by_signal": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "dies_with_a_child": lambda: die(8),
    "dies_with_a_polite_child": lambda: die(8),
    "dies_with_a_runaway": lambda: die(9),
    "closes_stdout": close_stdout,
    "closes_stdin": close_stdin,
    "interrupts": lambda: os.kill(os.getppid(), signal.SIGINT),
    "interrupts_any_thread": lambda: print("now", file=sys.stderr, flush=True),
    "stops_reading": lambda: time.sleep(600),
}


def prepare(name):
    """Do what a server of this name does before it serves."""
    if name == "ignores_sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if name in ("has_a_child", "dies_with_a_child", "ends_without_its_child"):
        # The child holds the output open.
        start(SLEEPER)
    if name == "has_a_stubborn_child":
        start_stubborn()
    if name in ("has_a_runaway", "dies_with_a_runaway"):
        # It has left the group and keeps the output open; nobody can find it again.
        start([sys.executable, "-c", "import time; time.sleep(15)"], start_new_session=True)
    if name == "dies_with_a_polite_child":
        start(POLITE, stdout=subprocess.PIPE).stdout.readline()
    if name == "never_answers":
        time.sleep(600)
    if name == "ends_at_once":
        sys.exit("no configuration file")
    if name == "writes_endlessly":
        writer = "import os\nwhile True: os.write(1, b'x' * 65536)"
        start([sys.executable, "-c", writer], stdout=2)


def serve(name):
    """Answer until the end of the input."""
    for text in sys.stdin.buffer:
        message = json.loads(text)
        if "id" not in message:
            if message["method"] == "notifications/cancelled" and name == "answers_late":
                put(line(id=message["params"]["requestId"], result={"resultType": "complete", "content": []}))
            continue
        tool = message["params"].get("name")
        if tool == "act":
            ACTS.get(name, ACTS["silent"])()
        elif tool == "pids":
            message["params"]["arguments"] = {"pids": [os.getpid(), *(child.pid for child in CHILDREN)]}
            put(answer(message))
        else:
            put(answer(message))
    if name in ("ignores_eof", "ignores_sigterm"):
        time.sleep(600)


if __name__ == "__main__":
    prepare(sys.argv[1])
    serve(sys.argv[1])
