"""What the editor's tools refuse: each by a code, with what to do, and without a place or another's draft."""

import json
from typing import Any

import jsonschema_rs
import pytest

from readingroom.library import DRAFT_CODES, LedgerBusy, Library
from readingroom.library.ledger import digest_of
from support.desks import Desk, desk_over
from support.drafted import MISSING, kept, revision, text
from support.shelves import Shelves

WRITING = ("draft_create", "draft_update", "draft_withdraw")


@pytest.mark.parametrize("name", ["draft_list", "draft_read", *WRITING])
def test_answers_and_refusals_keep_the_output_schema(desk: Desk, name: str) -> None:
    """Whatever a tool gives is valid by the schema that it lists, a refusal too: some clients check both."""
    schemas = {tool["name"]: tool["outputSchema"] for tool in desk.ask("tools/list")["result"]["tools"]}
    draft = kept(desk)["draft"]
    good: dict[str, dict[str, Any]] = {
        "draft_list": {},
        "draft_read": {"draft": draft},
        "draft_create": {"operation": "operation-2", "kind": "create", "path": "n.md", "content": "x"},
        "draft_update": {"operation": "operation-3", "draft": draft, "draft_revision": 1, "note": "more"},
        "draft_withdraw": {"operation": "operation-4", "draft": draft},
    }
    bad: dict[str, dict[str, Any]] = {
        "draft_read": {"draft": MISSING},
        "draft_create": {
            "operation": "operation-5",
            "kind": "edit",
            "path": "fees.md",
            "base_revision": revision(desk),
            "edits": [{"old": "ten cents", "new": "x"}],
        },
        "draft_update": {"operation": "operation-6", "draft": draft, "draft_revision": 7, "note": "more"},
        "draft_withdraw": {"operation": "operation-7", "draft": MISSING},
    }
    for arguments in (good[name], bad.get(name)):
        if arguments is None:
            continue
        result = desk.tool(name, **arguments)
        jsonschema_rs.validator_for(schemas[name]).validate(result["structuredContent"])
        assert result.get("isError", False) is (arguments is not good[name])


def test_a_refusal_has_a_code_and_says_what_to_do(desk: Desk) -> None:
    """It says first that nothing was saved, then why; the places that were meant come with their lines."""
    base = revision(desk)
    refused = desk.tool(
        "draft_create",
        operation="operation-1",
        kind="edit",
        path="fees.md",
        base_revision=base,
        edits=[{"old": "ten cents", "new": "20 cents"}],
    )
    assert refused["isError"] is True
    structured = refused["structuredContent"]
    assert structured["code"] == "edit_ambiguous"
    assert [place["line"] for place in structured["candidates"]][:2] == [3, 5]
    assert text(refused).startswith("NOT SAVED (edit_ambiguous). ")
    assert "line 3\n  > Late fees are ten cents a day." in text(refused)
    assert desk.tool("draft_list")["structuredContent"]["items"] == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"operation": "short", "kind": "create", "path": "n.md", "content": "x"}, "bad_operation"),
        ({"kind": "create", "path": "fees.md", "content": "x"}, "exists"),
        ({"kind": "create", "path": "../n.md", "content": "x"}, "bad_path"),
        ({"kind": "create", "path": "n.exe", "content": "x"}, "path_not_served"),
        ({"kind": "create", "path": ".git/n.md", "content": "x"}, "path_not_served"),
        ({"kind": "create", "path": "n.md"}, "bad_argument"),
        ({"kind": "delete", "path": "fees.md"}, "bad_argument"),
        ({"kind": "delete", "path": "gone.md", "base_revision": "sha256:" + "0" * 64}, "not_found"),
        ({"kind": "delete", "path": "fees.md", "base_revision": "sha256:" + "0" * 64}, "base_changed"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_code(desk: Desk, arguments: dict[str, Any], code: str) -> None:
    """And nothing is kept."""
    refused = desk.tool("draft_create", **{"operation": "operation-1", **arguments})
    assert (refused["isError"], refused["structuredContent"]["code"]) == (True, code)
    assert code in DRAFT_CODES
    assert desk.tool("draft_list")["structuredContent"]["items"] == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("draft_create", {"operation": "operation-1", "kind": "publish", "path": "n.md", "content": "x"}),
        ("draft_create", {"operation": "operation-1", "kind": "create", "path": "n.md", "publish": True}),
        ("draft_create", {"operation": "operation-1", "kind": "create", "path": 7, "content": "x"}),
        ("draft_update", {"operation": "operation-1", "draft": MISSING, "draft_revision": "1"}),
        (
            "draft_update",
            {"operation": "operation-1", "draft": MISSING, "draft_revision": 1, "state": "published"},
        ),
        (
            "draft_create",
            {
                "operation": "o-234567",
                "kind": "edit",
                "path": "a.md",
                "edits": [{"old": "a", "new": "b", "x": 1}],
            },
        ),
        ("draft_withdraw", {"draft": MISSING}),
        ("draft_list", {"state": "secret"}),
        ("draft_read", {"draft": MISSING, "max_chars": 1}),
    ],
)
def test_arguments_are_checked_strictly(desk: Desk, name: str, arguments: dict[str, Any]) -> None:
    """What the schema does not have is refused, and nothing of it is carried out."""
    assert desk.tool(name, **arguments)["isError"] is True
    assert desk.tool("draft_list")["structuredContent"]["items"] == []


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("arguments", [{"op": "operation-1"}, {"operation": 1}, {}])
def test_arguments_that_break_the_schema_say_that_nothing_was_done(
    desk: Desk, name: str, arguments: dict[str, Any]
) -> None:
    """As every other refusal of what writes does, ahead of what is wrong."""
    result = desk.tool(name, **arguments)
    assert result["isError"] is True
    assert text(result).startswith("NOT DONE. ")


