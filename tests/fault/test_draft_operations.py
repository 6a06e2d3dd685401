"""Operation keys across processes: what was acknowledged is kept, and done once, whoever asks again."""

import threading
from pathlib import Path
from typing import Any

import pytest

from support.carriers import Stdio
from support.messages import META
from support.processes import PATIENCE
from support.shelves import Shelves


@pytest.fixture
def place(tmp_path: Path) -> Shelves:
    """A folder with one document."""
    shelves = Shelves(tmp_path)
    shelves.write("fees.md", "# Fees\n\nTen cents.\n")
    return shelves


def server(place: Shelves, principal: str = "me") -> Stdio:
    """An editor's server of its own."""
    return Stdio(
        str(place.docs),
        *("--cache", str(place.cache)),
        *("--ledger", str(place.docs.parent / "ledger")),
        *("--role", "editor", "--principal", principal),
    )


def call(at: Stdio, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; its result."""
    result: dict[str, Any] = at.ask("tools/call", name=name, arguments=arguments)["result"]
    return result


def create(at: Stdio, operation: str, content: str = "x") -> dict[str, Any]:
    """Propose a new document."""
    return call(
        at, "draft_create", operation=operation, kind="create", path=f"{operation}.md", content=content
    )


def test_a_key_is_answered_again_after_a_kill(place: Shelves) -> None:
    """With the very answer that was stored; with other content it is refused, whichever process asks."""
    first = server(place)
    kept = create(first, "operation-1")["structuredContent"]
    withdrawn = call(first, "draft_withdraw", operation="operation-2", draft=kept["draft"])[
        "structuredContent"
    ]
    first.close(kill=True)
    second = server(place)
    since = {"replayed": True, "state_now": "withdrawn"}
    assert create(second, "operation-1")["structuredContent"] == {**kept, **since}
    again = call(second, "draft_withdraw", operation="operation-2", draft=kept["draft"])["structuredContent"]
    assert again == {**withdrawn, **since}
    assert create(second, "operation-1", "y")["structuredContent"]["code"] == "operation_reused"
    assert len(call(second, "draft_list")["structuredContent"]["items"]) == 1
    second.close()


def test_two_servers_share_keys_and_drafts_of_one_principal(place: Shelves) -> None:
    """And each principal has its own."""
    one, two, other = server(place), server(place), server(place, "other")
    kept = create(one, "operation-1")["structuredContent"]
    assert create(two, "operation-1")["structuredContent"] == {**kept, "replayed": True, "state_now": "open"}
    assert call(two, "draft_read", draft=kept["draft"])["structuredContent"]["draft"]["draft_revision"] == 1
    assert create(other, "operation-1")["structuredContent"]["draft"] != kept["draft"]
    assert call(other, "draft_read", draft=kept["draft"])["structuredContent"]["code"] == "draft_not_found"
    for at in (one, two, other):
        at.close()


def test_many_at_once_with_the_same_keys(place: Shelves) -> None:
    """Four servers send the same twenty calls: each is carried out once, and all others get its answer."""
    servers = [server(place) for _ in range(4)]
    answers: dict[str, list[dict[str, Any]]] = {f"operation-{number:02}": [] for number in range(20)}
    together = threading.Barrier(len(servers))

    def send(at: Stdio) -> None:
        together.wait(PATIENCE)
        for operation, told in answers.items():
            told.append(create(at, operation))

    threads = [threading.Thread(target=send, args=(at,)) for at in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    for told in answers.values():
        structured = [result["structuredContent"] for result in told]
        assert len({result["draft"] for result in structured}) == 1
        assert sorted(result.get("replayed", False) for result in structured) == [False, True, True, True]
    assert len(call(servers[0], "draft_list")["structuredContent"]["items"]) == 20
    for at in servers:
        at.close()


def test_a_server_that_is_killed_in_between_leaves_each_call_whole_or_undone(place: Shelves) -> None:
    """What was acknowledged is there; what was not is kept whole under its key, or can be sent again."""
    for turn in range(3):
        at = server(place)
        create(at, f"warm-{turn:04}")
        for number in range(8):
            at.send(
                {
                    "jsonrpc": "2.0",
                    "id": 1000 + number,
                    "method": "tools/call",
                    "params": {
                        "name": "draft_create",
                        "arguments": {
                            "operation": f"turn-{turn}-{number}",
                            "kind": "create",
                            "path": f"{turn}-{number}.md",
                            "content": "x" * 50_000,
                        },
                        "_meta": META,
                    },
                }
            )
        acknowledged = {at.hear()["id"] for _ in range(turn + 1)}
        at.close(kill=True)
        again = server(place)
        for number in range(8):
            result = call(
                again,
                "draft_create",
                operation=f"turn-{turn}-{number}",
                kind="create",
                path=f"{turn}-{number}.md",
                content="x" * 50_000,
            )["structuredContent"]
            assert result["state"] == "open"
            if 1000 + number in acknowledged:
                assert result["replayed"] is True
        items = call(again, "draft_list", state="open")["structuredContent"]["items"]
        assert len([item for item in items if item["path"].startswith(f"{turn}-")]) == 8
        again.close()
