"""Faults of metadata and of state: what is asked too much or too little, and what is remembered of what went before."""
# ruff: noqa: D102  -- a hook does what the good server says it does

from typing import ClassVar

from faults import breaks, is_list
from good import PREFIX, VERSION, Good, Refused


@breaks("META-2")
class WantsToKnowTheClient(Good):
    def admit(self, message):
        super().admit(message)
        if PREFIX + "clientInfo" not in self.meta(message):
            raise Refused(-32602, "clientInfo is required")


@breaks("META-3")
class DoesWithoutCapabilities(Good):
    def admit(self, message):
        meta = {PREFIX + "clientCapabilities": {}, **self.meta(message)}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})


@breaks("META-4")
class TakesCapabilitiesOfAnyType(Good):
    def admit(self, message):
        meta = self.meta(message)
        if PREFIX + "clientCapabilities" in meta:
            meta = {**meta, PREFIX + "clientCapabilities": {}}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})


@breaks("META-5")
class RemembersWhatWasSaid(Good):
    said: ClassVar = {}

    def admit(self, message):
        meta = {**self.said, **self.meta(message)}
        super().admit({**message, "params": {**self.params(message), "_meta": meta}})
        self.said = meta


@breaks("META-5")
class ABadLineChangesIt(Good):
    def refuse_line(self, code):
        super().refuse_line(code)
        self.capabilities = {**self.capabilities, "experimental": {}}


@breaks("META-5")
class AnIdIsGoodOnce(Good):
    def admit(self, message):
        super().admit(message)
        used = self.__dict__.setdefault("used", set())
        if message["id"] in used:
            raise Refused(-32600, "the id was used before")
        used.add(message["id"])


@breaks("META-10")
class DoesNotSayWhoItIs(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "_meta"} if is_list(message) else found
        )


@breaks("META-15")
class RefusesBadTraceContext(Good):
    def admit(self, message):
        super().admit(message)
        if self.meta(message).get("traceparent", "00-").startswith("n"):
            raise Refused(-32602, "traceparent is not valid")


# -- faults that were met in servers of others, and their kin


@breaks("META-5")
class TheFirstMessageDecides(Good):
    first = None

    def admit(self, message):
        if self.first is None:
            self.first = PREFIX + "protocolVersion" in self.meta(message)
        super().admit(message)
        if not self.first:
            raise Refused(-32600, "this connection is of the older era")


@breaks("META-5")
class TheHandshakeChangesIt(Good):
    begun = False

    def serve(self, message):
        if message["method"] == "initialize":
            self.begun = True
            told = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "serverInfo": {"name": "good", "version": "1"},
            }
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": told})
        else:
            super().serve(message)

    def on_server_discover(self, message, params):
        found = super().on_server_discover(message, params)
        return {**found, "instructions": "Begun."} if self.begun else found


@breaks("META-5")
class AnotherVersionIsRemembered(Good):
    refused = False

    def unknown_version(self, version):
        self.refused = True
        return super().unknown_version(version)

    def admit(self, message):
        is_good = self.meta(message).get(PREFIX + "protocolVersion") == VERSION
        if self.refused and is_good and message["method"] == "server/discover":
            self.refused = False
            raise Refused(-32600, "this connection is of another version")
        super().admit(message)
