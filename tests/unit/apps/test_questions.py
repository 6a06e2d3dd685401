"""What a server asks of a person is asked at the terminal, and is never answered by itself."""

from collections.abc import Sequence
from typing import Any

import pytest

from readingroom import Elicited, ElicitForm, ElicitUrl, InputRequired, LoginFailed, RemoteError
from readingroom.apps import questions
from readingroom.apps.console import Console
from readingroom.apps.faults import UsageFault, told
from readingroom.apps.questions import Questions, Unanswered, host_of
from readingroom.transport import oauth_browser

from .streams import console, written

FORM = ElicitForm(
    "For\x1b whom?\nSay it.",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2},
            "guests": {"type": "integer", "minimum": 1, "maximum": 8, "default": 2},
            "note": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        },
        "required": ["name", "guests"],
    },
)


def at(typed: Sequence[str] | None = None) -> Console:
    """Give a console at which these lines are typed; nobody is there without."""
    return console(err_is_terminal=typed is not None, typed=typed)


def filled(typed: Sequence[str] | None, *given: str) -> tuple[Any, str]:
    """Have the form filled in, and give the answer and what was shown."""
    where = at(typed)
    asking = Questions("notes", where, given)
    answer = asking.fill_in(FORM)
    if asking.fault is not None:
        raise asking.fault
    return answer, written(where.err)


def test_a_form() -> None:
    """Field by field, with defaults, until each fits; sent when all of it is agreed to."""
    answer, shown = filled(["", "A", "Ada", "", "", "1,2", "maybe", "yes"])
    assert answer == {"name": "Ada", "guests": 2, "tags": ["a", "b"]}
    assert "notes asks you to fill in a form:" in shown
    assert "For⟨U+001B⟩ whom?\n  Say it." in shown
    assert "it cannot be left out" in shown
    assert "too short or too long" in shown
    assert "> [2] " in shown
    assert "  tags = a, b\n" in shown
    assert shown.count("Send this to notes?") == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ([":decline"], Elicited("decline")),
        ([":cancel"], None),
        ([], None),
        (["Ada", "", "", "", "no"], Elicited("decline")),
        (["Ada", "", "", "", ":cancel"], None),
        (["Ada", ""], None),
    ],
)
def test_no_answer(typed: list[str], answer: Any) -> None:
    """A person may say no, or nothing, also when all has been filled in; the end of the input is no answer."""
    assert filled(typed)[0] == answer


def test_answers_that_were_given() -> None:
    """Fields that --answer fills in are not asked for; at a terminal all of it is agreed to all the same."""
    answer, shown = filled(["", "", "yes"], "name=Ada", "guests=3")
    assert answer == {"name": "Ada", "guests": 3}
    assert "name: text" not in shown
    answer, shown = filled(None, "name=Ada", "tags=a", "tags=b")
    assert answer == {"name": "Ada", "tags": ["a", "b"]}
    assert shown == ""
    assert filled(None, "name=Ada", 'tags:=["b"]')[0] == {"name": "Ada", "tags": ["b"]}


@pytest.mark.parametrize(
    ("given", "told_of"),
    [
        (("guests=3",), "--answer name=…, or at a terminal"),
        (("name=A",), "--answer name does not fit the form: too short"),
        (("name=Ada", "guests=many"), "guests takes JSON of type integer"),
        (("name=Ada", "guests=99"), "--answer guests does not fit the form: out of range"),
    ],
)
def test_answers_that_do_not_do(given: tuple[str, ...], told_of: str) -> None:
    """The fault names the field; nothing is sent."""
    with pytest.raises((Unanswered, UsageFault)) as caught:
        filled(None, *given)
    assert told_of in str(caught.value)


def test_answers_of_several_forms() -> None:
    """One that is given again is for the next form; the last one stays."""
    asking = Questions("notes", at(), ["name=Ada", "name=Bob"])
    assert [asking.fill_in(FORM) for _ in range(3)] == [{"name": "Ada"}, {"name": "Bob"}, {"name": "Bob"}]


