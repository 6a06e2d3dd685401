"""Faults of results and of discovery: a type, a hint or a capability that is wrong."""
# ruff: noqa: D102  -- a hook does what the good server says it does

from typing import ClassVar

from faults import breaks, is_list
from good import VERSION, Good, Refused

# -- results


@breaks("RES-1")
class NoResultType(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "resultType"}
            if is_list(message)
            else found
        )


@breaks("RES-3")
class UnknownResultType(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return {**found, "resultType": "deferred"} if message["method"] == "prompts/get" else found


@breaks("MRTR-1")
class AListAsksForInput(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        asks = {"resultType": "input_required", "requestState": "x"}
        return {**found, **asks} if message["method"] == "prompts/list" else found


@breaks("MRTR-4")
class AsksWhatWasNotDeclared(Good):
    def call_count(self, message, arguments):
        asked = {"method": "roots/list"}
        return (
            {"resultType": "input_required", "inputRequests": {"a": asked}}
            if arguments
            else super().call_count(message, arguments)
        )


@breaks("CACHE-1")
class NoCacheHints(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {name: value for name, value in found.items() if name != "ttlMs"} if is_list(message) else found
        )


@breaks("CACHE-7")
class PagesOfTwoScopes(Good):
    def finished(self, message, result):
        found = super().finished(message, result)
        return (
            {**found, "cacheScope": "public"}
            if is_list(message) and "cursor" in self.params(message)
            else found
        )


@breaks("SHAPE-1")
class ToolsAreNoList(Good):
    def on_tools_list(self, message, params):
        super().on_tools_list(message, params)
        return {"tools": {}}


# -- discovery


@breaks("VER-4")
class NoDiscovery(Good):
    on_server_discover = None


@breaks("DISC-1")
class NoVersions(Good):
    def on_server_discover(self, message, params):
        return {"supportedVersions": [], "capabilities": self.capabilities}


@breaks("VER-2")
class OffersAnOlderVersion(Good):
    def on_server_discover(self, message, params):
        return {"supportedVersions": [VERSION, "2025-11-25"], "capabilities": self.capabilities}


@breaks("VER-5")
class DoesNotSayWhichVersions(Good):
    def unknown_method(self, message):
        return Refused(-32601, "there is no such method")


@breaks("DISC-2")
class AdvertisesWhatItDoesNotServe(Good):
    on_prompts_list = None


@breaks("DISC-2")
class ServesWhatItDoesNotAdvertise(Good):
    capabilities: ClassVar = {name: told for name, told in Good.capabilities.items() if name != "prompts"}
