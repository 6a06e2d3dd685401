"""Tools of the suite's fixture that become tasks, for clients that take tasks."""

import asyncio

from fixture_rounds import form, told

from readingroom import Context, ElicitForm, Server, ToolError

LOOK_SECONDS = 0.02
LONG_SECONDS = 1.0
BOTH = {"type": "object", "properties": {"name": {"type": "string"}, "confirm": {"type": "boolean"}}}


async def working(seconds: float, ctx: Context) -> None:
    """Take that many seconds, and end when the task is cancelled."""
    ended = asyncio.get_running_loop().time() + seconds
    while (left := ended - asyncio.get_running_loop().time()) > 0:
        ctx.check()
        await asyncio.sleep(min(left, LOOK_SECONDS))


def register(app: Server) -> None:
    """Register these tools."""
    _register_working(app)
    _register_failing(app)
    _register_asking(app)


def _register_working(app: Server) -> None:
    @app.tool
    def greet(name: str) -> str:
        """Greet someone, at once."""
        return f"Hello, {name}!"

    @app.tool(task="optional")
    async def slow_compute(seconds: float, label: str, ctx: Context) -> str:
        """Take that many seconds."""
        await ctx.detach()
        await working(seconds, ctx)
        return f"{label}: computed for {seconds:g} s"


def _register_failing(app: Server) -> None:
    @app.tool(task="required")
    async def failing_job(ctx: Context) -> str:
        """Fail after a while, in a way that the model may read."""
        await ctx.detach()
        await working(LONG_SECONDS, ctx)
        raise ToolError("the job has failed")

    @app.tool(task="optional")
    async def protocol_error_job(ctx: Context) -> str:
        """Break down in a way that nobody may read."""
        await ctx.detach()
        raise RuntimeError("the job has broken down, as it should")


def _register_asking(app: Server) -> None:
    @app.tool(task="optional")
    async def confirm_delete(filename: str, ctx: Context) -> str:
        """Ask whether a file may be deleted; deletes nothing."""
        await ctx.detach()
        answers = await ctx.ask(confirmation=form(f"Delete {filename}?", confirm="boolean"))
        return f"{filename}: {told(answers['confirmation'], 'confirm')}"

    @app.tool(task="optional")
    async def multi_input(ctx: Context) -> str:
        """Ask two things at once."""
        await ctx.detach()
        answers = await ctx.ask(first=ElicitForm("First?", BOTH), second=ElicitForm("Second?", BOTH))
        return f"{answers['first'].content} {answers['second'].content}"

    @app.tool(task="required")
    async def test_tool_with_task(ctx: Context) -> str:
        """Ask for a name, then go on as a task."""
        answers = await ctx.ask(user_name=form("What is your name?", name="string"))
        await ctx.detach()
        return f"Hello, {told(answers['user_name'], 'name')}!"
