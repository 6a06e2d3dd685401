"""What the passphrase's side of the operator's room refuses. Each text is a sentence for the person who decides."""

from ..errors import LibraryError


class NotDecided(LibraryError):
    """Root of these: nothing was decided."""


class NoPassphrase(NotDecided):
    """No passphrase is set for this folder yet, so nothing can be decided."""


class PassphraseSet(NotDecided):
    """There is a passphrase already: the old one is asked for, or the chain is begun anew by a reset."""


class PassphraseUnfit(NotDecided):
    """A new passphrase is too short, too long, or holds what cannot be typed again."""


class WrongPassphrase(NotDecided):
    """The passphrase is not that of the chain. `wait` is how many seconds pass before the next one is looked at."""

    def __init__(self, text: str, wait: float) -> None:
        super().__init__(text)
        self.wait = wait


class TooSoon(NotDecided):
    """After wrong passphrases the next one is not looked at for `wait` seconds yet."""

    def __init__(self, text: str, wait: float) -> None:
        super().__init__(text)
        self.wait = wait


class KeyExpired(NotDecided):
    """The key is no longer kept, or is not that of the chain any more: the passphrase is to be typed again."""
