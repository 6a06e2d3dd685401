"""Serves the conformance suite's fixture at http://127.0.0.1:PORT/mcp: `server.py PORT`."""

import sys

from fixture import application

if __name__ == "__main__":
    sys.exit(application().serve_http("127.0.0.1", int(sys.argv[1])))
