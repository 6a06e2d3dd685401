"""Tools of the suite's fixture whose schemas are what matters: JSON Schema 2020-12, and an argument mirrored in a header."""

from typing import Annotated, Any

import msgspec

from readingroom import Server

PHONE, EMAIL = {"required": ["phone"]}, {"required": ["email"]}

SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [PHONE, EMAIL]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": PHONE,
    "else": EMAIL,
    "additionalProperties": False,
}


def register(app: Server) -> None:
    """Register these tools."""

    @app.tool(input_schema=SCHEMA_2020_12)
    def json_schema_2020_12_tool(arguments: dict[str, Any]) -> str:
        """Have a schema that uses what JSON Schema 2020-12 can do."""
        return f"given: {', '.join(sorted(arguments))}"

    @app.tool
    def test_custom_header(
        region: Annotated[str, msgspec.Meta(extra_json_schema={"x-mcp-header": "Region"})],
    ) -> str:
        """Take an argument that travels in a header as well."""
        return f"region: {region}"