@pytest.mark.parametrize("word", ["x", "=y", ":=5"])
def test_answers_without_a_key(word: str) -> None:
    """They are refused before anything is started."""
    with pytest.raises(UsageFault, match="--answer takes KEY=VALUE"):
        Questions("notes", at(), [word])


@pytest.mark.parametrize(
    ("typed", "given", "names"),
    [
        (None, [], set()),
        (None, ["a=b"], {"on_elicit_form"}),
        ([], [], {"on_elicit_form", "on_elicit_url"}),
    ],
)
def test_what_is_declared(typed: list[str] | None, given: list[str], names: set[str]) -> None:
    """What nobody here can answer is not declared."""
    assert set(Questions("notes", at(typed), given).callbacks()) == names


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the addresses that were opened."""
    found: list[str] = []
    monkeypatch.setattr(oauth_browser, "open_in_browser", found.append)
    return found


@pytest.mark.parametrize(
    ("typed", "answer"),
    [(["yes"], True), (["no"], False), ([":decline"], False), ([""], None), ([], None), (["si"], None)],
)
def test_an_address(typed: list[str], answer: bool | None, opened: list[str]) -> None:
    """It is shown whole, with its host, and opened when the person agrees, and else not."""
    where = at(typed)
    url = "https://pay.example.evil.test/" + "x" * 300
    assert Questions("notes", where).agree_to_open(ElicitUrl("Pay\x1b", url)) is answer
    shown = written(where.err)
    assert f"address  {url}\n" in shown
    assert "host     pay.example.evil.test\n" in shown
    assert "Pay⟨U+001B⟩" in shown
    assert opened == ([url] if answer else [])


def test_an_address_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person agreed, and is told to open it; one that is not encrypted is said to be so."""

    def refuse(_url: str) -> None:
        raise LoginFailed("no browser")

    monkeypatch.setattr(oauth_browser, "open_in_browser", refuse)
    where = at(["y"])
    assert Questions("notes", where).agree_to_open(ElicitUrl("Pay", "http://x.test/")) is True
    assert "open it yourself" in written(where.err)
    assert "not encrypted" in written(where.err)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://x.test:8443/a", "x.test"),
        ("https://аpple.test/", "xn--pple-43d.test, which is written аpple.test"),
        (f"https://{'ü' * 70}.test/", f"{'ü' * 70}.test"),
    ],
)
def test_hosts(url: str, host: str) -> None:
    """Letters that look like others are told by the name that the network knows."""
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("error", "told_of"),
    [
        (
            RemoteError(-32021, "Missing\x1b", {"requiredCapabilities": {"elicitation": {}}}),
            "--answer KEY=VALUE",
        ),
        (InputRequired("tools/call", {"a": {"method": "elicitation/create"}}), "--answer KEY=VALUE"),
        (InputRequired("tools/call", {"a": {"method": "elicitation/create"}}, rounds=8), "asks again"),
        (InputRequired("tools/call", {"a": {"method": "sampling/createMessage"}}), "and nothing else"),
    ],
)
def test_calls_that_end_unanswered(error: Exception, told_of: str) -> None:
    """The fault says what to do, with the exit code 9."""
    with pytest.raises(Unanswered) as caught, Questions("notes", at()).settled():
        raise error
    assert told_of in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert told(caught.value)[0] == 9


def test_other_ends() -> None:
    """Other errors are what they are; a fault of an answer comes before what the server made of it."""
    with pytest.raises(RemoteError), Questions("notes", at()).settled():
        raise RemoteError(-32000, "no")
    asking = Questions("notes", at(), ["guests=1"])
    assert asking.fill_in(FORM) is None
    with pytest.raises(Unanswered, match="--answer name"), asking.settled():
        raise RemoteError(-32000, "no")
    with pytest.raises(Unanswered, match="--answer name"), asking.settled():
        pass


def test_the_option_is_told() -> None:
    """--answer stands in the help of the commands that may be asked."""
    from readingroom.apps.commands import COMMANDS
    from readingroom.apps.running import parser_of

    having = {one.name for one in COMMANDS if "--answer KEY=VALUE" in dict(parser_of(one).entries())}
    assert having == {"call", "prompt", "read"}
    assert questions.Unanswered.code == 9
