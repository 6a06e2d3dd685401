"""The clients of other SDKs as editors: drafts are kept, refused, read and told of, in each era."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.peers import Driven, text_of
from support.shelves import Shelves

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module", params=["auto", "legacy"])
def editor(
    connect: Callable[..., Driven], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driven]:
    """Give a client that stays connected to an editor's server on stdio, which keeps to the client's rules all the time."""
    place: Path = tmp_path_factory.mktemp("drafts")
    shelves = Shelves(place)
    shelves.write("fees.md", "# Fees\n\nTen cents a day, ten cents.\n")
    command = ["-m", "readingroom", "serve", str(shelves.docs), "--role", "editor"]
    command += ["--cache", str(shelves.cache), "--ledger", str(place / "ledger")]
    driven = connect(*command, mode=str(request.param))
    assert driven.connected == {"ok": "connected"}
    yield driven
    driven.close()


def test_a_draft_is_kept_and_read(editor):
    """With structure and text; the same call again is answered again; the draft is a resource."""
    asked = {"operation": "operation-1", "kind": "create", "path": "new.md", "content": "# New\n"}
    kept = editor.structured("draft_create", **asked)
    assert (kept["state"], kept["draft_revision"]) == ("open", 1)
    assert editor.structured("draft_create", **asked) == {**kept, "replayed": True, "state_now": "open"}
    assert "nothing in the folder has changed" in text_of(editor.call("draft_create", **asked))
    read = editor.structured("draft_read", draft=kept["draft"])
    assert "+# New" in read["diff"]
    assert kept["uri"] in [item["uri"] for item in editor.structured("draft_list")["items"]]
    contents = editor.ok("read", uri=kept["uri"])["contents"][0]
    assert "+# New" in contents["text"]


def test_a_refusal_reaches_the_model(editor):
    """As a failure with its code and the places that were meant, whatever the client checks of it."""
    base = editor.structured("library_read", path="fees.md")["revision"]
    told = editor.failure(
        "draft_create",
        operation="operation-2",
        kind="edit",
        path="fees.md",
        base_revision=base,
        edits=[{"old": "en cents", "new": "x"}],
    )
    assert "NOT SAVED (edit_ambiguous)" in told
    assert "line 3" in told
    assert "draft_not_found" in editor.failure("draft_read", draft="d-" + "a" * 26)


def test_a_change_of_a_draft_is_told(editor):
    """To a client that listens to its address, or has subscribed to it in the older era."""
    if editor.peer == "fastmcp":
        pytest.skip("FastMCP's client has no way to listen")
    asked = {"operation": "operation-3", "kind": "create", "path": "third.md", "content": "# Third\n"}
    kept = editor.structured("draft_create", **asked)
    arguments = {"operation": "operation-4", "draft": kept["draft"]}
    told = editor.ok("changed", name="draft_withdraw", arguments=arguments, uri=kept["uri"])
    assert kept["uri"] in str(told)
    assert editor.structured("draft_read", draft=kept["draft"])["draft"]["state"] == "withdrawn"
