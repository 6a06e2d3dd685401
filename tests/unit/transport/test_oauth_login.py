"""A login over its life: many threads, many processes, what fails on the way, and its end."""

import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from readingroom import FileLogins, LoginFailed, OAuthLogin, Refusal, UsageError
from readingroom.client.oauth_attempts import check_openable
from readingroom.transport import oauth_browser, oauth_login
from readingroom.transport.oauth_browser import open_in_browser
from readingroom.transport.oauth_store import LoginStore
from support.logins import AS, WELL, World, world
from support.serving import free_port

SERVER = f"{AS}/as"
META = f"{WELL}/mcp"


@pytest.fixture
def at() -> Iterator[World]:
    """A resource and its authorization server."""
    with world() as found:
        yield found


def age(store: LoginStore, url: str) -> None:
    """Have the token for an endpoint be over."""
    with store.changing() as write:
        logins = store.read()
        issuer = logins.endpoints[url]
        old = logins.tokens_for(url)
        assert old is not None
        over = msgspec.structs.replace(old, expires=1.0)
        write(logins.with_tokens(issuer, url, over, logins.at(issuer).token_endpoint))


def together(work: Any, count: int) -> list[Any]:
    """Do work in many threads at once, and give what came of it."""
    found: list[Any] = []
    ready = threading.Barrier(count)

    def run() -> None:
        ready.wait()
        found.append(work())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_many_threads_ask_one_person_once(at: World) -> None:
    """The others wait for what comes of it."""
    login = at.login()
    assert together(lambda: at.ask(login), 8) == [200] * 8
    assert len(at.told("/authorize")) == 1
    assert len(at.told("/token")) == 1


def test_many_processes_use_a_refresh_token_once(at: World, tmp_path: Path) -> None:
    """The others take what came of it; a refresh token that is used twice may end all of them."""
    place = tmp_path / "private" / "logins.json"
    at.ask(at.login(logins=FileLogins(place)))
    age(FileLogins(place), at.url)
    at.tokens.clear()
    assert together(lambda: at.ask(at.login(logins=FileLogins(place), ask=False)), 6) == [200] * 6
    assert [one["grant_type"] for one in at.told("/token")] == ["authorization_code", "refresh_token"]


def test_what_another_process_was_given(at: World) -> None:
    """It is used before anybody is asked, and belongs to another login."""
    first, second = at.login(), at.login()
    assert at.ask(first) == at.ask(second) == 200
    before = second.principal
    at.tokens.clear()
    assert at.ask(first) == 200
    assert at.ask(second) == 200
    assert len(at.told("/token")) == 2
    assert first.principal == before
    assert second.principal not in (None, before)


def test_principals(at: World) -> None:
    """None before there is a token; the same when it is made anew; another after another login."""
    login = at.login()
    assert login.principal is None
    at.ask(login)
    first = login.principal
    at.tokens.clear()
    at.ask(login)
    assert login.principal == first
    at.tokens.clear()
    at.refreshing.clear()
    at.ask(login)
    assert login.principal not in (None, first)


def test_a_token_that_is_over_is_made_anew_before_it_is_sent(at: World) -> None:
    """The server is not bothered with it."""
    at.ask(at.login())
    age(at.logins, at.url)
    assert at.ask(at.login(ask=False)) == 200
    sent = [one.fields.get("authorization") for one in at.asked if one.path == "/mcp"]
    assert len(sent) == 3


def test_a_token_without_a_refresh_token(at: World) -> None:
    """When it is over, nothing is sent, and the person is asked."""
    at._made = lambda scopes: {**World._made(at, scopes), "refresh_token": None}  # type: ignore[method-assign]  # a server that gives none
    at.ask(at.login())
    age(at.logins, at.url)
    assert at.login().header(at.url) is None
    assert at.ask(at.login()) == 200
    assert len(at.told("/authorize")) == 2


@pytest.mark.parametrize(
    ("error", "outcome", "clients"),
    [("invalid_grant", 200, 1), ("invalid_client", 200, 2), ("server_error", "made no token anew", 1)],
)
def test_a_refresh_that_is_refused(at: World, error: str, outcome: Any, clients: int) -> None:
    """The person is asked again, and a client that is not known any more registers anew; other errors are told."""
    login = at.login()
    at.ask(login)
    at.tokens.clear()
    real = at._token
    at._token = lambda asked: (  # type: ignore[method-assign]  # no more refreshing
        real(asked) if asked.told["grant_type"] != "refresh_token" else (400, {"error": error}, {})
    )
    if outcome == 200:
        assert at.ask(login) == 200
    else:
        with pytest.raises(LoginFailed, match=outcome):
            at.ask(login)
    ports = {one["redirect_uris"][0] for one in at.told("/register")}
    assert len(ports) == clients


