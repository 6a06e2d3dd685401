"""The probes, family by family, in the order in which they are done: what others build on comes first."""

from ..probing import Probe
from . import (
    calls,
    discovery,
    ending,
    framing,
    http_authorization,
    http_front,
    http_headers,
    http_streams,
    identifiers,
    lists,
    metadata,
    nonsense,
    prompts,
    resources,
    slow_calls,
    subscriptions,
    tools,
    trespass,
)

PROBES: tuple[Probe, ...] = (
    *discovery.PROBES,
    *identifiers.PROBES,
    *metadata.PROBES,
    *lists.PROBES,
    *tools.PROBES,
    *calls.PROBES,
    *slow_calls.PROBES,
    *resources.PROBES,
    *prompts.PROBES,
    *subscriptions.PROBES,
    *framing.PROBES,
    *nonsense.PROBES,
    *trespass.PROBES,
    *http_front.PROBES,
    *http_headers.PROBES,
    *http_streams.PROBES,
    *http_authorization.PROBES,
    *ending.PROBES,
)
