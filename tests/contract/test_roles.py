"""What each role may, by one table: every method, tool, resource and prompt, tried over both carriers.

A reader sees what is public, an editor internal documents and its own drafts, too; who has no token, or a wrong one, gets
nothing; and nobody gets anything that decides on a draft, for that is not there.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest

from support.carriers import Http, Stdio, over_http, token
from support.messages import message
from support.processes import until
from support.shelves import Shelves

PUBLIC, INTERNAL = "library:///fees.md", "library:///staff/pay.md"
OWN, OTHERS, NO_DRAFT = "OWN", "OTHERS", "d-" + "a" * 26
Outcome = Literal["served", "refused", "unknown", "no method"]

Row = tuple[str, dict[str, Any], Outcome, Outcome]
"""A request, and what becomes of it for a reader and for an editor: `refused` is a tool's failure, `unknown` is -32602."""


def call(name: str, reader: Outcome, editor: Outcome, **arguments: Any) -> Row:
    """A row for a tool."""
    return "tools/call", {"name": name, "arguments": arguments}, reader, editor


def completing(kind: str, owner: str, argument: str, editor: Outcome, reader: Outcome) -> Row:
    """A row for a completion."""
    ref = {"type": f"ref/{kind}", "uri" if kind == "resource" else "name": owner}
    return (
        "completion/complete",
        {"ref": ref, "argument": {"name": argument, "value": ""}},
        reader,
        editor,
    )


DRAFT = f"library:///.draft/{OWN}"
TABLE: tuple[Row, ...] = (
    ("server/discover", {}, "served", "served"),
    ("tools/list", {}, "served", "served"),
    ("prompts/list", {}, "served", "served"),
    ("resources/list", {}, "served", "served"),
    ("resources/templates/list", {}, "served", "served"),
    (
        "subscriptions/listen",
        {"notifications": {"resourceSubscriptions": [DRAFT, INTERNAL]}},
        "served",
        "served",
    ),
    call("library_search", "served", "served", query="fees"),
    call("library_list", "served", "served"),
    call("library_read", "served", "served", uri=PUBLIC),
    call("library_read", "refused", "served", uri=INTERNAL),
    call("library_read", "refused", "refused", uri=DRAFT),
    call("library_outline", "served", "served", uri=PUBLIC),
    call("library_outline", "refused", "served", uri=INTERNAL),
    call("library_links", "served", "served", uri=PUBLIC),
    call("library_links", "refused", "served", uri=INTERNAL),
    call("draft_list", "unknown", "served"),
    call("draft.list", "unknown", "served"),
    call("draft_read", "unknown", "served", draft=OWN),
    call("draft_read", "unknown", "refused", draft=OTHERS),
    call("draft_read", "unknown", "refused", draft=NO_DRAFT),
    call(
        "draft_create", "unknown", "served", operation="operation-a", kind="create", path="n.md", content="x"
    ),
    call(
        "draft_create",
        "unknown",
        "refused",
        operation="operation-b",
        kind="create",
        path="fees.md",
        content="x",
    ),
    call("draft_update", "unknown", "served", operation="operation-c", draft=OWN, draft_revision=1, note="x"),
    call(
        "draft_update",
        "unknown",
        "refused",
        operation="operation-d",
        draft=OTHERS,
        draft_revision=1,
        note="x",
    ),
    call("draft_withdraw", "unknown", "refused", operation="operation-e", draft=OTHERS),
    *(
        call(f"{group}{dot}{act}", "unknown", "unknown", draft=OWN)
        for group in ("draft", "operator", "library")
        for dot in ("_", ".")
        for act in ("publish", "reject", "undo", "review", "accept", "approve")
    ),
    ("resources/read", {"uri": PUBLIC}, "served", "served"),
    ("resources/read", {"uri": INTERNAL}, "unknown", "served"),
    ("resources/read", {"uri": DRAFT}, "unknown", "served"),
    ("resources/read", {"uri": f"library:///.draft/{OTHERS}"}, "unknown", "unknown"),
    ("resources/read", {"uri": f"library:///.draft/{NO_DRAFT}"}, "unknown", "unknown"),
    ("prompts/get", {"name": "answer_from_library", "arguments": {"question": "?"}}, "served", "served"),
    ("prompts/get", {"name": "summarize_document", "arguments": {"document": PUBLIC}}, "served", "served"),
    ("prompts/get", {"name": "summarize_document", "arguments": {"document": INTERNAL}}, "unknown", "served"),
    ("prompts/get", {"name": "review_draft", "arguments": {"draft": OWN}}, "unknown", "served"),
    ("prompts/get", {"name": "review_draft", "arguments": {"draft": OTHERS}}, "unknown", "unknown"),
    completing("resource", "library:///{+path}", "path", "served", "served"),
    completing("resource", "library:///.draft/{id}", "id", "served", "unknown"),
    completing("prompt", "review_draft", "draft", "served", "unknown"),
    *(
        (method, {}, "no method", "no method")
        for method in ("drafts/publish", "operator/publish", "tasks/get", "initialize/x", "logging/setLevel")
    ),
    # Last, for there is nothing more to be done with it then.
    call("draft_withdraw", "unknown", "served", operation="operation-f", draft=OWN),
)


class Asks(Protocol):
    """One who asks over a carrier."""

    def ask(self, method: str, **members: Any) -> dict[str, Any]:
        """Send one request; its answer."""
        ...


def outcome(answer: dict[str, Any]) -> str:
    """What became of a request."""
    if "status" in answer:
        return f"HTTP {answer['status']}"
    if "error" in answer:
        return {-32602: "unknown", -32601: "no method"}.get(answer["error"]["code"], str(answer["error"]))
    return "refused" if answer.get("result", {}).get("isError") else "served"


