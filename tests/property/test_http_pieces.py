"""What an HTTP connection reads does not depend on how it is cut up on the way, and rubbish never breaks it."""

import asyncio
import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from support.guarded import Connection

GET = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
CHUNKS = b"POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
UPGRADE = (
    b"POST /u HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc"
)
WORDS = st.sampled_from(
    [
        GET, POST, CHUNKS, UPGRADE, b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.0\r\n", b"Host: h\r\n", b"Content-Length: 3\r\n",
        b"Transfer-Encoding: chunked\r\n", b"Connection: close\r\n", b"Connection: Upgrade\r\n", b"Upgrade: x\r\n", b"\r\n",
        b"\n", b"\r", b"0\r\n\r\n", b"3\r\n", b"abc", b" ", b":", b"\0", b"X: ",
    ]
)  # fmt: skip
SOUP = st.lists(WORDS | st.binary(max_size=6), max_size=8).map(b"".join)


def _read(data: bytes, cuts: list[int]) -> tuple[list[tuple[str, bytes]], bytes]:
    """Let data come in pieces; give the requests that were handed on whole, and all that was answered."""
    ends = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})

    async def scene() -> tuple[list[tuple[str, bytes]], bytes]:
        connection = Connection(asyncio.get_running_loop())
        pieces = [data[start:end] for start, end in itertools.pairwise(ends)]
        out = await connection.say(*pieces)
        return [(path, body) for path, body in connection.asked if body != b"GONE"], out

    return asyncio.run(scene())


@settings(deadline=None, max_examples=300)
@given(SOUP, st.lists(st.integers(0, 1000), max_size=5))
def test_pieces_make_no_difference(data: bytes, cuts: list[int]) -> None:
    """The requests that the application gets are the same, one after the other, as far as both get; none is made up."""
    whole, _ = _read(data, [])
    cut, _ = _read(data, cuts)
    assert all(one == other for one, other in zip(whole, cut, strict=False))


@settings(deadline=None, max_examples=300)
@given(SOUP, st.lists(st.integers(0, 1000), max_size=5))
def test_every_answer_is_one_of_ours(data: bytes, cuts: list[int]) -> None:
    """As many as requests were handed on, and at most one refusal, the last; nothing that was sent is repeated in it."""
    asked, out = _read(data, cuts)
    statuses = [int(part[:3]) for part in out.split(b"HTTP/1.1 ")[1:] if not part.startswith(b"100 ")]
    assert statuses[: len(asked)] == [200] * len(asked)
    assert statuses[len(asked) :] in ([], [400], [431])
