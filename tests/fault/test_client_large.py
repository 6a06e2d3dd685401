"""Answers of many megabytes: taken whole below the limit, skipped in bounded memory above it."""

import subprocess
import sys
from pathlib import Path

import pytest

from readingroom.errors import PeerProtocolError
from readingroom.kit.client import Client
from readingroom.limits import Limits

SERVER = Path(__file__).parent / "servers" / "large.py"


def test_large_answer():
    """An answer of 32 MB comes whole, whatever it holds, and the next call is answered."""
    with Client.stdio([sys.executable, "-S", str(SERVER)], timeout=50, stderr=lambda _: None) as client:
        assert client.call_tool("text", {"bytes": 32_000_000}).text == "x" * 32_000_000
        items = client.call_tool("items", {"bytes": 1_000_000}).structured
        assert items == [{"n": number} for number in range(len(items))]
        assert client.call_tool("text", {"bytes": 1}).text == "x"


def test_answer_beyond_the_limit():
    """An answer beyond the limit fails its call, and the next call is answered."""
    with Client.stdio(
        [sys.executable, "-S", str(SERVER)], timeout=50, limits=Limits(answer_bytes=1_000_000)
    ) as client:
        with pytest.raises(
            PeerProtocolError, match=r"an answer of \d+ bytes is longer than the 1000000 allowed"
        ):
            client.call_tool("text", {"bytes": 8_000_000})
        assert client.call_tool("text", {"bytes": 900_000}).text == "x" * 900_000


MEASURE = """
import resource, sys
from readingroom.errors import PeerProtocolError
from readingroom.kit.client import Client
from readingroom.limits import Limits

with Client.stdio(sys.argv[1:], timeout=50, limits=Limits(answer_bytes=1_000_000)) as client:
    client.call_tool("text", {"bytes": 900_000})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        client.call_tool("text", {"bytes": 200_000_000})
    except PeerProtocolError as error:
        print(error.rule, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of the memory used is that of Linux")
def test_memory_of_an_answer_beyond_the_limit():
    """An answer of 200 MB with a limit of one costs the client less than 16 MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, sys.executable, "-S", str(SERVER)],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    rule, kilobytes = done.stdout.split()
    assert rule == "RPC-10"
    assert int(kilobytes) < 16_000
