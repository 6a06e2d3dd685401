"""`readingroom token`, as whoever runs a server uses it."""

import json
import re
import stat
import sys
import time
from pathlib import Path

import pytest

from readingroom.apps import exit_codes
from readingroom.apps.durations import seconds_of
from readingroom.apps.faults import NothingFound, UsageFault, told
from readingroom.apps.running import run
from readingroom.apps.token_text import token_lines
from readingroom.apps.tokens import check_outside, token_file
from readingroom.transport.auth_token_file import Record, TokensUnusable, changing, read
from readingroom.transport.auth_token_records import digest_of

from .streams import console, written

DAY = 24 * 3600
SECRET = re.compile(r"rr_(reader|editor)_[A-Za-z0-9_-]{43}\Z")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the tokens of a test are kept."""
    return tmp_path / "private" / "tokens.json"


def ran(file: Path, *arguments: str, code: int = 0, terminal: bool = True) -> tuple[str, str]:
    """Run the command and give what it wrote to stdout and stderr."""
    at = console(out_is_terminal=terminal)
    assert run(["token", *arguments, "--tokens", str(file)], at) == code
    return written(at.out), written(at.err)


def add(file: Path, *arguments: str) -> str:
    """Add a token and give it."""
    out, _ = ran(file, "add", "--role", "reader", *arguments)
    return out.strip()


def test_add(file: Path) -> None:
    """The token alone goes to stdout, once; what is kept of it is its hash."""
    out, err = ran(file, "add", "--role", "editor", "--label", "laptop of Anna")
    secret = out.removesuffix("\n")
    assert SECRET.match(secret)
    (record,) = read(file)
    assert record.hash == digest_of(secret).hex()
    assert (record.role, record.label, record.principal) == ("editor", "laptop of Anna", f"token-{record.id}")
    assert record.expires == record.created + 90 * DAY
    assert abs(record.created - time.time()) < 60
    assert secret not in err + file.read_text()
    assert f"Token {record.id} for the role editor; it is good until 20" in err


def test_add_to_those_that_are_there(file: Path) -> None:
    """And for whom it is to speak, and how long."""
    first = add(file)
    second = add(file, "--principal", "anna", "--expires", "12h")
    third = add(file, "--no-expiry")
    records = read(file)
    assert [record.hash for record in records] == [digest_of(one).hex() for one in (first, second, third)]
    assert records[1].principal == "anna"
    assert records[1].expires == records[1].created + 12 * 3600
    assert records[2].expires is None


def test_add_takes_long_dead_ones_away(file: Path) -> None:
    """So that the file does not grow for ever."""
    add(file)
    with changing(file) as write:
        write(tuple(Record(**{**record_fields(record), "revoked": 1}) for record in read(file)))
    add(file)
    assert [record.revoked for record in read(file)] == [None]


def record_fields(record: Record) -> dict[str, object]:
    """The fields of a record by their names."""
    return {name: getattr(record, name) for name in record.__struct_fields__}


def test_no_token_into_a_pipe(file: Path) -> None:
    """Unless it is asked for; and nothing is made before that is known."""
    with pytest.raises(UsageFault, match="--stdout"):
        ran(file, "add", "--role", "reader", terminal=False)
    assert not file.exists()
    out, _ = ran(file, "add", "--role", "reader", "--stdout", terminal=False)
    assert SECRET.match(out.strip())
    with pytest.raises(UsageFault, match="--stdout"):
        ran(file, "rotate", read(file)[0].id, terminal=False)
    assert len(read(file)) == 1


def test_list(file: Path) -> None:
    """What tokens there are, and of none what it is."""
    secrets = [add(file, "--label", "laptop"), add(file, "--no-expiry", "--principal", "anna"), add(file)]
    ran(file, "revoke", read(file)[2].id)
    ran(file, "rotate", read(file)[0].id)
    out, _ = ran(file, "list", terminal=False)
    lines = out.splitlines()
    assert lines[0].split() == ["id", "role", "principal", "made", "ends", "last", "used", "state", "label"]
    assert [line.split()[6] for line in lines[1:]] == ["rotated", "good", "revoked", "good"]
    assert lines[2].split()[2:5:2] == ["anna", "never"]
    as_json, _ = ran(file, "list", "--json", terminal=False)
    values = json.loads(as_json)
    assert [value["state"] for value in values] == ["rotated", "good", "revoked", "good"]
    assert values[0]["successor"] == values[3]["id"]
    assert values[1]["expires"] is None
    hashes = [record.hash for record in read(file)]
    assert not any(hidden in text for hidden in (*secrets, *hashes) for text in (out, as_json))


def test_list_of_nothing(file: Path) -> None:
    """Is no fault."""
    assert ran(file, "list")[0] == "There are no tokens.\n"
    assert ran(file, "list", "--json")[0] == "[]\n"


def test_lines_are_harmless_and_stand_in_columns() -> None:
    """Whatever stands in the file, however wide it is."""
    record = Record(
        id="abcdefgh", hash="0" * 64, role="reader", principal="安娜", label="\x1b[2J", created=0, expires=1
    )
    other = Record(id="hgfedcba", hash="1" * 64, role="reader", principal="anna", created=0, expires=None)
    lines = token_lines((record, other), 10.0)
    assert "\x1b" not in "".join(lines)
    assert lines[1].split()[5:7] == ["-", "expired"]
    assert lines[1].index("1970") == lines[2].index("1970") - 2 + 0 * len(lines)


def test_revoke(file: Path) -> None:
    """Once; then it is gone."""
    add(file)
    (record,) = read(file)
    out, _ = ran(file, "revoke", record.id)
    assert record.id in out
    assert read(file)[0].revoked is not None
    for token_id in (record.id, "nobody00", ""):
        with pytest.raises(NothingFound):
            ran(file, "revoke", token_id)
    assert told(NothingFound("x"))[0] == exit_codes.NOTHING


def test_rotate(file: Path) -> None:
    """A new token in place of the old, which is good for a week more, or for as long as is said."""
    old = add(file, "--principal", "anna")
    (record,) = read(file)
    out, err = ran(file, "rotate", "--overlap", "2d", record.id, "--expires", "10d")
    before, after = read(file)
    assert (digest_of(old).hex(), digest_of(out.strip()).hex()) == (before.hash, after.hash)
    assert after.principal == "anna"
    assert before.expires == after.created + 2 * DAY
    assert after.expires == after.created + 10 * DAY
    assert f"The token {record.id} is good until" in err
    assert not {old, out.strip()} & set(err.split())
    with pytest.raises(NothingFound, match="rotated already"):
        ran(file, "rotate", record.id)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "ACTION"),
        (("show",), "invalid choice"),
        (("add",), "--role must be reader or editor"),
        (("add", "--role", "operator"), "--role must be reader or editor"),
        (("add", "--role", "reader", "abcdefgh"), "takes no ID"),
        (("list", "abcdefgh"), "takes no ID"),
        (("revoke", "a", "b"), "too much was given: b"),
        (("revoke", "a", "--rol", "b"), "there is no option --rol"),
        (("revoke",), "takes the ID"),
        (("rotate",), "takes the ID"),
        (("list", "--role", "reader"), "--role is not for `token list`"),
        (("add", "--role", "reader", "--json"), "--json is not for `token add`"),
        (("revoke", "x", "--overlap", "1d"), "--overlap is not for `token revoke`"),
        (("revoke", "x", "--no-expiry"), "--no-expiry is not for"),
        (("rotate", "x", "--label", "y"), "--label is not for"),
        (("add", "--role", "reader", "--expires", "366d"), "365d at most"),
        (("add", "--role", "reader", "--expires", "0d"), "longer than nothing"),
        (("add", "--role", "reader", "--expires", "soon"), "--expires takes"),
        (("add", "--role", "reader", "--expires", "1d", "--no-expiry"), "either --expires or --no-expiry"),
        (("rotate", "x", "--overlap", "31d"), "30d at most"),
        (("add", "--role", "reader", "--label", "a\nb"), "--label must be"),
        (("add", "--role", "reader", "--label", "x" * 101), "--label must be"),
        (("add", "--role", "reader", "--principal", ""), "--principal must be"),
    ],
)
def test_what_is_not_understood(file: Path, arguments: tuple[str, ...], says: str) -> None:
    """Says what is wrong, and does nothing."""
    with pytest.raises(UsageFault, match=re.escape(says)):
        ran(file, *arguments)
    assert not file.exists()


def test_a_file_that_cannot_be_used(file: Path) -> None:
    """Is told with the code of a use that cannot be."""
    file.parent.mkdir(0o700)
    file.write_text("{")
    file.chmod(0o600)
    for arguments in (("list",), ("revoke", "x"), ("add", "--role", "reader")):
        with pytest.raises(TokensUnusable) as caught:
            ran(file, *arguments)
        assert told(caught.value)[0] == exit_codes.USAGE
    assert file.read_text() == "{"


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is named by a variable on Linux alone")
def test_the_place_that_is_meant_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform's data folder, which is its owner's alone."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert token_file(None) == token_file("default") == tmp_path / "data" / "readingroom" / "tokens.json"
    at = console(out_is_terminal=True)
    assert run(["token", "add", "--role", "reader"], at) == 0
    assert stat.S_IMODE(token_file(None).stat().st_mode) == 0o600
    assert stat.S_IMODE(token_file(None).parent.stat().st_mode) == 0o700


def test_a_place_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From where one is; an empty name is none."""
    monkeypatch.chdir(tmp_path)
    assert token_file("a/tokens.json") == tmp_path / "a" / "tokens.json"
    with pytest.raises(UsageFault):
        token_file("")


