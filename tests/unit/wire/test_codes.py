"""The codes and the one table of their HTTP status."""

import pytest

from readingroom import wire


@pytest.mark.parametrize(
    ("name", "code", "status"),
    [
        ("PARSE_ERROR", -32700, 400),
        ("INVALID_REQUEST", -32600, 400),
        ("METHOD_NOT_FOUND", -32601, 404),
        ("INVALID_PARAMS", -32602, 200),
        ("INTERNAL_ERROR", -32603, 200),
        ("HEADER_MISMATCH", -32020, 400),
        ("MISSING_CAPABILITY", -32021, 400),
        ("UNSUPPORTED_VERSION", -32022, 400),
    ],
)
def test_every_code_has_its_number_and_its_status(name: str, code: int, status: int) -> None:
    """As JSON-RPC and MCP 2026-07-28 give them (requirements §1.6)."""
    assert getattr(wire, name) == code
    assert wire.HTTP_STATUS[code] == status


def test_there_are_no_other_codes() -> None:
    """Nothing of the blocks that are reserved for the specification or left to older servers (ERR-1 to ERR-3)."""
    assert len(wire.HTTP_STATUS) == 8
