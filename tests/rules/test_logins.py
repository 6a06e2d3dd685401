"""CL: how our client has a person log in, against servers that say what they should, and what they should not."""

import logging
from urllib.parse import parse_qsl

import pytest

from readingroom import LoginFailed, OAuthLogin, UsageError
from support.logins import AS, WELL, World, rule_of

rule = pytest.mark.rule
META = f"{WELL}/mcp"
SERVER = f"{AS}/as"


# CL-1: the token ---------------------------------------------------------------------------------------------------------


@rule("CL-1", "passing")
def test_a_token_goes_with_every_request(at: World) -> None:
    """In the header alone; the first that was refused had none."""
    login = at.login()
    assert [at.ask(login), at.ask(login)] == [200, 200]
    sent = [one.fields.get("authorization") for one in at.asked if one.path == "/mcp"]
    (token,) = at.tokens
    assert sent == [None, f"Bearer {token}", f"Bearer {token}"]
    assert not any(token in path for path in at.paths())


@rule("CL-1", "violating")
def test_a_token_goes_nowhere_else(at: World) -> None:
    """Not to another endpoint, nor where it could be read on the way."""
    login = at.login()
    at.ask(login)
    assert login.header(f"{at.base}/other") is None
    with pytest.raises(UsageError):
        login.header("http://a.example/mcp")


@rule("CL-6", "passing")
def test_pkce(at: World) -> None:
    """The server holds the verifier against the challenge, and each attempt has another."""
    assert at.ask(at.login()) == 200
    at.tokens.clear()
    at.refreshing.clear()
    assert at.ask(at.login()) == 200
    begun = at.told("/authorize")
    assert [one["code_challenge_method"] for one in begun] == ["S256", "S256"]
    assert begun[0]["code_challenge"] != begun[1]["code_challenge"]
    assert begun[0]["state"] != begun[1]["state"]


@rule("CL-6", "violating")
@pytest.mark.parametrize("methods", [None, [], ["plain"]])
def test_a_server_without_pkce(at: World, methods: list[str] | None) -> None:
    """It is not used."""
    at.changed[SERVER] = {"code_challenge_methods_supported": methods}
    assert rule_of(at, at.login()) == "CL-6"
    assert not at.paths("/authorize", "/register")


# CL-7 to CL-10: what comes back, and what is asked ------------------------------------------------------------------------


@rule("CL-7", "passing")
@pytest.mark.parametrize(("promised", "iss"), [(True, "{issuer}"), (False, "{issuer}"), (False, None)])
def test_an_answer_of_the_issuer(at: World, promised: bool, iss: str | None) -> None:
    """It names itself, or has not promised to."""
    at.changed[SERVER] = {"authorization_response_iss_parameter_supported": promised}
    at.back["iss"] = iss and iss.format(issuer=at.issuer)
    assert at.ask(at.login()) == 200


@rule("CL-7", "violating")
@rule("CL-8", "violating")
@pytest.mark.parametrize(
    ("promised", "iss"),
    [(True, None), (True, "https://evil.example"), (False, "https://evil.example"), (True, "{issuer}/")],
)
def test_an_answer_of_another(at: World, promised: bool, iss: str | None) -> None:
    """The code is not used."""
    at.changed[SERVER] = {"authorization_response_iss_parameter_supported": promised}
    at.back["iss"] = iss and iss.format(issuer=at.issuer)
    assert rule_of(at, at.login()) == "CL-7"
    assert not at.paths("/token")


@rule("CL-8", "passing")
@pytest.mark.parametrize(("iss", "shown"), [("{issuer}", True), ("https://evil.example", False)])
def test_an_error_is_shown_if_it_is_the_issuer_s(at: World, iss: str, shown: bool) -> None:
    """That of another says nothing to the person."""
    at.back.update(
        code=None, error="access_denied", error_description="Anna said no", iss=iss.format(issuer=at.issuer)
    )
    with pytest.raises(LoginFailed) as raised:
        at.ask(at.login())
    assert ("Anna said no" in str(raised.value)) == shown


