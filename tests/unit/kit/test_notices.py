"""The kit's side of change notices: what is declared, what may be told, and what is taken up while serving."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from readingroom import Server, UsageError
from support.memory import MemoryServer

ALL: Any = ("tools", "prompts", "resources", "updates")


@pytest.mark.parametrize(
    ("notices", "told"),
    [
        ("tools", "notices is a tuple"),
        (["tools"], "notices is a tuple"),
        (None, "notices is a tuple"),
        (True, "notices is a tuple"),
        (("tool",), "'tool' is no kind of notice"),
        ((1,), "1 is no kind of notice"),
        (("tools", "tools"), "named twice"),
    ],
)
def test_notices_that_there_are_not_are_refused(notices: Any, told: str) -> None:
    """Where the server is made."""
    with pytest.raises(UsageError, match=told):
        Server("srv", notices=notices)


@pytest.mark.parametrize("notices", [(), ("tools",), ("prompts", "resources")])
def test_what_was_not_declared_cannot_be_told(notices: Any) -> None:
    """Nor may it be watched; the text says what to do."""
    app = Server("srv", notices=notices)
    acts: dict[str, Callable[[], None]] = {
        "tools": app.tools_changed,
        "prompts": app.prompts_changed,
        "resources": app.resources_changed,
        "updates": lambda: app.resource_updated("a:///1", principal="me"),
    }
    for kind, act in acts.items():
        if kind in notices:
            act()
        else:
            with pytest.raises(UsageError, match=f"declare it first.*'{kind}'"):
                act()
    with pytest.raises(UsageError, match="declare it first"):
        app.on_watch(lambda uri, is_watched: None)
    app.close_subscriptions()


def test_a_resource_is_named_by_a_text() -> None:
    """Whether or not anybody listens."""
    app = Server("srv", notices=ALL)
    with pytest.raises(UsageError, match="not by a int"):
        app.resource_updated(1)  # type: ignore[arg-type]  # that is what is tried


def test_what_is_registered_while_serving_is_seen_once_it_is_told() -> None:
    """By every dispatcher, with its aliases; those that are made later see it at once."""
    app = Server("srv", notices=ALL)
    servers = [MemoryServer(app), MemoryServer(app)]

    @app.tool(aliases=("also",), quick=True)
    def late() -> str:
        """Come late."""
        return "late"

    for server in servers:
        assert server.error("tools/call", {"name": "late"})["code"] == -32602
    assert MemoryServer(app).call("late")["content"][0]["text"] == "late"
    app.prompts_changed()  # whatever is told, everything is taken up
    for server in servers:
        assert server.call("also")["content"][0]["text"] == "late"
        assert [tool["name"] for tool in server.result("tools/list")["tools"]] == ["late"]


def test_a_feature_is_never_seen_half() -> None:
    """While one thread registers and tells, others see each tool in the list and callable under both names."""
    app = Server("srv", notices=("tools",))
    server = MemoryServer(app)
    is_over = threading.Event()
    faults: list[Any] = []

    def register() -> None:
        for number in range(100):
            app.tool(name=f"t{number}", description="d", aliases=(f"a{number}",))(lambda: "x")
            app.tools_changed()
        is_over.set()

    registering = threading.Thread(target=register)
    registering.start()
    while not is_over.is_set():
        listed = server.result("tools/list")["tools"]
        for tool in listed[-1:]:
            alias = tool["name"].replace("t", "a")
            faults += [
                one for one in (tool["name"], alias) if "error" in server.ask("tools/call", {"name": one})
            ]
    registering.join()
    assert faults == []


def test_two_threads_cannot_register_the_same_name() -> None:
    """One of them is told so."""
    app = Server("srv")
    refused: list[str] = []

    def register() -> None:
        for number in range(50):
            try:
                app.tool(name=f"t{number}", description="d")(lambda: "x")
            except UsageError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=register) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 50


def test_a_hook_that_fails_goes_to_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    """Under an incident id, without its text; the listen is served."""
    app = Server("srv", notices=("updates",))

    @app.on_watch
    def watch(uri: str, is_watched: bool) -> None:
        raise OSError(uri)

    assert MemoryServer(app).listen(1, resourceSubscriptions=["secret:///1"])
    told = capfd.readouterr().err
    assert "on_watch: OSError" in told
    assert "incident" in told
    assert "secret" not in told


def test_a_dispatcher_that_is_gone_is_forgotten() -> None:
    """A server that makes many does not keep them."""
    import gc
    import weakref

    app = Server("srv", notices=("tools",))
    gone = weakref.ref(app.dispatcher())
    gc.collect()
    assert gone() is None
    app.tools_changed()
