"""Which era a server is of, by its errors and versions, and the handshake of the older one."""

from typing import Any

import pytest

from readingroom.client.eras import initialize, is_modern, only_older, supported_by
from readingroom.errors import Closed, RemoteError
from readingroom.protocol import Identity


@pytest.mark.parametrize(
    ("code", "data", "modern"),
    [
        (-32020, None, True),
        (-32021, {"requiredCapabilities": {}}, True),
        (-32022, {"supported": ["2027-01-01"], "requested": "x"}, True),
        (-32022, {"supported": "2027-01-01"}, False),
        (-32022, {"supported": [1]}, False),
        (-32022, None, False),
        (-32601, None, False),
        (-32602, None, False),
        (-32000, None, False),
    ],
)
def test_errors_that_only_a_modern_server_gives(code: int, data: Any, modern: bool) -> None:
    """Are told from those that may be anybody's (ERA-3, ERA-4)."""
    assert is_modern(RemoteError(code, "no", data)) is modern
    assert not is_modern(Closed("gone"))


def test_versions_that_an_error_names() -> None:
    """Where it names any (VER-1)."""
    assert supported_by(RemoteError(-32022, "no", {"supported": ["a"]})) == ["a"]
    assert supported_by(RemoteError(-32022, "no", [])) is None


@pytest.mark.parametrize(
    ("versions", "older"),
    [
        (None, False),
        ([], False),
        (["2025-11-25"], True),
        (["2023-01-01"], False),
        (["2025-11-25", "2027-01-01"], True),
        (["2025-11-25", "2026-07-28"], False),
    ],
)
def test_versions_of_the_older_era_alone(versions: list[str] | None, older: bool) -> None:
    """Are worth a handshake (VER-3)."""
    assert only_older(versions) is older


def test_the_handshake() -> None:
    """Asks for the newest version of its era (LEG-1)."""
    operation = initialize(Identity("n", "1"), {"roots": {}})
    assert operation.method == "initialize"
    assert operation.params == {
        "protocolVersion": "2025-11-25",
        "capabilities": {"roots": {}},
        "clientInfo": Identity("n", "1"),
    }
