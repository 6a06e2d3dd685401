"""Serves the conformance suite's fixture at http://127.0.0.1:PORT/mcp: `server.py PORT`.

`server.py PORT FOLDER` is one of several behind a proxy, which share what is in the folder. `server.py` alone serves it on
stdio.
"""

import sys
from pathlib import Path

from fixture import application

if __name__ == "__main__":
    if len(sys.argv) == 1:
        application().run()
    port, *shared = sys.argv[1:]
    app = application(Path(shared[0])) if shared else application()
    sys.exit(app.serve_http("127.0.0.1", int(port), allowed_hosts=["localhost"] if shared else None))
