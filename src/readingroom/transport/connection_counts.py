"""Counts open HTTP connections, in all and for each address, and says who is one too many."""

import ipaddress
from collections import Counter

from ..limits import Limits


class ConnectionCounts:
    """The connections of one process. All calls come from its event loop."""

    def __init__(self, limits: Limits, *, has_proxy: bool = False) -> None:
        self._limits = limits
        self._has_proxy = has_proxy
        self._open = 0
        self._by_network: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """How many connections are open."""
        return self._open

    def enter(self, address: str | None) -> str | None:
        """Count a connection; give why it is one too many, and is not counted, or None."""
        network = self._network(address)
        if self._open >= self._limits.connections:
            return "this server has no room for another connection; try again later"
        if network and self._by_network[network] >= self._limits.connections_per_address:
            return "there are too many connections from this address"
        self._open += 1
        if network:
            self._by_network[network] += 1
        return None

    def leave(self, address: str | None) -> None:
        """Count a connection that was counted no longer."""
        network = self._network(address)
        self._open -= 1
        if network:
            self._by_network[network] -= 1
            if not self._by_network[network]:
                del self._by_network[network]

    def _network(self, address: str | None) -> str:
        """Give what is counted as one, or nothing for what is not counted: whoever has an IPv6 address has 2^64."""
        if self._has_proxy or address is None:
            return ""
        try:
            parsed = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return ""
        if isinstance(parsed, ipaddress.IPv6Address):
            if parsed.ipv4_mapped is None:
                return "" if parsed.is_loopback else parsed.packed[:8].hex()
            parsed = parsed.ipv4_mapped
        return "" if parsed.is_loopback else str(parsed)
