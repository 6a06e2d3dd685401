"""What a session of the older era is told of changes, and the resources that it watches."""

from typing import Any

from readingroom import Server
from readingroom.limits import Limits
from support.older import NEWEST, OlderClient, handshake, notice
from support.older_asking import asking


def changed(name: str) -> Any:
    """The notification that a list has changed."""
    return notice(f"notifications/{name}/list_changed")


def test_changes_are_told_without_being_asked_for(client: OlderClient) -> None:
    """Lists always, resources when they are subscribed to; nothing else is in them."""
    asking.tools_changed()
    asking.resource_updated("a:///x")
    assert client.pushed == [changed("tools")]
    for _ in range(2):
        assert client.result("resources/subscribe", {"uri": "a:///x"}) == {}
    asking.resource_updated("a:///x")
    asking.resource_updated("a:///y")
    asking.prompts_changed()
    assert client.pushed[1:] == [
        notice("notifications/resources/updated", {"uri": "a:///x"}),
        changed("prompts"),
    ]
    for _ in range(2):
        assert client.result("resources/unsubscribe", {"uri": "a:///x"}) == {}
    asking.resource_updated("a:///x")
    asking.resources_changed()
    assert client.pushed[3:] == [changed("resources")]
    client.session.close()


def test_a_resource_is_watched_while_a_session_is_subscribed_to_it() -> None:
    """And no longer: whatever it listened to before is left."""
    app = Server("watched", notices=("updates",))
    app.resource("a:///x", name="x", description="d")(lambda: "x")
    seen: list[tuple[str, bool]] = []
    app.on_watch(lambda uri, is_watched: seen.append((uri, is_watched)))
    client = OlderClient(app)
    client.result("resources/subscribe", {"uri": "a:///x"})
    client.result("resources/subscribe", {"uri": "a:///y"})
    client.result("resources/unsubscribe", {"uri": "a:///x"})
    assert seen == [("a:///x", True), ("a:///y", True), ("a:///x", False)]
    client.session.close()
    assert seen[3:] == [("a:///y", False)]


def test_nothing_is_told_before_the_client_is_ready() -> None:
    """Nor to a server's client whose server serves no notices."""
    client = OlderClient(asking, None)
    client.take(notice("notifications/initialized"))
    client.take(handshake())
    asking.tools_changed()
    assert client.pushed == []
    client.take(notice("notifications/initialized"))
    client.take(notice("notifications/roots/list_changed"))
    asking.tools_changed()
    assert client.pushed == [changed("tools")]
    client.session.close()
    bare = OlderClient(Server("bare"))
    assert bare.error("resources/subscribe", {"uri": "a:///x"})["code"] == -32601
    assert bare.error("resources/unsubscribe", {"uri": "a:///x"})["code"] == -32601


def test_a_subscription_makes_ready() -> None:
    """Whoever subscribes takes notices, whether or not it has said so."""
    client = OlderClient(asking, None)
    client.take(handshake())
    client.result("resources/subscribe", {"uri": "a:///x"})
    asking.resource_updated("a:///x")
    assert len(client.pushed) == 1
    client.session.close()


def test_subscriptions_are_bounded() -> None:
    """A session has as many as a listener may name, and the server as many listeners as its limits say."""
    limits = Limits(listen_topics=2)
    client = OlderClient(asking, NEWEST, limits=limits)
    for name in "ab":
        client.result("resources/subscribe", {"uri": f"a:///{name}"})
    assert client.error("resources/subscribe", {"uri": "a:///c"})["code"] == -32602
    client.session.close()
    one = Server("one", notices=("updates",), limits=Limits(subscriptions=2))
    one.resource("a:///x", name="x", description="d")(lambda: "x")
    first = OlderClient(one)
    first.result("resources/subscribe", {"uri": "a:///x"})
    second = OlderClient(one)
    assert second.error("resources/subscribe", {"uri": "a:///x"})["code"] == -32603
    first.session.close()


def test_a_listener_that_cannot_be_replaced_stays() -> None:
    """The resource that there was no room for is not subscribed to; those before it are."""
    one = Server("one", notices=("updates",), limits=Limits(subscribed_bytes=1000))
    one.resource("a:///x", name="x", description="d")(lambda: "x")
    client = OlderClient(one)
    client.result("resources/subscribe", {"uri": "a:///x"})
    assert client.error("resources/subscribe", {"uri": "a:///" + "y" * 900})["code"] == -32603
    one.resource_updated("a:///x")
    assert len(client.pushed) == 1
    client.session.close()
