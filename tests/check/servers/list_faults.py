"""Faults of lists: their tools, their order and their pages."""
# ruff: noqa: D102  -- a hook does what the good server says it does

import os

from faults import breaks
from good import Good


@breaks("TOOL-1")
class ACallAddsATool(Good):
    def tools(self):
        more = [{**super().tools()[2], "name": f"more_{self.seen}"}] if self.seen > 20 else []
        return super().tools() + more


@breaks("TOOL-2")
class AnotherOrderEachTime(Good):
    page = 10
    listed = 0

    def tools(self):
        return super().tools()

    def on_tools_list(self, message, params):
        self.listed += 1
        found = super().on_tools_list(message, params)
        return {**found, "tools": found["tools"][:: 1 if self.listed % 2 else -1]}


@breaks("TOOL-2")
class AnotherOrderAfterARestart(Good):
    page = 100

    def tools(self):
        more = [
            {**super(AnotherOrderAfterARestart, self).tools()[2], "name": f"more_{at}"} for at in range(20)
        ]
        return super().tools() + more

    def on_tools_list(self, message, params):
        found = super().on_tools_list(message, params)
        return {**found, "tools": sorted(found["tools"], key=lambda tool: hash((tool["name"], os.getpid())))}


@breaks("TOOL-3")
class TwoToolsOfOneName(Good):
    def tools(self):
        return [*super().tools(), super().tools()[2]]


@breaks("TOOL-3")
class NameWithASpace(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "remove all"}]


@breaks("TOOL-4")
class NoDescription(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "description": ""}]


@breaks("TOOL-5")
class SchemaOfNoObject(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": {"type": "string"}}]


@breaks("SCH-2")
class InvalidSchema(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"type": "text"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("SCH-4")
class SchemaFromTheNetwork(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"$ref": "https://schemas.example/a.json"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("XH-2")
class MirrorsANumber(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("PAGE-1")
class NullForNoCursor(Good):
    def on_prompts_list(self, message, params):
        return {**super().on_prompts_list(message, params), "nextCursor": None}


@breaks("PAGE-4")
class NeverEnds(Good):
    def on_tools_list(self, message, params):
        super().on_tools_list(message, {} if params.get("cursor") == "again" else params)
        return {"tools": self.tools(), "nextCursor": "again"}


# -- faults that were met in servers of others, and their kin


@breaks("SCH-4")
class ReferenceThatLeadsNowhere(Good):
    def tools(self):
        wrong = {"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("SHAPE-1")
class OutputSchemaIsNoObject(Good):
    def tools(self):
        return [*super().tools(), {**super().tools()[2], "name": "other", "outputSchema": True}]


@breaks("XH-3")
class MirrorsAnItem(Good):
    def tools(self):
        item = {"type": "string", "x-mcp-header": "A"}
        wrong = {"type": "object", "properties": {"a": {"type": "array", "items": item}}}
        return [*super().tools(), {**super().tools()[2], "name": "other", "inputSchema": wrong}]


@breaks("RSRC-6")
class TemplateThatIsNone(Good):
    def on_resources_templates_list(self, message, params):
        return self.paged("resourceTemplates", [{"uriTemplate": "good:///{name", "name": "any"}], params)
