"""What a program with a client over stdio has loaded: nothing of HTTP, of TLS or of logins."""

import json
import subprocess
import sys

PROGRAM = """
import json, sys
from readingroom import Client
Client.stdio(["true"])
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {"asyncio", "email", "http", "http.client", "ssl", "urllib.request", "httptools", "uvicorn"}


def test_a_client_over_stdio_loads_nothing_of_http() -> None:
    """Each of these takes longer to load than a call takes."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True, timeout=50)
    loaded = set(json.loads(done.stdout))
    ours = {
        name for name in loaded if name.startswith("readingroom.") and ("http" in name or "oauth" in name)
    }
    assert ours == set()
    assert not HEAVY & loaded
