"""Stands between a client and a server and writes down what passes: `tap.py FOLDER COMMAND…`.

A file of its own for each process that is started, in FOLDER: lines from the client begin with `> `, those from the
server with `< `, and the last one tells how the server ended, `= 0` when by itself and well.
"""

import subprocess
import sys
import tempfile
import threading
from typing import IO


def main() -> None:
    """Pass on and write down, until the client closes its side and the server ends."""
    folder, *command = sys.argv[1:]
    with (
        tempfile.NamedTemporaryFile(
            dir=folder, delete=False, buffering=0
        ) as log,  # nothing is lost when it is killed
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server,
    ):
        upward = threading.Thread(target=passes, args=(server.stdout, sys.stdout.buffer, log, b"< "))
        upward.start()
        passes(sys.stdin.buffer, server.stdin, log, b"> ")
        server.stdin.close()
        upward.join()
        log.write(b"= %d\n" % server.wait())


def passes(source: IO[bytes], sink: IO[bytes], log: IO[bytes], mark: bytes) -> None:
    """Pass on lines as they come."""
    for line in source:
        log.write(mark + line)
        sink.write(line)
        sink.flush()


if __name__ == "__main__":
    main()