def test_tokens_lie_outside_of_what_is_served(tmp_path: Path) -> None:
    """By whatever way the folder or the file is named."""
    docs = tmp_path / "docs"
    docs.mkdir()
    check_outside(tmp_path / "tokens.json", str(docs))
    check_outside(tmp_path / "docs2" / "tokens.json", str(docs))
    for inside in (
        docs / "tokens.json",
        docs / ".hidden" / "tokens.json",
        tmp_path / "x" / ".." / "docs" / "t.json",
    ):
        with pytest.raises(UsageFault, match="inside the folder"):
            check_outside(inside, str(docs))


@pytest.mark.parametrize(
    ("text", "seconds"), [("7d", 7 * DAY), ("12h", 12 * 3600), ("30m", 1800), ("0d", 0), ("0030d", 30 * DAY)]
)
def test_spans(text: str, seconds: int) -> None:
    """Days, hours and minutes."""
    assert seconds_of(text, "--x", 365 * DAY) == seconds


@pytest.mark.parametrize("text", ["", "d", "7", "7 d", "7s", "-7d", "1.5d", "٣d", "7D", "9999999d"])
def test_what_is_no_span(text: str) -> None:
    """Is refused with the forms that are."""
    with pytest.raises(UsageFault, match="--x takes a number"):
        seconds_of(text, "--x", 365 * DAY)
