"""Which addresses of the network a client connects to when it was others who named the host (CL-19). Pure.

`ipaddress` knows which addresses are global; those that carry another address within are looked at here.
"""

import ipaddress

_CARRYING = tuple(
    map(
        ipaddress.ip_network,
        ("2002::/16", "2001::/32", "64:ff9b::/96", "64:ff9b:1::/48", "192.88.99.0/24", "fec0::/10", "::/96"),
    )
)
"""6to4, Teredo, NAT64 with its local form, 6to4 relays, site-local, and IPv4 within IPv6: they lead who knows where."""

_METADATA = tuple(map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200")))
"""Where two clouds keep them besides."""


def is_public(address: str) -> bool:
    """Whether an address is one of the open network; one that cannot be read is none."""
    found = _read(address)
    if found is None or any(found.version == net.version and found in net for net in _CARRYING):
        return False
    return found.is_global and not found.is_multicast


def is_this_machine(address: str) -> bool:
    """Whether an address is one of loopback."""
    found = _read(address)
    return found is not None and found.is_loopback


def is_out_of_bounds(address: str) -> bool:
    """Whether an address is never connected to: link-local, where clouds keep the secrets of machines, or of no machine."""
    found = _read(address)
    return (
        found is None
        or found in _METADATA
        or found.is_link_local
        or found.is_multicast
        or found.is_unspecified
    )


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
