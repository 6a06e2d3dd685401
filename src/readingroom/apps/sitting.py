"""What every command begins with that decides at a terminal: the person, the door to the folder, and the key's keeper."""

from collections.abc import Iterator
from contextlib import contextmanager

from .console import Console
from .deciding import Signing
from .operating import Operating, operating
from .person import Person, person_at
from .settings import Settings


@contextmanager
def sitting(settings: Settings, console: Console) -> Iterator[tuple[Operating, Person, Signing]]:
    """Give all three, and forget the key at the end.

    Raises: NoPerson; Undecided when no passphrase is set; what `operating` raises.
    """
    with (
        person_at(console.out) as person,
        operating(settings, console.err) as opened,
        Signing(opened.ledger, person, console.out, settings.folder) as signing,
    ):
        signing.check()
        yield opened, person, signing
