"""Which era a message is of: by what it says of itself, and never by its method alone."""

from typing import Any

import msgspec
import pytest

from readingroom.protocol.eras import OLDER, era_on_http, names_version
from support.messages import LATEST, VERSION


@pytest.mark.parametrize(
    "params", [{"_meta": {VERSION: LATEST}}, {"_meta": {VERSION: "2025-11-25"}}, {"_meta": {VERSION: None}}]
)
def test_whoever_names_a_version_is_modern(params: Any) -> None:
    """Also one that is not served, or that is none: the modern ladder says what is wrong with it."""
    assert names_version(params)
    assert names_version(msgspec.Raw(msgspec.json.encode(params)))


@pytest.mark.parametrize(
    "params", [None, [], "x", {}, {"_meta": None}, {"_meta": []}, {"_meta": {"progressToken": 1}}]
)
def test_whoever_names_none_is_not(params: Any) -> None:
    """Whatever else the parameters are."""
    assert not names_version(params)
    assert not names_version(msgspec.Raw(msgspec.json.encode(params)))


@pytest.mark.parametrize("params", [msgspec.UNSET, msgspec.Raw(b'{"a":1e999}')])
def test_nothing_and_what_cannot_be_read_names_none(params: Any) -> None:
    """A number beyond every range is no reason to fail here."""
    assert not names_version(params)


@pytest.mark.parametrize("header", [None, LATEST, "2027-01-01", *OLDER])
@pytest.mark.parametrize("method", [None, "initialize", "tools/list"])
@pytest.mark.parametrize("has_session", [True, False])
def test_over_http_metadata_decide_first(header: str | None, method: str | None, has_session: bool) -> None:
    """Then a header that names no older version, then the handshake, an older version and a session."""
    more: dict[str, Any] = {"version_header": header, "method": method, "has_session": has_session}
    assert era_on_http(names_version=True, **more) == "modern"
    found = era_on_http(names_version=False, **more)
    if header is not None and header not in OLDER:
        assert found == "modern"
    elif method == "initialize" or header is not None or has_session:
        assert found == "older"
    else:
        assert found == "neither"
