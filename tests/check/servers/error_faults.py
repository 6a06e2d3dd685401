"""Faults of errors: a code that means something else, or none at all."""
# ruff: noqa: D102  -- a hook does what the good server says it does

from faults import breaks
from good import VERSION, Good, Refused


@breaks("ERR-1")
class CodeWithoutAMeaning(Good):
    def unknown_tool(self):
        return Refused(-32050, "there is no such tool")


@breaks("ERR-2")
class CodeOfAnOlderRevision(Good):
    def unknown_resource(self, uri):
        return Refused(-32002, "there is no such resource", {"uri": uri})


@breaks("ERR-3")
class CodeOfTheOldRange(Good):
    def unknown_prompt(self):
        return Refused(-32000, "there is no such prompt")


@breaks("ERR-5")
class CodeIsText(Good):
    def unknown_tool(self):
        return Refused("-32602", "there is no such tool")


@breaks("RES-5")
class WrongCodeForAnUnknownMethod(Good):
    def unknown_method(self, message):
        found = super().unknown_method(message)
        return Refused(-32603, found.message) if found.code == -32601 else found


@breaks("VER-1")
class WrongCodeForAnUnknownVersion(Good):
    def unknown_version(self, version):
        return Refused(-32602, "version is not served")


@breaks("VER-1")
class ServesEveryVersion(Good):
    def unknown_version(self, version):
        return Refused(-32022, "version is not served", {"supported": ["2099-01-01"], "requested": version})


@breaks("TOOL-6")
class UnknownToolIsAFailure(Good):
    def on_tools_call(self, message, params):
        try:
            return super().on_tools_call(message, params)
        except Refused as refused:
            if "tool" in refused.message:
                return {"content": [{"type": "text", "text": refused.message}], "isError": True}
            raise


@breaks("RSRC-3")
class WrongCodeForAMissingResource(Good):
    def unknown_resource(self, uri):
        return Refused(-32603, "there is no such resource")


@breaks("RSRC-3")
class MissingResourceIsEmpty(Good):
    def on_resources_read(self, message, params):
        try:
            return super().on_resources_read(message, params)
        except Refused:
            return {"contents": []}


@breaks("PRO-3")
class WrongCodeForAnUnknownPrompt(Good):
    def unknown_prompt(self):
        return Refused(-32603, "there is no such prompt")


@breaks("PAGE-3")
class TakesAnyCursor(Good):
    def unknown_cursor(self):
        return Refused(-32603, "there is no such cursor")


# -- faults that were met in servers of others, and their kin


@breaks("VER-1")
class DoesNotRepeatTheVersion(Good):
    def unknown_version(self, version):
        return Refused(-32022, "version is not served", {"supported": [VERSION]})


@breaks("RSRC-3")
class DoesNotNameTheResource(Good):
    def unknown_resource(self, uri):
        return Refused(-32602, "there is no such resource")