def named(members: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """The members of a request, with the ids of the drafts that are meant."""
    told = json.dumps(members)
    for placeholder, name in names.items():
        told = told.replace(placeholder, name)
    given: dict[str, Any] = json.loads(told)
    return given


class Place:
    """A folder with a public and an internal document, a ledger with somebody else's draft, and tokens."""

    def __init__(self, place: Path) -> None:
        self.shelves = Shelves(place)
        self.shelves.write("fees.md", "# Fees\n\nTen cents.\n")
        self.shelves.document("staff/pay.md", "# Pay\n\nMuch.\n", visibility="internal")
        self.tokens = place / "private" / "tokens.json"
        self.env = {"XDG_DATA_HOME": str(place / "data"), "HOME": str(place)}
        self.arguments = [
            str(self.shelves.docs),
            *("--cache", str(self.shelves.cache)),
            *("--ledger", str(place / "ledger")),
        ]

    def stdio(self, *arguments: str) -> Stdio:
        """A process on stdin and stdout."""
        return Stdio(*self.arguments, *arguments, env=self.env)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Where all of it is."""
    return Place(tmp_path_factory.mktemp("roles"))


def keep(at: Asks, operation: str) -> str:
    """Keep a draft; its id, or that of none for who may not."""
    arguments = {"operation": operation, "kind": "create", "path": f"{operation}.md", "content": "x"}
    answer = at.ask("tools/call", name="draft_create", arguments=arguments)
    draft: str = answer.get("result", {}).get("structuredContent", {}).get("draft", NO_DRAFT)
    return draft


@pytest.fixture(scope="module")
def others(place: Place) -> str:
    """Somebody else's draft."""
    somebody = place.stdio("--role", "editor", "--principal", "somebody")
    draft = keep(somebody, "somebodys-own")
    assert draft != NO_DRAFT
    somebody.close()
    return draft


def check(at: Asks, others: str, role: Literal["reader", "editor"], tag: str) -> None:
    """Try all of the table as one role."""
    names = {OWN: keep(at, f"{tag}-draft"), OTHERS: others, "operation-": f"{tag}-key-"}
    wrong = []
    for method, members, reader, editor in TABLE:
        got = outcome(at.ask(method, **named(members, names)))
        expected = reader if role == "reader" else editor
        if got != expected:
            wrong.append(f"{method} {members}: {got}, not {expected}")
    assert wrong == []


@pytest.mark.parametrize("role", ["reader", "editor"])
def test_on_stdio(place: Place, others: str, role: Literal["reader", "editor"]) -> None:
    """The role is that of the command line."""
    at = place.stdio("--role", role, "--principal", "me")
    until(lambda: "fees.md" in json.dumps(at.ask("resources/list")))
    check(at, others, role, "stdio")
    at.close()


@pytest.mark.parametrize(
    ("variable", "role"), [("editor", "editor"), ("reader", "reader")], ids=["editor", "reader"]
)
def test_the_variable_gives_the_role_where_no_option_does(place: Place, variable: str, role: str) -> None:
    """Nothing inside a request does."""
    at = Stdio(*place.arguments, env={**place.env, "READINGROOM_ROLE": variable})
    claims = {
        "role": "editor",
        "principal": "somebody",
        "io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "1"},
    }
    at.send(message(1, "tools/list", {}, claims))
    names = [tool["name"] for tool in at.hear()["result"]["tools"]]
    assert ("draft_create" in names) is (role == "editor")
    at.close()


@pytest.fixture(scope="module")
def port(place: Place) -> Iterator[int]:
    """A server over HTTP, for tokens of both roles."""
    token(place.tokens, "reader", "first")
    with over_http(*place.arguments, "--role", "editor", "--tokens", str(place.tokens), env=place.env) as at:
        yield at


@pytest.mark.parametrize("role", ["reader", "editor"])
def test_over_http(place: Place, port: int, others: str, role: Literal["reader", "editor"]) -> None:
    """The role is that of the token, and so is the principal."""
    at = Http(port, token(place.tokens, role, f"app-{role}"))
    until(lambda: "fees.md" in json.dumps(at.ask("resources/list")))
    check(at, others, role, "http")


def test_a_draft_belongs_to_the_token_s_principal(place: Place, port: int) -> None:
    """Two tokens of one principal have the same drafts; that of another has none of them."""
    one, again, other = (
        Http(port, token(place.tokens, "editor", name)) for name in ("pair", "pair", "alone")
    )
    until(lambda: outcome(other.ask("tools/list")) == "served")
    draft = keep(one, "pair-draft")
    for at, expected in ((one, "served"), (again, "served"), (other, "refused")):
        assert outcome(at.ask("tools/call", name="draft_read", arguments={"draft": draft})) == expected


@pytest.mark.parametrize("given", ["", "rr_editor_" + "x" * 43], ids=["no token", "a wrong one"])
def test_without_rights_there_is_nothing(port: int, given: str) -> None:
    """Whatever is asked, the answer is 401, and after some wrong tokens 429; nothing is told."""
    at = Http(port, given)
    told = {outcome(at.ask(method, **members)) for method, members, _, _ in TABLE}
    assert told <= {"HTTP 401", "HTTP 429"}


def test_an_editor_s_token_is_capped_by_the_flag(place: Place, others: str) -> None:
    """Where the server is for readers an editor's token is a reader's, by the whole table."""
    secret = token(place.tokens, "editor", "capped")
    with over_http(*place.arguments, "--tokens", str(place.tokens), env=place.env) as at:
        asking = Http(at, secret)
        until(lambda: "fees.md" in json.dumps(asking.ask("resources/list")))
        check(asking, others, "reader", "capped")
