"""Which folders are collections, under which names and rules, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from readingroom.apps.collections import collections_from, is_plain
from readingroom.apps.faults import UsageFault
from readingroom.apps.planning import planned


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Some folders."""
    for name in ("notes", "manuals/sub", "other/notes", "a=b", "My old Documents"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    return tmp_path


def named(*folders: str, config: str = "", **values: Any) -> list[tuple[str, str]]:
    """The names and folders of a command line."""
    given = {"config": config or None, **values}
    found = collections_from(folders, given, {"XDG_CONFIG_HOME": "/nowhere"})
    return [(one.name, one.settings.folder) for one in found]


def test_names(place: Path) -> None:
    """The folder's own name, or the one that is given; in order."""
    notes, manuals = str(place / "notes"), str(place / "manuals")
    assert named(notes, manuals) == [("manuals", manuals), ("notes", notes)]
    assert named(f"z={manuals}/", notes) == [("notes", notes), ("z", f"{manuals}/")]
    assert named(f"{manuals}/", notes)[0][0] == "manuals"


def test_one_plain_folder_is_no_collection(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is one whose own name has the sign in it; one that is named is."""
    monkeypatch.chdir(place)
    assert is_plain(["notes"])
    assert is_plain(["a=b"])
    assert is_plain(["./a=c"])
    assert not is_plain(["x=notes"])
    assert not is_plain(["notes", "manuals"])
    assert planned({"folder": "a=b"}, {}).folders == ("a=b",)
    assert planned({"folder": ["a=b"]}, {}).collections == ()
    assert planned({"folder": "x=notes"}, {}).collections[0].name == "x"


@pytest.mark.parametrize(
    ("folders", "told"),
    [
        (["notes", "other/notes"], "would both be called notes"),
        (["notes", "N=manuals", "n=other"], "would both be called"),
        (["notes", "again=notes"], "are one folder"),
        (["notes", "link"], "are one folder"),
        (["notes", "notes"], "are one folder: give it once"),
        (["manuals", "manuals/sub"], "lies inside"),
        (["manuals/sub", "manuals"], "lies inside"),
        ([".x=notes"], "cannot be the name of a collection"),
        (["/", "notes"], "cannot be the name of a collection"),
        (["x="], "names no folder"),
        (["My", "old", "Documents"], "My old Documents is one folder"),
        ([], "give FOLDER"),
        ([f"n{number}=x{number}" for number in range(51)], "at most 50"),
    ],
)
def test_what_is_refused(place: Path, folders: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do about it."""
    monkeypatch.chdir(place)
    (place / "link").symlink_to(place / "notes")
    with pytest.raises(UsageFault, match=told):
        named(*folders)


@pytest.mark.parametrize("option", ["cache", "ledger"])
def test_what_is_kept_lies_in_no_collection(place: Path, option: str) -> None:
    """The index of one would be served by another."""
    with pytest.raises(UsageFault, match="keep it elsewhere"):
        named(str(place / "notes"), str(place / "manuals"), **{option: str(place / "manuals" / ".kept")})


def configuration(place: Path, text: str) -> str:
    """A file with this configuration."""
    file = place / "config.toml"
    file.write_text(text.replace("PLACE", str(place)))
    file.chmod(0o600)
    return str(file)


def test_collections_of_the_configuration(place: Path) -> None:
    """Served when the command line names no folder; each under its own rules, the server under the general part."""
    config = configuration(
        place,
        'role = "editor"\ninternal = ["*.draft.md"]\n'
        '[collections.work]\nfolder = "PLACE/notes"\n[collections."Мои"]\nfolder = "PLACE/manuals"\n'
        '[folders."PLACE/notes"]\nrole = "reader"\ninternal = ["**"]\n',
    )
    assert named(config=config) == [("work", str(place / "notes")), ("Мои", str(place / "manuals"))]
    work, mine = planned({"folder": [], "config": config}, {}).collections
    assert (work.is_closed, mine.is_closed) == (True, False)
    assert (work.settings.role, mine.settings.role) == ("reader", "editor")
    assert work.settings.internal == ("*.draft.md", "**")
    assert not work.is_given
    assert named(str(place / "other"), config=config) == [("other", str(place / "other"))]


def test_no_folder_is_served_with_more_than_the_server_has(place: Path) -> None:
    """A folder's own table can lower the role, and not raise it."""
    config = configuration(place, '[folders."PLACE/notes"]\nrole = "editor"\nprincipal = "x"\n')
    found = collections_from([str(place / "notes"), str(place / "manuals")], {"config": config}, {})
    assert [one.settings.role for one in found] == ["reader", "reader"]
    assert [one.settings.principal for one in found] == ["local", "local"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("collections = 1\n", "holds one table for each collection"),
        ("[collections]\nx = 1\n", "holds one table for each collection"),
        ("[collections.x]\n", "holds one table for each collection"),
        ('[collections.x]\nfolder = "relative"\n', "folder must be a full path"),
        ('[collections.x]\nfolder = "/x"\nrole = "reader"\n', "role"),
        ('[collections.".x"]\nfolder = "/x"\n', "name of a collection"),
        ('[collection.x]\nfolder = "/x"\n', "collections"),
    ],
)
def test_a_configuration_that_is_refused(place: Path, text: str, told: str) -> None:
    """Every fault by its name."""
    with pytest.raises(UsageFault, match=told):
        named(config=configuration(place, text))
