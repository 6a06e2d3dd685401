"""A kit server that asks its client for everything there is: `asking.py [--modern]`. It serves until stdin ends."""

import sys

from readingroom import Context, CreateMessage, ElicitForm, ElicitUrl, ListRoots, Server

app = Server("asking", version="1")
FORM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "size": {"type": "integer", "default": 3}},
    "required": ["name"],
}


def form(message: str = "Who?") -> ElicitForm:
    """The form."""
    return ElicitForm(message, FORM)


@app.tool
def ask_form(ctx: Context) -> str:
    """Ask for a form."""
    answer = ctx.ask(it=form())["it"]
    return f"{answer.action} {answer.content}"


@app.tool
def ask_url(ctx: Context) -> str:
    """Ask to open an address."""
    return ctx.ask(it=ElicitUrl("Pay", "https://pay.example/1"))["it"].action


@app.tool
def ask_model(ctx: Context) -> str:
    """Ask the model."""
    return ctx.ask(it=CreateMessage(["Say hello"], 10))["it"].text


@app.tool
def ask_roots(ctx: Context) -> list[str]:
    """Ask for roots."""
    return [root.uri for root in ctx.ask(it=ListRoots())["it"].roots]


@app.tool
def ask_both(ctx: Context) -> str:
    """Ask two things at once."""
    answers = ctx.ask(form=form(), roots=ListRoots())
    return f"{answers['form'].action} {len(answers['roots'].roots)}"


@app.tool
def ask_often(times: int, ctx: Context) -> int:
    """Ask one thing after the other."""
    for number in range(times):
        ctx.ask(**{f"n{number}": form(f"{number}?")})
    return times


@app.resource("ask:///page")
def page(ctx: Context) -> str:
    """Ask before giving a page."""
    return str(ctx.ask(it=form())["it"].action)


@app.prompt
def letter(ctx: Context) -> str:
    """Ask before giving a prompt."""
    return str(ctx.ask(it=form())["it"].action)


if sys.argv[-1].isdigit():
    app.serve_http(port=int(sys.argv[-1]))
else:
    app.run(older_era="--modern" not in sys.argv)