def test_what_a_model_guesses_wrong_is_answered_with_what_there_is(desk: Desk) -> None:
    """The kinds of drafts, the arguments, the fields of an edit."""
    given = {"operation": "operation-1", "kind": "edit", "path": "fees.md"}
    told = [
        text(desk.tool("draft_create", **{**given, "kind": "merge"})),
        text(desk.tool("draft_create", **given, op="x")),
        text(desk.tool("draft_create", **given, edits=[{"old_string": "a", "new_string": "b"}])),
    ]
    assert "create, delete, edit, rename, replace" in told[0]
    assert "operation, kind, path, to, base_revision, content, edits, note" in told[1]
    assert told[2].endswith("its fields are old, new")


@pytest.mark.parametrize("tool", ["draft_list", "draft_read"])
def test_a_cursor_that_does_not_fit_says_what_helps(desk: Desk, tool: str) -> None:
    """Also one of a revision of the draft that is no more: the same call can never succeed again."""
    draft = kept(desk)["draft"]
    given: dict[str, Any] = {"cursor": "x"}
    if tool == "draft_read":
        given = {"draft": draft, "max_chars": 200}
        long = [{"old": "Late fees are ten cents", "new": "words " * 100}]
        desk.tool("draft_update", operation="operation-2", draft=draft, draft_revision=1, edits=long)
        given["cursor"] = desk.tool(tool, **given)["structuredContent"]["cursor"]
        desk.tool("draft_update", operation="operation-3", draft=draft, draft_revision=2, note="Other.")
    result = desk.tool(tool, **given)
    assert result["structuredContent"] == {"code": "bad_cursor"}
    assert text(result).endswith("Call again without cursor.")


@pytest.mark.parametrize(("encoding", "is_told"), [("cp1251", True), ("utf-8", False), ("utf-16", False)])
def test_a_guessed_encoding_is_named(desk: Desk, shelves: Shelves, encoding: str, *, is_told: bool) -> None:
    """For an edit is written in it; the tool and the resource say so, and of no encoding that is told for certain."""
    data = "Привет, мир, это письмо с вложением и ответом на вопрос\n".encode(encoding)
    (shelves.docs / "letter.md").write_bytes(data)
    draft = kept(
        desk,
        kind="edit",
        path="letter.md",
        base_revision=digest_of(data),
        edits=[{"old": "мир", "new": "дом"}],
    )
    contents = desk.ask("resources/read", uri=draft["uri"])["result"]["contents"][0]
    for told in (text(desk.tool("draft_read", draft=draft["draft"])), contents["text"]):
        assert ("does not tell its encoding: cp1251 was guessed" in told) is is_told


