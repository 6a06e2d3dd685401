"""`readingroom operator`: sets the passphrase with which everything is decided, changes it, or begins anew without it."""

from argparse import ArgumentParser, Namespace

from .. import exit_codes, options
from ..characters import one_line
from ..console import Console
from ..deciding import Undecided, asked
from ..operating import Operating, operating
from ..person import Person, person_at
from ..settings import settings_from

USAGE = "[options] set|reset FOLDER"
DESCRIPTION = """\
Set the passphrase that publishing, rejecting and undoing ask for, or change it; the old one is asked for then.

`reset` is for a passphrase that was forgotten: it begins a new chain of decisions under a new one. The decisions before
it stay, but can no longer be checked one by one, and the journal says that the passphrase was reset.

The passphrase is typed at a terminal, never given by an argument, a variable, a file or a pipe. It is kept nowhere. Never
type it into an AI app, nor where one can read along."""
EXAMPLES = (
    ("readingroom operator set ~/articles", "the first passphrase of a folder, or another one"),
    ("readingroom operator reset ~/articles", "when it was forgotten"),
)
_TRIES = 3


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("action", metavar="ACTION", choices=("set", "reset"), help="set or reset")
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    options.add(parser, options.JOURNAL)


def run(values: Namespace, console: Console) -> int:
    """Do it. Raises: NoPerson, Undecided; what the passphrase's side refuses; what opening a ledger raises."""
    settings = settings_from(vars(values), console.environment)
    with person_at(console.out) as person, operating(settings, console.err) as opened:
        if values.action == "reset":
            _reset(opened, person, console)
        else:
            _set(opened, person, console)
    console.out.line(
        f"The passphrase of {one_line(settings.folder)} is set. Nobody can tell it to you again."
    )
    return exit_codes.OK


def _set(opened: Operating, person: Person, console: Console) -> None:
    from ...library.operator import set_passphrase

    with opened.ledger.reading() as reading:
        is_set = reading.chain() is not None
    old = None
    if is_set:
        key, old = asked(opened.ledger, person, console.out, "Passphrase until now")
        key.forget()
    new = _new(person, console)
    set_passphrase(opened.ledger, opened.name, new, old, manifest=opened.operator.manifest()).forget()


def _reset(opened: Operating, person: Person, console: Console) -> None:
    from ...library.operator import NoPassphrase, reset_passphrase

    with opened.ledger.reading() as reading:
        if reading.chain() is None:
            raise NoPassphrase(
                "No passphrase is set for this folder yet, so there is none to reset: use `operator set`."
            )
    console.out.line(
        "A new chain of decisions begins, and the journal says that the passphrase was reset. Who decided before can no "
        "longer be checked, only that nothing is altered from now on. Run `readingroom log --verify` first if you can."
    )
    if person.ask("Type: reset > ") != "reset":
        raise Undecided("nothing was reset")
    new = _new(person, console)
    reset_passphrase(opened.ledger, opened.name, new, manifest=opened.operator.manifest()).forget()


def _new(person: Person, console: Console) -> str:
    """Ask for a new passphrase, twice. Raises: PassphraseUnfit or Undecided when three were no good."""
    from ...library.operator import PassphraseUnfit, fit

    tries = 0
    while True:
        tries += 1
        typed = person.secret("New passphrase: ")
        try:
            fit(typed)
        except PassphraseUnfit as error:
            if tries == _TRIES:
                raise
            console.out.line(str(error))
            continue
        if person.secret("The same again: ") == typed:
            return typed
        if tries == _TRIES:
            raise Undecided("the two were not the same; nothing was set")
        console.out.line("The two were not the same.")
