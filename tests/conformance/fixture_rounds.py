"""Tools and a prompt of the suite's fixture that ask the client for input, in one round or several (revision 2026-07-28)."""

from typing import Any

from readingroom import Context, CreateMessage, ElicitForm, ListRoots, PromptMessage, Server, TextContent


def form(message: str, **properties: str) -> ElicitForm:
    """Ask a person for values of the simple types named, all of them required."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return ElicitForm(message, schema)


def question(text: str) -> CreateMessage:
    """Ask the client's model."""
    return CreateMessage([text], 100)


def told(answer: Any, name: str) -> str:
    """Give what a person entered as `name`, or what they did instead."""
    return str(answer.content[name]) if answer.action == "accept" else str(answer.action)


def register(app: Server) -> None:
    """Register these features."""
    _register_single(app)
    _register_several(app)
    _register_probes(app)

    @app.prompt
    def test_input_required_result_prompt(ctx: Context) -> PromptMessage:
        """Ask for context before giving the messages."""
        answers = ctx.ask(user_context=form("What is the context?", context="string"))
        return PromptMessage("user", TextContent(f"Context: {told(answers['user_context'], 'context')}"))


def _register_single(app: Server) -> None:
    @app.tool
    def test_input_required_result_elicitation(ctx: Context) -> str:
        """Ask a person for a name."""
        answers = ctx.ask(user_name=form("What is your name?", name="string"))
        return f"Hello, {told(answers['user_name'], 'name')}!"

    @app.tool
    def test_input_required_result_sampling(ctx: Context) -> str:
        """Ask the client's model."""
        answers = ctx.ask(capital_question=question("What is the capital of France?"))
        return answers["capital_question"].text

    @app.tool
    def test_input_required_result_list_roots(ctx: Context) -> str:
        """Ask for the client's roots."""
        roots = ctx.ask(client_roots=ListRoots())["client_roots"].roots
        return f"roots: {', '.join(root.uri for root in roots)}"

    @app.tool
    def test_input_required_result_request_state(ctx: Context) -> str:
        """Ask for a confirmation, with a state that must come back."""
        answers = ctx.ask(confirm=form("Go on?", ok="boolean"))
        return f"state-ok: {told(answers['confirm'], 'ok')}"

    @app.tool
    def test_input_required_result_tampered_state(ctx: Context) -> str:
        """Ask for a confirmation, with a state that must come back as it was."""
        answers = ctx.ask(confirm=form("Go on?", ok="boolean"))
        return f"confirmed: {told(answers['confirm'], 'ok')}"


def _register_several(app: Server) -> None:
    @app.tool
    def test_input_required_result_multiple_inputs(ctx: Context) -> str:
        """Ask a person, a model and for roots at once."""
        answers = ctx.ask(
            user_name=form("What is your name?", name="string"),
            greeting=question("Generate a greeting"),
            client_roots=ListRoots(),
        )
        name, roots = told(answers["user_name"], "name"), answers["client_roots"].roots
        return f"{answers['greeting'].text} {name}, {len(roots)} roots"

    @app.tool
    async def test_input_required_result_multi_round(ctx: Context) -> str:
        """Ask twice, one after the other."""
        first = await ctx.ask(step1=form("Step 1: What is your name?", name="string"))
        second = await ctx.ask(step2=form("Step 2: What is your favorite color?", color="string"))
        return f"{told(first['step1'], 'name')} likes {told(second['step2'], 'color')}"


def _register_probes(app: Server) -> None:
    @app.tool
    def test_input_required_result_capabilities(ctx: Context) -> str:
        """Ask only for what the client declared."""
        if "elicitation" in ctx.capabilities:
            return told(ctx.ask(name=form("What is your name?", name="string"))["name"], "name")
        return ctx.ask(name=question("Make up a name"))["name"].text

    @app.tool
    def test_streaming_elicitation(ctx: Context) -> str:
        """Ask for input instead of sending a request of its own on the stream."""
        return told(ctx.ask(name=form("What is your name?", name="string"))["name"], "name")
