"""A plain request is decoded once; only what is odd about a frame sends it the long way."""

import msgspec
import pytest

from readingroom.wire import Request, classify, messages


@pytest.fixture
def _no_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the long way fail the test."""

    def refuse(*_: object) -> None:
        raise AssertionError("the long way was taken")

    monkeypatch.setattr(messages, "_classify_other", refuse)


@pytest.mark.usefixtures("_no_long_way")
@pytest.mark.parametrize(
    ("members", "params"),
    [
        (b',"params":{"a":[1]}', b'{"a":[1]}'),
        (b"", b""),
        (b',"params":null', b"null"),
        (b',"params":[]', b"[]"),
    ],
)
def test_a_plain_request_never_takes_the_long_way(members: bytes, params: bytes) -> None:
    """A well-formed request in ASCII is taken by the one compiled decoder, with its params as they came."""
    frame = b'{"jsonrpc":"2.0","id":"7","method":"tools/list"' + members + b"}"
    request = classify(frame, 64)
    assert isinstance(request, Request)
    assert (request.id, request.method) == ("7", "tools/list")
    assert (b"" if request.params is msgspec.UNSET else bytes(request.params)) == params
