"""Servers that share a store of tasks, as several processes have them, and who listens to them."""

import threading

from readingroom import Context, ElicitForm, Limits, MemoryTasks, Server

NAME = ElicitForm("Name?", {"type": "object", "properties": {"name": {"type": "string"}}})
SOON = Limits(task_lost_seconds=0.2)


def server(store: MemoryTasks, go: threading.Event | None = None, limits: Limits = SOON) -> Server:
    """A server as each process has one."""
    app = Server("srv", tasks=store, limits=limits)

    @app.tool(task="optional")
    def work(what: str, ctx: Context) -> str:
        """Work."""
        ctx.detach()
        if what == "ask":
            return f"{ctx.ask(name=NAME)['name'].content}"
        while not (go and go.wait(0.001)):
            ctx.check()
        return "done"

    return app


class Dead(MemoryTasks):
    """A store in which nobody gives a sign of life."""

    def beat(self, owner: str) -> None:
        """Do nothing."""
