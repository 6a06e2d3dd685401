"""A server on the kit with one of everything that a client can use."""

import sys

from readingroom import Context, Server, ToolError

app = Server("everything", version="1.2.3", instructions="Use it well.")
CITIES = ("Berlin", "Bern", "Bremen", "Paris")


@app.tool(read_only=True)
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


@app.tool(read_only=True, quick=True)
def repeat(text: str, times: int) -> str:
    """Repeat a text."""
    return text * times


@app.tool
def fail() -> str:
    """Fail in a way that the model may read."""
    raise ToolError("nothing to be done")


@app.tool
def crash() -> str:
    """Fail in a way that nobody may read."""
    raise RuntimeError("secret")


@app.tool
def count(to: int, ctx: Context) -> int:
    """Count, with progress."""
    for number in range(1, to + 1):
        ctx.progress(number, to, f"at {number}")
    return to


@app.tool
def wait(ctx: Context) -> str:
    """Wait until cancelled."""
    while not ctx.cancelled:
        ctx.check()
    return "cancelled"


@app.resource("x:///fixed", name="fixed", mime_type="text/plain")
def fixed() -> str:
    """A fixed text."""
    return "fixed"


@app.resource("x:///city/{city}", name="city", mime_type="text/plain")
def city(city: str) -> str | None:
    """A city."""
    return f"About {city}" if city in CITIES else None


@app.prompt
def visit(city: str) -> str:
    """Plan a visit."""
    return f"Plan a visit to {city}."


@app.completion("visit", "city")
def cities(value: str) -> list[str]:
    """Complete the name of a city."""
    return [name for name in CITIES if name.startswith(value)]


def one_of_many() -> str:
    """Be one of many tools."""
    return "one"


for number in range(150):
    app.tool(one_of_many, name=f"many_{number:03}")


if __name__ == "__main__":
    if sys.argv[-1].isdigit():
        app.serve_http(port=int(sys.argv[-1]))
    else:
        app.run()