def test_the_same_client_comes_back(at: World) -> None:
    """With the redirect URI that was registered, while its port is free; else it registers anew."""
    at.ask(at.login())
    at.tokens.clear()
    at.refreshing.clear()
    at.ask(at.login())
    assert len(at.told("/register")) == 1
    from readingroom.transport.oauth_redirect import RedirectListener

    at.tokens.clear()
    at.refreshing.clear()
    with RedirectListener(at.told("/register")[0]["redirect_uris"][0]):
        assert at.ask(at.login()) == 200
    assert len(at.told("/register")) == 2


def test_a_client_whose_secret_is_over_registers_anew(at: World) -> None:
    """It would be refused."""
    at.pages["/as/register"] = (201, {"client_id": "x", "client_secret": "s", "client_secret_expires_at": 1})
    at.ask(at.login())
    at.tokens.clear()
    at.refreshing.clear()
    assert at.ask(at.login()) == 200
    assert len(at.told("/register")) == 2


def test_a_client_that_was_given_once_is_known(at: World) -> None:
    """To later logins, which are given nothing; and tokens of another client are not used by one that is given."""
    uri = f"http://127.0.0.1:{free_port()}/callback"
    assert at.ask(at.login(client_id="mine", client_secret="s", redirect_uri=uri)) == 200
    at.tokens.clear()
    at.refreshing.clear()
    assert at.ask(at.login()) == 200
    assert {one["client_id"] for one in at.told("/authorize")} == {"mine"}
    assert {one["redirect_uri"] for one in at.told("/authorize")} == {uri}
    assert at.login(client_id="other").header(at.url) is None
    assert at.ask(at.login(client_id="other")) == 200
    assert at.told("/authorize")[-1]["client_id"] == "other"


def test_a_resource_with_several_servers(at: World) -> None:
    """The one where the client is known comes first; else the first."""
    at.changed[META] = {"authorization_servers": [f"{at.base}/as2", at.issuer]}
    assert at.ask(at.login(client_id="mine", issuer=at.issuer)) == 200
    assert at.paths("/authorize") == ["/as/authorize"]
    at.logins = type(at.logins)()
    assert at.ask(at.login()) == 200
    assert at.paths("/authorize")[-1] == "/as2/authorize"
    at.tokens.clear()
    at.refreshing.clear()
    at.changed[META] = {"authorization_servers": [at.issuer, f"{at.base}/as2"]}
    assert at.ask(at.login()) == 200
    assert at.paths("/authorize")[-1] == "/as2/authorize"


def test_a_server_that_refuses_what_it_has_asked_for(at: World) -> None:
    """The person is asked once, and it is told."""
    at._mcp = lambda _asked: (401, {}, {"WWW_Authenticate": at.challenge or ""})  # type: ignore[method-assign]  # it lets nobody in
    with pytest.raises(LoginFailed, match="has just given"):
        at.ask(at.login())
    assert len(at.told("/authorize")) == 1


def test_refusals_that_no_login_helps_against(at: World) -> None:
    """A 403 that is not for want of scopes, or that names none that are new."""
    login = at.login()
    at.ask(login)
    told = {"url": at.url, "status": 403, "sent": login.header(at.url), "operation": "x"}
    for challenges in ((), ("Basic a=b",), ("Bearer",), ('Bearer error="insufficient_scope", scope="read"',)):
        assert not login.challenged(Refusal(**told, challenges=challenges))
    assert len(at.told("/authorize")) == 1


