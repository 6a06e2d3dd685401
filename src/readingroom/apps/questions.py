"""What a server asks of a person, asked at the terminal: forms field by field, and addresses before they are opened.

Without a terminal nothing is declared that cannot be answered; `--answer` answers forms for scripts. Callbacks may run in
any thread, where nobody would see what they raise: a fault is kept and raised when the call has ended.
"""

import threading
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import exit_codes, form_fields
from .arguments import arguments_from
from .characters import harmless, one_line
from .console import Console
from .faults import CommandFault, UsageFault

if TYPE_CHECKING:
    from ..protocol.asking import ElicitForm, ElicitUrl
    from ..protocol.asking_answers import Elicited

_MISSING_CAPABILITY = -32021
_DECLINE, _CANCEL = ":decline", ":cancel"


class Unanswered(CommandFault):
    """The server asks for something that was not answered."""

    code = exit_codes.REFUSED


class _Left(Exception):
    """The person leaves the form: by declining it, or by not answering."""

    def __init__(self, action: str) -> None:
        self.action = action


def configure(parser: ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--answer", metavar="KEY=VALUE", action="append", default=[],
        help="fill in this field of a form that the server asks for, instead of asking at the terminal; values are written "
        "as arguments are. Given again for the same field, it is for the next form that has it",
    )  # fmt: skip


