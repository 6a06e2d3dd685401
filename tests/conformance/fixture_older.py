"""Tools of the suite's fixture that ask the client for input, as the scenarios of revision 2025-11-25 name them."""

from typing import Any

from fixture_rounds import question

from readingroom import Context, ElicitForm, Server

DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
OPTIONS = ["option1", "option2", "option3"]
TITLED = [{"const": f"value{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]
ENUMS: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": OPTIONS},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}
CONTACT: dict[str, Any] = {
    "username": {"type": "string", "description": "User's response"},
    "email": {"type": "string", "description": "User's email address"},
}


def register(app: Server) -> None:
    """Register these tools."""

    @app.tool
    def test_sampling(prompt: str, ctx: Context) -> str:
        """Ask the client's model."""
        answer = ctx.ask(answer=question(prompt))["answer"]
        return f"LLM response: {answer.text}"

    @app.tool
    def test_elicitation(message: str, ctx: Context) -> str:
        """Ask a person for a name and an address."""
        return f"User response: {_asked(ctx, message, CONTACT, ['username', 'email'])}"

    @app.tool
    def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        """Ask a person for values that have defaults."""
        return f"Elicitation completed: {_asked(ctx, 'Look at the defaults', DEFAULTS)}"

    @app.tool
    def test_elicitation_sep1330_enums(ctx: Context) -> str:
        """Ask a person to choose, in every way that a schema can say it."""
        return f"Elicitation completed: {_asked(ctx, 'Choose', ENUMS)}"


def _asked(ctx: Context, message: str, properties: dict[str, Any], required: list[str] | None = None) -> str:
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": required or []}
    answer = ctx.ask(answer=ElicitForm(message, schema))["answer"]
    return f"action={answer.action}, content={answer.content}"
