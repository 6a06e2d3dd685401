"""The place to which the browser is sent back: one answer, and nothing else is one."""

import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

from readingroom import LoginFailed
from readingroom.client.oauth_attempts import NotOurs
from readingroom.transport.oauth_redirect import RedirectListener
from support.serving import free_port

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def visit(url: str) -> tuple[int, str]:
    """What a browser sees."""
    try:
        with OPENER.open(url, timeout=10) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def only(query: str) -> Callable[[str], str]:
    """Take this answer alone."""

    def take(given: str) -> str:
        if given != query:
            raise NotOurs
        return f"took {given}"

    return take


def test_an_answer() -> None:
    """The person is told, and so is who waits; a second one is none."""
    with RedirectListener() as listener:
        assert listener.redirect_uri.startswith("http://127.0.0.1:")
        listener.expect(only("code=1"))
        status, page = visit(f"{listener.redirect_uri}?code=1")
        assert (status, "Logged in" in page) == (200, True)
        assert listener.wait(10) == "took code=1"
        assert visit(f"{listener.redirect_uri}?code=1")[0] == 400


def test_what_is_no_answer_is_waited_past() -> None:
    """Other places, other attempts, connections on which nothing is said; and nothing is shown of what they sent."""
    with RedirectListener() as listener:
        assert visit(f"{listener.redirect_uri}?code=1")[0] == 400
        listener.expect(only("code=1"))
        port = int(listener.redirect_uri.split(":")[2].split("/")[0])
        with socket.create_connection(("127.0.0.1", port)):
            assert visit(f"http://127.0.0.1:{port}/favicon.ico")[0] == 404
            status, page = visit(f"{listener.redirect_uri}?code=<script>")
            assert (status, "script" in page) == (400, False)
            with pytest.raises(LoginFailed, match="nobody came back"):
                listener.wait(0.01)
            assert visit(f"{listener.redirect_uri}?code=1")[0] == 200
        assert listener.wait(10) == "took code=1"


def test_a_no() -> None:
    """Who waits hears why, and the person that it is no."""

    def take(_query: str) -> str:
        raise LoginFailed("Anna said no")

    with RedirectListener() as listener:
        listener.expect(take)
        assert "Not logged in" in visit(f"{listener.redirect_uri}?error=x")[1]
        with pytest.raises(LoginFailed, match="Anna said no"):
            listener.wait(10)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_place_that_was_given(host: str) -> None:
    """Its port and its path; another listener finds it in use."""
    uri = f"http://{host}:{free_port()}/some/where"
    with RedirectListener(uri) as listener:
        assert listener.redirect_uri == uri
        listener.expect(only("a"))
        assert visit(f"{uri.replace('localhost', '127.0.0.1')}?a")[0] == 200
        with pytest.raises(LoginFailed, match="nothing can listen at"):
            RedirectListener(uri)
    with RedirectListener(uri) as again:
        assert again.redirect_uri == uri


def test_nothing_is_left() -> None:
    """No thread, and nobody listens."""
    before = threading.active_count()
    with RedirectListener() as listener:
        port = int(listener.redirect_uri.split(":")[2].split("/")[0])
    assert threading.active_count() == before
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0