class Questions:
    """Asks a person on behalf of one server, which is called `name` whatever it says of itself; one question at a time."""

    def __init__(self, name: str, console: Console, given: Sequence[str] = ()) -> None:
        """Raises: UsageFault for an answer that has no key."""
        self._name = one_line(name)
        self._console = console
        self._lock = threading.Lock()
        self._given: dict[str, list[str]] = {}
        self.fault: CommandFault | None = None
        for word in given:
            key = word.partition("=")[0].removesuffix(":")
            if "=" not in word or not key:
                raise UsageFault(f"--answer takes KEY=VALUE or KEY:=JSON, not {word!r}")
            self._given.setdefault(key, []).append(word)

    def callbacks(self) -> dict[str, Any]:
        """Give the callbacks for what can be answered here, which is what the client declares."""
        by_person = self._console.answers is not None
        found: dict[str, Any] = {}
        if by_person or self._given:
            found["on_elicit_form"] = self.fill_in
        if by_person:
            found["on_elicit_url"] = self.agree_to_open
        return found

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Within it calls are made; afterwards what was not answered is told as such. Raises: Unanswered, UsageFault."""
        from ..errors import InputRequired, ReadingRoomError, RemoteError

        try:
            yield
        except ReadingRoomError as error:
            if self.fault is not None:
                raise self.fault from error
            lacks = isinstance(error, RemoteError) and error.code == _MISSING_CAPABILITY
            if lacks or isinstance(error, InputRequired):
                raise Unanswered(f"{one_line(str(error))}; {self._what_to_do(error)}") from error
            raise
        if self.fault is not None:
            raise self.fault

    def fill_in(self, form: "ElicitForm") -> "Elicited | Mapping[str, Any] | None":
        """Have a form filled in: by what was given, and else by the person."""
        with self._lock:
            try:
                return self._filled(form)
            except CommandFault as fault:
                self.fault = self.fault or fault
                return None

    def agree_to_open(self, ask: "ElicitUrl") -> bool | None:
        """Show an address whole, with the host that it leads to, and open it when the person agrees."""
        with self._lock:
            self._begin(ask.message, "to open an address in your browser")
            self._tell(f"  address  {one_line(ask.url)}")
            self._tell(f"  host     {host_of(ask.url)}")
            if ask.url.startswith("http:"):
                self._tell("  It is not encrypted: others on the way can read and change it.")
            typed = self._ask("Open it? yes or no (Enter answers neither): ")
            word = (typed or "").strip().casefold()
            if word in ("no", "n", _DECLINE):
                return False
            if word not in ("yes", "y"):
                return None
            self._open(ask.url)
            return True

    def _filled(self, form: "ElicitForm") -> "Elicited | Mapping[str, Any] | None":
        from ..protocol.asking_answers import Elicited

        content = self._answers_for(form)
        fields: Mapping[str, Any] = form.schema["properties"]
        required = form.schema.get("required", ())
        left = [name for name in fields if name not in content]
        if self._console.answers is None:
            missing = [name for name in required if name in left and "default" not in fields[name]]
            if missing:
                wanted = " ".join(f"--answer {one_line(name)}=…" for name in missing)
                raise Unanswered(
                    f"{self._name} asks: {one_line(form.message)}; answer with {wanted}, or at a terminal"
                )
            return content
        self._begin(form.message, "to fill in a form")
        if left:
            self._tell(
                f"  {_DECLINE} says no, {_CANCEL} ends without an answer; nothing is sent before you agree."
            )
        try:
            for name in left:
                self._fill(name, fields[name], content, is_required=name in required)
            self._agree(content)
        except _Left as left_by:
            return Elicited("decline") if left_by.action == _DECLINE else None
        return content

    def _answers_for(self, form: "ElicitForm") -> dict[str, Any]:
        """Take what was given for the fields of a form; the last answer to a field stays for later forms."""
        from ..protocol.forms import field_fault

        fields: Mapping[str, Any] = form.schema["properties"]
        words: list[str] = []
        for name in fields:
            given = self._given.get(name, [])
            if fields[name]["type"] == "array":
                words += given
            elif given:
                words.append(given.pop(0) if len(given) > 1 else given[0])
        content = arguments_from(words, form.schema)
        for name, value in content.items():
            fault = field_fault(value, fields[name])
            if fault:
                raise UsageFault(f"--answer {one_line(name)} does not fit the form: {fault}")
        return content

    def _fill(self, name: str, field: dict[str, Any], content: dict[str, Any], *, is_required: bool) -> None:
        """Ask for one field until what is typed fits; an empty line takes the default or leaves the field out."""
        self._tell()
        for line in form_fields.told(name, field, is_required=is_required):
            self._tell(line)
        default = f"[{form_fields.value_text(field['default'])}] " if "default" in field else ""
        while True:
            typed = self._typed(f"> {default}")
            if typed == "" and "default" in field:
                content[name] = field["default"]
                return
            if typed == "" and not is_required:
                return
            try:
                if typed == "":
                    raise form_fields.Unreadable("it cannot be left out")  # noqa: TRY301  -- told as the others are
                content[name] = form_fields.value_from(typed, field)
                return
            except form_fields.Unreadable as error:
                self._tell(f"  {error}")

    def _agree(self, content: Mapping[str, Any]) -> None:
        """Show all that would be sent, and have it agreed to."""
        self._tell()
        for name, value in content.items():
            self._tell(f"  {one_line(name)} = {form_fields.value_text(value)}")
        while True:
            word = self._typed(f"Send this to {self._name}? yes or no: ").strip().casefold()
            if word in ("yes", "y"):
                return
            if word in ("no", "n"):
                raise _Left(_DECLINE)

    def _typed(self, question: str) -> str:
        typed = self._ask(question)
        if typed is None or typed.strip() in (_DECLINE, _CANCEL):
            raise _Left(_CANCEL if typed is None else typed.strip())
        return typed

    def _ask(self, question: str) -> str | None:
        answers = self._console.answers
        self._console.err.write(question)
        return None if answers is None else answers()

    def _begin(self, message: str, what: str) -> None:
        self._console.err.rewrite("")
        self._tell(self._console.err.paint("bold", f"{self._name} asks you {what}:"))
        for line in harmless(message).split("\n"):
            self._tell(f"  {line}")

    def _open(self, url: str) -> None:
        from ..errors import LoginFailed
        from ..transport.oauth_browser import open_in_browser

        try:
            open_in_browser(url)
        except LoginFailed:
            self._tell("It could not be opened from here; open it yourself.")

    def _tell(self, text: str = "") -> None:
        self._console.err.line(text)
        self._console.err.flush()

    def _what_to_do(self, error: Exception) -> str:
        if getattr(error, "rounds", 0):
            return "it was answered each time, and asks again: the server may not take the answers"
        asked = str(getattr(error, "requests", "")) + str(getattr(error, "data", ""))
        if "elicitation" in asked:
            return "run the command at a terminal, or answer a form with --answer KEY=VALUE"
        return "this command line can answer forms and open addresses, and nothing else"


def host_of(url: str) -> str:
    """Give the host of an address as the network knows it: letters of other scripts can look like those of another name."""
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    if host.isascii():
        return one_line(host)
    try:
        return f"{host.encode('idna').decode()}, which is written {one_line(host)}"
    except UnicodeError:
        return one_line(host)
