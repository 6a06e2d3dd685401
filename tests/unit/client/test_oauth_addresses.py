"""Which addresses are connected to on the word of others."""

import pytest

from readingroom.client.oauth_addresses import is_out_of_bounds, is_public, is_this_machine


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "::ffff:93.184.216.34"])
def test_public(address: str) -> None:
    """The open network."""
    assert is_public(address)
    assert not is_out_of_bounds(address)
    assert not is_this_machine(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1",  # noqa: S104  -- nothing is bound
        "169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "2002:7f00:1::",
        "2001:0:1::1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "192.88.99.1", "::7f00:1", "224.0.0.1", "ff02::1",
        "255.255.255.255", "198.18.0.1", "203.0.113.1", "240.0.0.1", "example", "", "1", "0x7f.1",
    ],
)  # fmt: skip
def test_not_public(address: str) -> None:
    """This machine, its neighbours, what carries another address, and what is none."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "100.100.100.200",
        "0.0.0.0",  # noqa: S104  -- nothing is bound
        "::",
        "ff02::1",
        "x",
    ],
)
def test_never(address: str) -> None:
    """Where clouds keep the secrets of machines; not even for who is trusted."""
    assert is_out_of_bounds(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_this_machine(address: str) -> None:
    """Loopback, in every way to write it."""
    assert is_this_machine(address)
    assert not is_out_of_bounds(address)
    assert not is_this_machine("x")