@rule("CL-9", "passing")
def test_the_state_comes_back(at: World) -> None:
    """The redirect goes to this machine, and is registered as it is."""
    assert at.ask(at.login()) == 200
    (begun,), (made,) = at.told("/authorize"), at.told("/register")
    assert begun["redirect_uri"].startswith("http://127.0.0.1:")
    assert made["redirect_uris"] == [begun["redirect_uri"]]
    assert len(begun["state"]) >= 32


@rule("CL-9", "violating")
def test_an_answer_with_another_state(at: World) -> None:
    """It is discarded, and so is one that goes elsewhere."""
    at.back["state"] = "other"
    assert rule_of(at, at.login()) == "CL-9"
    at.back.clear()
    assert rule_of(at, at.login(open_url=lambda url: at.person(url).replace("/callback", "/other"))) == "CL-9"
    assert not at.paths("/token")
    with pytest.raises(UsageError):
        at.login(redirect_uri="https://elsewhere.example/callback")


@rule("CL-10", "passing")
def test_the_resource_is_named(at: World) -> None:
    """In every request, as the metadata writes it."""
    at.needed = ()
    at.challenge = f'Bearer resource_metadata="{at.base}{META}"'
    at.changed[META] = {"resource": f"{at.base}/"}
    login = at.login()
    assert at.ask(login) == 200
    at.tokens.clear()
    assert at.ask(login) == 200
    assert [one["resource"] for one in at.told("/authorize") + at.told("/token")] == [f"{at.base}/"] * 3
    assert at.told("/token")[1]["grant_type"] == "refresh_token"


@rule("CL-10", "violating")
def test_a_resource_that_no_token_is_asked_for(at: World) -> None:
    """One with a fragment."""
    at.challenge = None
    at.url += "#x"
    at.pages[f"{META}#x"] = (200, at.document(META))
    with pytest.raises(LoginFailed) as raised:
        at.login().log_in(at.url)
    assert raised.value.rule in {"CL-3", "CL-10", "CL-19"}
    assert not at.paths("/authorize")


# CL-15 to CL-18: scopes and tokens ----------------------------------------------------------------------------------------


@rule("CL-15", "passing")
@pytest.mark.parametrize(
    ("challenged", "supported", "asked"),
    [("read", ["x"], "read"), ("", ["read", "list"], "read list"), ("", None, None)],
)
def test_scopes_at_first(at: World, challenged: str, supported: list[str] | None, asked: str | None) -> None:
    """Those of the challenge, else all, else no parameter."""
    at.challenge = f'Bearer scope="{challenged}"'
    at.changed[META] = {"scopes_supported": supported}
    at.needed = ()
    assert at.ask(at.login()) == 200
    assert at.told("/authorize")[0].get("scope") == asked


@rule("CL-15", "violating")
def test_scopes_that_are_none(at: World) -> None:
    """They are not asked for, whoever names them."""
    at.challenge = 'Bearer scope="read a\\"b"'
    assert at.ask(at.login()) == 200
    assert at.told("/authorize")[0]["scope"] == "read"
    with pytest.raises(UsageError):
        at.login(scopes=["a b"])


@rule("CL-16", "passing")
def test_a_step_up(at: World) -> None:
    """What is missing and what was asked before; nothing else that the resource lists."""
    at.changed[META] = {"scopes_supported": ["read", "decoy"]}
    login = at.login()
    assert at.ask(login) == 200
    at.needed = ("read", "write")
    assert at.ask(login, "tools/call write") == 200
    assert [set(one["scope"].split()) for one in at.told("/authorize")] == [{"read"}, {"read", "write"}]


@rule("CL-16", "violating")
def test_a_step_up_without_end(at: World) -> None:
    """A server that always wants another scope has its way three times; one that wants the same, not once."""
    at.needed = ()
    login = at.login()
    assert at.ask(login) == 200
    at.needed = ("never",)
    at._made = lambda scopes: {**World._made(at, ()), "scope": "read"}  # type: ignore[method-assign]  # it gives less
    assert at.ask(login) == 403
    assert len(at.told("/authorize")) == 2
    for number in range(10):
        at.needed = (f"more-{number}",)
        assert at.ask(login) == 403
    assert len(at.told("/authorize")) == 1 + 3


