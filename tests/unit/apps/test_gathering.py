"""Several libraries in one server: each opened by itself, and what readers and editors are given of them."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from readingroom.apps import compose
from readingroom.apps.gathering import Gathering
from readingroom.apps.planning import Plan, planned
from readingroom.library import FolderUnusable, Follower
from support.desks import Desk, heard
from support.processes import until


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Three folders."""
    for name, text in (
        ("notes", "A borrowed book."),
        ("manuals", "A printed book."),
        ("staff", "The safe, a book."),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# {name.title()}\n\n{text}\n")
    return tmp_path


def plan(place: Path, *names: str, config: str = "", **values: Any) -> Plan:
    """What is to be served."""
    if config:
        (place / "config.toml").write_text(config.replace("PLACE", str(place)))
        (place / "config.toml").chmod(0o600)
        values["config"] = str(place / "config.toml")
    folders = [str(place / name) for name in names]
    return planned({"folder": folders, "cache": str(place / "cache"), **values}, {})


def wait_for(opening: Any) -> None:
    """Until all that was opened has been scanned."""
    opening.library()
    for one in opening._openings.values():
        assert one._library is None or one.library().wait(60)


def found(desk: Desk, query: str = "book") -> set[str]:
    """The paths that a search finds."""
    return {item["path"] for item in desk.tool("library_search", query=query)["structuredContent"]["items"]}


def test_served_together(place: Path) -> None:
    """One desk over all; who listens hears of each; drafts are not there, and an editor is told why."""
    given = plan(place, "notes", "manuals", role="editor")
    given.check()
    opening = given.opening()
    desk = Desk(compose.server_over(opening, given.settings))
    listener = desk.listen(resourceSubscriptions=["library:///manuals/a.md"])
    wait_for(opening)
    assert found(desk) == {"notes/a.md", "manuals/a.md"}
    instructions = desk.ask("server/discover")["result"]["instructions"]
    assert "name of its collection" in instructions
    assert "Drafts are not kept here" in instructions
    assert "manuals" not in instructions
    tools = {tool["name"] for tool in desk.ask("tools/list")["result"]["tools"]}
    assert not any(name.startswith("draft_") for name in tools)
    (place / "manuals" / "a.md").write_text("# Manuals\n\nAnother text altogether.\n")
    opening._openings["manuals"].library().hint([""])  # type: ignore[union-attr]  # several are gathered
    until(lambda: bool(told := heard(listener)) and set(told) == {"library:///manuals/a.md"})
    opening.close()


def test_a_cursor_goes_on(place: Path) -> None:
    """A sealed cursor of a merged list opens its next page, and no other search's."""
    for number in range(12):
        (place / ("notes", "manuals")[number % 2] / f"n{number}.md").write_text(
            f"# N{number}\n\nThe valve {number}.\n"
        )
    given = plan(place, "notes", "manuals")
    opening = given.opening()
    desk = Desk(compose.server_over(opening, given.settings))
    wait_for(opening)
    first = desk.tool("library_search", query="valve", limit=8)["structuredContent"]
    rest = desk.tool("library_search", query="valve", limit=8, cursor=first["cursor"])["structuredContent"]
    assert len({item["path"] for page in (first, rest) for item in page["items"]}) == 12
    assert "cursor" not in rest
    assert desk.tool("library_search", query="book", cursor=first["cursor"])["isError"]
    opening.close()


def test_a_closed_collection_is_not_opened_for_readers(place: Path) -> None:
    """Over HTTP the editor's server has it, and the reader's none; on stdin a reader's does not even open it."""
    config = 'role = "editor"\n[folders."PLACE/staff"]\ninternal = ["**"]\n'
    given = plan(place, "notes", "staff", config=config)
    opening = given.opening(("reader", "editor"))
    assert isinstance(opening, Gathering)
    assert (opening.names("reader"), opening.names("editor")) == (("notes",), ("notes", "staff"))
    wait_for(opening)
    assert [item.path for item in opening.view("reader").list().items] == ["notes/a.md"]
    assert [item.path for item in opening.view("editor").list().items] == ["notes/a.md", "staff/a.md"]
    opening.close()
    readers = plan(place, "notes", "staff", config=config, role="reader").opening()
    assert isinstance(readers, Gathering)
    assert set(readers._openings) == {"notes"}
    readers.close()


def test_a_folder_that_is_missing_takes_none_down(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told on stderr, and served from the moment it is there."""
    given = plan(place, "notes", "later")
    given.check()
    assert "the collection later cannot be served now: There is no folder" in capsys.readouterr().err
    opening = given.opening()
    desk = Desk(compose.server_over(opening, given.settings))
    wait_for(opening)
    assert found(desk) == {"notes/a.md"}
    shutil.copytree(place / "manuals", place / "later")
    until(lambda: found(desk) == {"notes/a.md", "later/a.md"})
    opening.close()


def test_a_reader_is_not_told_what_the_configuration_names(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An app may read stderr, and knows only its own command line."""
    config = '[collections.notes]\nfolder = "PLACE/notes"\n[collections.hidden]\nfolder = "PLACE/none"\n'
    plan(place, config=config).check()
    assert capsys.readouterr().err == ""
    plan(place, config=config, role="editor").check()
    assert "the collection hidden cannot be served now" in capsys.readouterr().err


def test_refused_when_none_can_be_used(place: Path) -> None:
    """A server of nothing is not started."""
    with pytest.raises(FolderUnusable, match="There is no folder"):
        plan(place, "no", "none").check()


def test_prompts_lie_in_no_collection(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read once they are looked at from each folder; what is wrong with one is told."""
    (place / "prompts").mkdir()
    (place / "prompts" / "Bad name.md").write_text("x")
    config = 'prompts = "PLACE/prompts"\n'
    given = plan(place, "notes", "manuals", config=config)
    given.check()
    assert "Bad name.md is not served" in capsys.readouterr().err


def test_only_a_joint_follower_follows_several(place: Path) -> None:
    """Another would hear nothing."""
    opening = plan(place, "notes", "manuals").opening()
    opening.follow("reader", lambda: Follower(print))
    with pytest.raises(TypeError, match="joint follower"):
        opening.library()
    opening.close()
