"""What the values of WWW-Authenticate say, whoever wrote them."""

import pytest

from readingroom.client.oauth_challenges import LONGEST, BearerChallenge, NotAChallenge, bearer_of, read

META = "https://a.example/.well-known/oauth-protected-resource/mcp"


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("", []),
        (" , ,", []),
        ("Bearer", [("bearer", {})]),
        ("Bearer ", [("bearer", {})]),
        ("Bearer realm=x", [("bearer", {"realm": "x"})]),
        ('Bearer realm="x", scope="a b"', [("bearer", {"realm": "x", "scope": "a b"})]),
        ('Bearer realm = "x" ,, scope= a', [("bearer", {"realm": "x", "scope": "a"})]),
        ('BEARER Scope="A"', [("bearer", {"scope": "A"})]),
        ('Basic realm="x", Bearer scope="a"', [("basic", {"realm": "x"}), ("bearer", {"scope": "a"})]),
        ('Bearer scope="a", Basic realm="x"', [("bearer", {"scope": "a"}), ("basic", {"realm": "x"})]),
        ("Negotiate, Bearer", [("negotiate", {}), ("bearer", {})]),
        ("Negotiate YII+/==, Bearer a=b", [("negotiate", {}), ("bearer", {"a": "b"})]),
        ("Negotiate abc=", [("negotiate", {})]),
        (r'Bearer a="\"q\", b=\\c"', [("bearer", {"a": r'"q", b=\c'})]),
        ('Bearer a="x,y", b="="', [("bearer", {"a": "x,y", "b": "="})]),
        ('Bearer\ta="1"', [("bearer", {"a": "1"})]),
    ],
)
def test_challenges(field: str, found: list[tuple[str, dict[str, str]]]) -> None:
    """Several in one field, quoted and not, with spaces where they may be."""
    assert [(one.scheme, one.parameters) for one in read(field)] == found


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("a=b", "begins with a parameter"),
        ('Bearer a="b', "does not end"),
        (r'Bearer a="b\"', "does not end"),
        ("Bearer a=1, a=2", "a twice"),
        ("Bearer a=1, A=2", "a twice"),
        ("Bearer a b", "no parameter"),
        ('Bearer "a"', "no parameter"),
        ("Bearer a=1, =2", "neither a scheme"),
        ("(x)", "neither a scheme"),
        ("Bearer " + "x" * LONGEST, "longer than"),
    ],
)
def test_what_is_no_challenge(field: str, why: str) -> None:
    """It is said why; and it is as if there was none for the flow, while other fields are read."""
    with pytest.raises(NotAChallenge, match=why):
        read(field)
    assert bearer_of([field]) is None
    assert bearer_of([field, 'Bearer scope="a"']) == BearerChallenge(scopes=("a",))


def test_a_bearer_challenge() -> None:
    """All that it says; a scope once, and none that cannot be one."""
    text = f'Bearer error="insufficient_scope", error_description="d", scope="b a  b \\"", resource_metadata="{META}"'
    assert bearer_of([text]) == BearerChallenge(META, ("b", "a"), "insufficient_scope", "d")


def test_the_one_that_names_metadata_counts() -> None:
    """Wherever it stands; without one, the first; without any, none."""
    named = f'Bearer resource_metadata="{META}"'
    assert bearer_of(['Bearer scope="x"', f"Basic realm=r, {named}"]) == BearerChallenge(META)
    assert bearer_of(['Bearer scope="x"', 'Bearer scope="y"']) == BearerChallenge(scopes=("x",))
    assert bearer_of(["Basic realm=r"]) is None
    assert bearer_of([]) is None