@rule("CL-17", "passing")
def test_refresh_tokens(at: World) -> None:
    """They are used, each once, and nobody is asked; offline_access is asked for where the server lists it."""
    at.changed[SERVER] = {"scopes_supported": ["offline_access"]}
    login = at.login()
    for _ in range(3):
        assert at.ask(login) == 200
        at.tokens.clear()
    assert len(at.told("/authorize")) == 1
    assert at.told("/authorize")[0]["scope"].split() == ["read", "offline_access"]
    used = [one["refresh_token"] for one in at.told("/token")[1:]]
    assert len(used) == len(set(used)) == 2


@rule("CL-17", "violating")
def test_a_refresh_token_that_is_over(at: World) -> None:
    """The person is asked again; and there may be none at all."""
    login = at.login()
    assert at.ask(login) == 200
    at.tokens.clear()
    at.refreshing.clear()
    assert at.ask(login) == 200
    assert len(at.told("/authorize")) == 2
    assert "offline_access" not in at.told("/authorize")[1]["scope"]


@rule("CL-18", "passing")
@pytest.mark.parametrize(
    ("methods", "header", "in_form"),
    [(["client_secret_basic"], True, False), (["client_secret_post"], False, True), (None, True, False)],
)
def test_how_a_client_shows_who_it_is(
    at: World, methods: list[str] | None, header: bool, in_form: bool
) -> None:
    """As the server can."""
    at.changed[SERVER] = {"token_endpoint_auth_methods_supported": methods}
    assert at.ask(at.login(client_id="mine", client_secret="s")) == 200
    (sent,) = (one for one in at.asked if one.path == "/as/token")
    assert ("authorization" in sent.fields) == header
    assert ("client_secret" in sent.told) == in_form


@rule("CL-18", "violating")
def test_a_server_that_takes_no_secret(at: World) -> None:
    """The secret is not sent in a way that was not offered."""
    at.changed[SERVER] = {"token_endpoint_auth_methods_supported": ["private_key_jwt"]}
    assert rule_of(at, at.login(client_id="mine", client_secret="s")) == "CL-18"
    assert not at.paths("/authorize", "/token")


# CL-19, CL-20: where nothing is sent ---------------------------------------------------------------------------------------


@rule("CL-19", "passing")
def test_this_machine_is_spoken_to_plainly(at: World) -> None:
    """Where the endpoint is on it, too."""
    assert at.url.startswith("http://127.0.0.1")
    assert at.ask(at.login()) == 200


@rule("CL-19", "violating")
@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest",
        "http://as.example/x",
        "https://10.0.0.1/x",
        "https://[::ffff:169.254.169.254]/x",
        "ftp://x/y",
    ],
)
def test_a_place_that_is_not_asked(at: World, place: str) -> None:
    """Whichever document names it."""
    at.challenge = f'Bearer resource_metadata="{place}"'
    assert rule_of(at, at.login()) == "CL-19"
    at.challenge = None
    at.changed[META] = {"authorization_servers": [place]}
    assert rule_of(at, at.login()) == "CL-19"


@rule("CL-20", "passing")
def test_what_is_opened(
    at: World, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A web address; and of the tokens nothing is said anywhere."""
    opened: list[str] = []

    def person(url: str) -> str:
        opened.append(url)
        return at.person(url)

    with caplog.at_level(logging.DEBUG):
        login = at.login(open_url=person)
        assert at.ask(login) == 200
    assert opened[0].startswith(f"{at.issuer}/authorize?")
    assert dict(parse_qsl(opened[0]))["client_id"]
    told = "".join(capfd.readouterr()) + caplog.text + repr(login) + repr(at.logins.read())
    assert not [secret for secret in (*at.tokens, *at.refreshing) if secret in told]


@rule("CL-20", "violating")
@pytest.mark.parametrize("place", ["javascript:alert(1)", "file:///etc/passwd", "vscode://x/y"])
def test_what_is_not_opened(at: World, place: str) -> None:
    """Nothing but a web address."""
    at.changed[SERVER] = {"authorization_endpoint": place}
    opened: list[str] = []
    assert rule_of(at, OAuthLogin(open_url=opened.append, logins=at.logins)) == "CL-19"
    assert opened == []
