"""What a line is, and the first rule that it breaks."""

import pytest

from readingroom.apps.check.frames import as_list, as_object, read


@pytest.mark.parametrize(
    ("line", "kind", "rule"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', "answer", None),
        (b'{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"x"}}', "answer", None),
        (b'{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}', "answer", None),
        (b'{"jsonrpc":"2.0","method":"notifications/x"}', "notice", None),
        (b"ready", "broken", "STRAY"),
        (b"7", "broken", "STRAY"),
        (b"{}", "broken", "STRAY"),
        (b"[]", "broken", "RPC-8"),
        (b'{"a":', "broken", "RPC-1"),
        (b'{"a":"\xff"}', "broken", "RPC-1"),
        (b"[" * 9 + b"]" * 9, "broken", "RPC-10"),
        (b'{"id":1,"result":{}}', "answer", "RPC-1"),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', "answer", "RPC-5"),
        (b'{"jsonrpc":"2.0","id":1,"result":[]}', "answer", "RPC-5"),
        (b'{"jsonrpc":"2.0","id":1,"error":[]}', "answer", "RPC-5"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":true,"message":"x"}}', "answer", "ERR-5"),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}', "answer", "ERR-5"),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', "answer", "RPC-4"),
        (b'{"jsonrpc":"2.0","id":1.5,"result":{}}', "answer", "RPC-4"),
        (b'{"jsonrpc":"2.0","result":{}}', "answer", "RPC-4"),
        (b'{"jsonrpc":"2.0","id":1,"method":"roots/list"}', "broken", "RPC-7"),
        (b'{"jsonrpc":"2.0","id":1,"method":"notifications/x"}', "broken", "RPC-6"),
        (b'{"jsonrpc":"2.0","method":5}', "broken", "RPC-1"),
        (b'{"method":"notifications/x"}', "notice", "RPC-1"),
    ],
)
def test_lines(line: bytes, kind: str, rule: str | None) -> None:
    """Each is what it is, with one rule at most."""
    frame = read(line, 8, "STRAY")
    assert frame.kind == kind
    assert (frame.fault[0] if frame.fault else None) == rule


def test_what_a_frame_tells() -> None:
    """Its id, its method and its parameters, whatever they are."""
    frame = read(b'{"jsonrpc":"2.0","method":"notifications/x","params":[1]}', 8, "STRAY")
    assert (frame.has_id, frame.method, frame.params) == (False, "notifications/x", {})
    assert as_object(None) == {}
    assert as_list("a") == []
