"""Faults of the process: its lines, and how it ends."""
# ruff: noqa: D102  -- a hook does what the good server says it does

import json
import os
import signal
import sys
import time

from faults import breaks, is_list
from good import Good

# -- lines


@breaks("STDIO-1")
class NoLineEnd(Good):
    def answer(self, message, result):
        if is_list(message):
            self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())
            time.sleep(60)
        super().answer(message, result)


@breaks("STDIO-1")
class DiesWithinAnAnswer(Good):
    def answer(self, message, result):
        if is_list(message):
            self.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()[:40])
            os._exit(1)
        super().answer(message, result)


@breaks("STDIO-2")
class Prints(Good):
    def call_count(self, message, arguments):
        self.write(b"counting now\n")
        return super().call_count(message, arguments)


@breaks("STDIO-2")
class Greets(Good):
    def run(self):
        self.write(b"The server is ready.\n")
        super().run()


@breaks("STDIO-3")
class DiesOfABrokenLine(Good):
    def refuse_line(self, code):
        os._exit(1)


@breaks("STDIO-3")
class SticksOverABrokenLine(Good):
    def refuse_line(self, code):
        time.sleep(60)


@breaks("STDIO-3")
class SaysNothingOfABrokenLine(Good):
    def refuse_line(self, code):
        if code != -32700:
            super().refuse_line(code)


# -- the end


@breaks("STDIO-6")
class OutlivesItsInput(Good):
    def at_end(self):
        time.sleep(60)


@breaks("STDIO-11")
class IgnoresSigterm(Good):
    def run(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().run()


@breaks("STDIO-11")
class IgnoresSigint(Good):
    def run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().run()


@breaks("STDIO-12")
class LeavesAChild(Good):
    def at_end(self):
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


@breaks("STDIO-12")
class LeavesAChildApart(Good):
    def at_end(self):
        import subprocess

        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