def test_another_s_draft_is_not_there(desk: Desk) -> None:
    """By every tool, resource and prompt it is answered as one that does not exist, byte for byte."""
    draft = kept(desk)["draft"]
    requests: list[tuple[str, dict[str, Any]]] = [
        ("tools/call", {"name": "draft_read", "arguments": {"draft": "ID"}}),
        ("tools/call", {"name": "draft_read", "arguments": {"draft": "library:///.draft/ID"}}),
        ("tools/call", {"name": "draft_withdraw", "arguments": {"operation": "operation-8", "draft": "ID"}}),
        (
            "tools/call",
            {
                "name": "draft_update",
                "arguments": {"operation": "operation-9", "draft": "ID", "draft_revision": 1, "note": "x"},
            },
        ),
        ("resources/read", {"uri": "library:///.draft/ID"}),
        ("prompts/get", {"name": "review_draft", "arguments": {"draft": "ID"}}),
    ]
    for method, members in requests:
        told = [
            desk.raw(method, json.loads(json.dumps(members).replace("ID", name)), "other").replace(
                name.encode(), b"ID"
            )
            for name in (draft, MISSING)
        ]
        assert told[0] == told[1]
        answer = json.loads(told[0])
        assert "error" in answer or answer["result"]["isError"]
    assert desk.tool("draft_read", draft=draft)["structuredContent"]["draft"]["state"] == "open"


def test_a_reader_has_no_trace_of_drafts(library: Library, desk: Desk) -> None:
    """Its tools, prompts, templates, resources and instructions are those of a server without drafts; a call is unknown."""
    draft = kept(desk)
    reader = desk_over(library, "reader")
    for method in (
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/templates/list",
        "resources/list",
    ):
        assert "draft" not in json.dumps(reader.ask(method))
    for name in (*WRITING, "draft_list", "draft_read", "draft.create", "draft.read"):
        told = [
            reader.raw("tools/call", {"name": called, "arguments": {"draft": draft["draft"]}}).replace(
                called.encode(), b"NAME"
            )
            for called in (name, "no_such_tool")
        ]
        assert told[0] == told[1]
    for uri in (draft["uri"], draft["uri"] + "x"):
        error = reader.ask("resources/read", uri=uri)["error"]
        assert (error["code"], error["message"]) == (-32602, "Resource not found")


def test_a_ledger_that_cannot_be_used_is_told_without_its_place(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By code in tools, in words elsewhere; the library's own tools go on."""

    def fail(_library: Library) -> None:
        raise LedgerBusy("The ledger /home/somebody/ledger.db is held.")

    monkeypatch.setattr(Library, "ledger", property(fail))
    for name, arguments in (
        ("draft_list", {}),
        ("draft_read", {"draft": MISSING}),
        ("draft_withdraw", {"operation": "operation-1", "draft": MISSING}),
    ):
        refused = desk.tool(name, **arguments)
        assert (refused["isError"], refused["structuredContent"]) == (True, {"code": "ledger_busy"})
        assert "/home" not in text(refused)
    ref = {"type": "ref/resource", "uri": "library:///.draft/{id}"}
    for method, members in (
        ("resources/read", {"uri": f"library:///.draft/{MISSING}"}),
        ("prompts/get", {"name": "review_draft", "arguments": {"draft": MISSING}}),
        ("completion/complete", {"ref": ref, "argument": {"name": "id", "value": ""}}),
    ):
        error = desk.ask(method, **members)["error"]
        assert "send the same call again" in error["message"]
        assert "/home" not in json.dumps(error)
    assert not desk.tool("library_read", path="fees.md").get("isError")