def test_many_operations(at: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of them does not grow without end."""
    monkeypatch.setattr(oauth_login, "_REMEMBERED", 2)
    login = at.login()
    at.ask(login)
    for number in range(4):
        at.needed = (f"more-{number}",)
        assert at.ask(login, f"tools/call {number}") == 200
    assert len(login._steps) == 2


def test_nobody_is_asked_when_nobody_may_be(at: World) -> None:
    """It is said what to do."""
    with pytest.raises(LoginFailed, match=f"run: readingroom login {at.url}"):
        at.ask(at.login(ask=False))
    assert at.paths() == ["/mcp"]


def test_the_first_login_and_the_last(at: World) -> None:
    """It may be made before it is asked for; after the end of it nothing is left of it, nor of the client."""
    login = at.login()
    tokens = login.log_in(at.url, (at.challenge or "",))
    assert at.ask(login) == 200
    assert tokens.granted == ("read",)
    assert login.log_out(at.url)
    assert at.logins.read().issuers == {}
    assert login.header(at.url) is None
    assert not login.log_out(at.url)


def test_the_end_of_one_login_of_two(at: World) -> None:
    """Who the client is stays known for the other."""
    login = at.login()
    login.log_in(at.url)
    with at.logins.changing() as write:
        tokens = at.logins.read().tokens_for(at.url)
        assert tokens is not None
        write(at.logins.read().with_tokens(at.issuer, f"{at.base}/other", tokens, "x"))
    assert login.log_out(at.url)
    assert at.logins.read().at(at.issuer).client is not None


def test_servers_that_fail(at: World) -> None:
    """It is told, and nothing goes on."""
    at.pages[META] = (503, {})
    with pytest.raises(LoginFailed, match="try again later"):
        at.ask(at.login())
    at.pages = {"/as/token": (400, {"error": "invalid_client", "error_description": "who?"})}
    with pytest.raises(LoginFailed, match="gave no token: invalid_client who"):
        at.ask(at.login())
    assert at.logins.read().at(at.issuer).client is None
    at.pages = {SERVER: (302, {})}
    with pytest.raises(LoginFailed, match="has no metadata"):
        at.ask(at.login())


def test_a_browser_and_its_person(at: World) -> None:
    """Without a URL to come back to, the browser is waited for; and not for ever."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def person(url: str) -> None:
        with opener.open(at.person(url), timeout=10) as page:
            assert b"Logged in" in page.read()

    assert at.ask(at.login(open_url=person)) == 200
    at.tokens.clear()
    at.refreshing.clear()
    with pytest.raises(LoginFailed, match="nobody came back"):
        at.ask(at.login(open_url=lambda _url: None, patience=0.01))


@pytest.mark.parametrize("opens", [True, False, OSError("no")])
def test_the_browser(monkeypatch: pytest.MonkeyPatch, opens: Any) -> None:
    """Gets the URL as it is; where there is none, it is said what to do."""
    opened: list[str] = []

    def browser(url: str) -> bool:
        opened.append(url)
        if isinstance(opens, OSError):
            raise opens
        return bool(opens)

    monkeypatch.setattr(oauth_browser.webbrowser, "open", browser)
    url = "https://as.example/a?b=c&d=%22;x"
    if opens is True:
        open_in_browser(url)
    else:
        with pytest.raises(LoginFailed, match="--no-browser"):
            open_in_browser(url)
    assert opened == [url]
    with pytest.raises(LoginFailed):
        open_in_browser("file:///x")
    assert opened == [url]
    check_openable(url)


@pytest.mark.parametrize(
    "given",
    [
        {"client_secret": "s"},
        {"scopes": ["a b"]},
        {"verify": False},
        {"redirect_uri": "https://a.example/callback"},
        {"client_metadata_url": "http://a.example/x"},
    ],
)
def test_what_cannot_be(given: dict[str, Any]) -> None:
    """Is said at once."""
    with pytest.raises(UsageError):
        OAuthLogin(**given)


def test_where_no_token_is_sent(at: World) -> None:
    """Nobody is asked for one either."""
    login = at.login()
    for use in (login.header, login.log_in, lambda url: login.challenged(Refusal(url=url, status=401))):
        with pytest.raises(UsageError, match="no token is sent there"):
            use("http://docs.example/mcp")


def test_who_has_a_token_does_not_wait_while_a_person_is_asked(at: World) -> None:
    """A step-up of one request is no business of the others."""
    asked, answered = threading.Event(), threading.Event()

    def person(url: str) -> str:
        if len(at.told("/authorize")):
            asked.set()
            assert answered.wait(30)
        return at.person(url)

    login = at.login(open_url=person)
    at.ask(login)
    at.needed = ("write",)
    thread = threading.Thread(target=lambda: at.ask(login))
    thread.start()
    try:
        assert asked.wait(30)
        assert login.header(at.url) is not None
    finally:
        answered.set()
        thread.join()
    assert len(at.told("/authorize")) == 2


def test_a_private_network_that_was_allowed_once(at: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is allowed for that endpoint from then on, and for no other."""
    allowed: list[bool] = []
    real = oauth_login.Fetcher

    def fetcher(url: str, **given: Any) -> Any:
        allowed.append(given["private"])
        return real(url, **given)

    monkeypatch.setattr(oauth_login, "Fetcher", fetcher)
    at.login(private=True).log_in(at.url)
    age(at.logins, at.url)
    allowed.clear()
    login = at.login(ask=False)
    assert login.header(at.url) is not None
    assert allowed == [True]
    with pytest.raises(LoginFailed):
        at.login().log_in(f"{at.base}/other")
    assert allowed[-1] is False
