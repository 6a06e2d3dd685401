"""Whatever a server writes into a refusal or sends a browser back with, the client says what it is."""

import contextlib
from urllib.parse import urlencode

from hypothesis import given
from hypothesis import strategies as st

from readingroom import LoginFailed
from readingroom.client.oauth_attempts import Attempt, NotOurs
from readingroom.client.oauth_challenges import LONGEST, NotAChallenge, bearer_of, read
from readingroom.protocol.authorization import Challenges

SCOPES = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters='"\\'), min_size=1, max_size=20
)
PIECES = st.sampled_from(
    ["Bearer", "Basic", " ", ",", "=", '"', "\\", "a", "realm", "scope", "\t", "é", "abc==", "/", "\n"]
)


@given(
    st.lists(SCOPES, max_size=8, unique=True),
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=60),
)
def test_what_our_servers_write_is_read(scopes: list[str], metadata: str) -> None:
    """Every character of it."""
    challenge = Challenges(metadata=metadata).insufficient(scopes).challenge
    found = bearer_of(["Basic realm=x", challenge])
    assert found is not None
    assert found.metadata == metadata
    assert found.scopes == tuple(sorted(scopes))
    assert found.error == "insufficient_scope"


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_nonsense_is_read_or_refused(field: str) -> None:
    """And nothing else; it makes none of the others unreadable."""
    with contextlib.suppress(NotAChallenge):
        for challenge in read(field):
            assert challenge.scheme == challenge.scheme.lower()
    assert bearer_of([field, 'Bearer resource_metadata="https://a.example"']) is not None


@given(st.lists(PIECES, min_size=1, max_size=6).map("".join))
def test_long_nonsense_comes_to_an_end(piece: str) -> None:
    """The longest field that is read, whatever is repeated in it; a test takes no more than its deadline."""
    with contextlib.suppress(NotAChallenge):
        read((piece * LONGEST)[:LONGEST])


@given(
    st.text(max_size=300)
    | st.dictionaries(st.sampled_from(["state", "iss", "code", "error", "x"]), st.text(max_size=20)).map(
        urlencode
    )
)
def test_whatever_comes_back(query: str) -> None:
    """It is a code, no answer of ours, or a failure."""
    attempt = Attempt(
        issuer="https://as.example",
        tells_issuer=True,
        client_id="c",
        redirect_uri="http://127.0.0.1:1/callback",
        resource="https://a.example",
        scopes=(),
        verifier="v" * 43,
        state="s",
    )
    try:
        assert attempt.code(query)
    except (NotOurs, LoginFailed):
        return
