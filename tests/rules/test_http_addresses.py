"""HTTP: at which addresses a server may be reached without more, and at which it may not."""

import inspect

import pytest

from readingroom import Server, UsageError
from readingroom.kit.http_serving import Address, check_exposure

rule = pytest.mark.rule


@rule("HTTP-4", "passing")
def test_this_machine_alone_is_served_unless_more_is_said() -> None:
    """It is the default, and needs nothing; with authorization and TLS any address may be served."""
    assert inspect.signature(Server.serve_http).parameters["host"].default == "127.0.0.1"
    check_exposure(Address(), has_authorization=False)
    check_exposure(Address(host="192.0.2.1", tls_certificate="chain.pem"), has_authorization=True)
    check_exposure(Address(host="192.0.2.1", behind_proxy=True), has_authorization=True)


@rule("HTTP-4", "violating")
@pytest.mark.parametrize("has_authorization", [True, False])
def test_other_machines_are_not_served_in_the_open(has_authorization: bool) -> None:
    """Neither without authorization nor without TLS."""
    with pytest.raises(UsageError, match="can be reached from other machines"):
        check_exposure(Address(host="192.0.2.1"), has_authorization=has_authorization)
