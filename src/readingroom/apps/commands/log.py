"""`readingroom log`: the journal of decisions, and whether it and the folder still are what was decided."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from .. import exit_codes, options
from ..console import Console
from ..counting import counted
from ..deciding import Signing, Undecided
from ..faults import UsageFault
from ..journal_text import decision_lines, journal_values, past_us_lines, verified_lines
from ..json_text import json_text
from ..operating import Operating, operating
from ..person import person_at
from ..settings import settings_from

if TYPE_CHECKING:
    from ...library.ledger import Decision
    from ...library.operator import Verified

USAGE = "[options] FOLDER"
DESCRIPTION = """\
List every decision: its number, when it was made, what it did, and by whom.

`--verify` asks for the passphrase and names every decision that was not made with it or was altered, every one that is
missing, and every file that was changed past Reading Room. `--accept` does the same, shows what changed in each file, and
then takes the folder as it is now for right: changes that you made in an editor of your own are not named again.

What `--verify` cannot see: a ledger that was put back whole, together with the folder, to what both were at an earlier
time. The number of the last decision, noted down elsewhere, shows it."""
EXAMPLES = (
    ("readingroom log ~/articles", "every decision"),
    ("readingroom log ~/articles --path travel/moscow.md", "those on one file"),
    ("readingroom log ~/articles --verify", "whether all of it holds"),
    ("readingroom log ~/articles --accept", "after you have edited files yourself"),
)
_PAGE = 500
_SHOWN = 100


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help=options.FOLDER_HELP)
    parser.add_argument("--path", metavar="PATH", default="", help="only decisions on the file at this path")
    parser.add_argument("--verify", action="store_true", help="check all of it with the passphrase")
    parser.add_argument(
        "--accept", action="store_true", help="check, and then take the folder for right as it is now"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    options.add(parser, options.JOURNAL)


def run(values: Namespace, console: Console) -> int:
    """Tell, check, accept. Raises: UsageFault, NoPerson, Undecided; what deciding raises."""
    if values.accept and values.json:
        raise UsageFault("--accept asks a person, and --json is for a program; give one of them")
    settings = settings_from(vars(values), console.environment)
    with operating(settings, console.err) as opened:
        decisions = _decisions(opened, values.path)
        if values.accept:
            return _accept(opened, settings.folder, console)
        verified = _verified(opened, settings.folder, console) if values.verify else None
    if values.json:
        told: dict[str, Any] = {"decisions": journal_values(decisions)}
        if verified is not None:
            told["verified"] = {**to_builtins(verified), "sound": verified.is_sound}
            del told["verified"]["manifest"]
        console.out.line(json_text(told))
    else:
        _tell(decisions, verified, console)
    return exit_codes.OK if verified is None or verified.is_sound else exit_codes.NOTHING


def _decisions(opened: Operating, path: str) -> "list[Decision]":
    found: list[Decision] = []
    while page := opened.operator.history(found[-1].number if found else 0, _PAGE, path):
        found += page
    return found


def _tell(decisions: "Sequence[Decision]", verified: "Verified | None", console: Console) -> None:
    for decision in decisions:
        for line in decision_lines(decision, console.out.paint, console.out.whole_width):
            console.out.line(line)
    if not decisions:
        console.out.line("Nothing has been decided.")
    for line in (
        () if verified is None else verified_lines(verified, console.out.paint, console.out.whole_width)
    ):
        console.out.line(line)


def _verified(opened: Operating, folder: str, console: Console) -> "Verified":
    """Check with the passphrase; what is printed may go anywhere, for nothing is decided by it."""
    with (
        person_at(console.out, sees=False) as person,
        Signing(opened.ledger, person, console.err, folder) as signing,
    ):
        return signing.signed(opened.operator.verify)


def _accept(opened: Operating, folder: str, console: Console) -> int:
    """Show what does not hold, and decide that the folder is right as it is."""
    with person_at(console.out) as person, Signing(opened.ledger, person, console.out, folder) as signing:
        verified = signing.signed(opened.operator.verify)
        for line in verified_lines(verified, console.out.paint, console.out.whole_width):
            console.out.line(line)
        if not verified.files:
            console.out.line("The files are what was decided: there is nothing to accept.")
            return exit_codes.OK if verified.is_sound else exit_codes.NOTHING
        _tell_files(opened, verified, console)
        if not person.agrees("Take these files for right as they are?"):
            raise Undecided("nothing was accepted")
        decision = signing.signed(lambda key: opened.operator.accept(key, manifest=verified.manifest))
    for line in decision_lines(decision, console.out.paint, console.out.whole_width):
        console.out.line(line)
    return exit_codes.OK


def _tell_files(opened: Operating, verified: "Verified", console: Console) -> None:
    """Show what changed in each of the files that are to be taken for right."""
    for fault in verified.files[:_SHOWN]:
        console.out.line()
        for line in past_us_lines(opened.operator.past_us(fault), console.out.paint, console.out.whole_width):
            console.out.line(line)
    left = len(verified.files) - _SHOWN
    if left > 0:
        console.out.line(f"What changed in {counted(left, 'more file')} of those named above is NOT SHOWN.")
    console.out.line()
