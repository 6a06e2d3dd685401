"""How a passphrase becomes a check and a key: normalised, then scrypt under the chain's salt and cost. Pure but for chance.

Check and key are two halves that do not give each other away. Whoever can read the ledger can try passphrases against the
check, at scrypt's cost for each (128 MiB and some tenths of a second); so a passphrase has to be long, not clever.
"""

import hashlib
import hmac
import secrets
import unicodedata

from ..errors import LedgerUnusable
from ..ledger.model import Chain
from .refusals import PassphraseUnfit

LEAST_CHARACTERS = 8
MOST_CHARACTERS = 1024
_MOST_DECOMPOSED = 4  # characters that one becomes at most by canonical decomposition
_N, _R, _P = 2**17, 8, 1
_SALT_BYTES = 16
_KEY_BYTES = 32
_COSTS = (2**14, 2**20)


def fit(passphrase: str) -> bytes:
    """The bytes of a new passphrase.

    Raises PassphraseUnfit for one of fewer than 8 or more than 1024 characters, of one character alone, or with characters
    that are no text: controls, and what was not UTF-8.
    """
    text = unicodedata.normalize("NFC", passphrase)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise PassphraseUnfit("A passphrase holds no control characters, and is typed in UTF-8.")
    if not LEAST_CHARACTERS <= len(text) <= MOST_CHARACTERS:
        raise PassphraseUnfit(
            f"A passphrase has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters, and this one {len(text)}; "
            "several words are easier to remember than a few signs."
        )
    if len(set(text)) == 1:
        raise PassphraseUnfit("A passphrase is more than one character over and over.")
    return text.encode()


def normalised(passphrase: str) -> bytes:
    """The bytes of a passphrase that was typed, fit or not: what was typed in another form of Unicode is the same."""
    typed = passphrase[: _MOST_DECOMPOSED * 2 * MOST_CHARACTERS]
    return unicodedata.normalize("NFC", typed)[: 2 * MOST_CHARACTERS].encode("utf-8", "surrogatepass")


def new_chain(number: int, typed: bytes, began: float) -> tuple[Chain, bytes]:
    """A chain under a passphrase, with a salt of its own, and the secret of its key."""
    chain = Chain(
        number=number, salt=secrets.token_bytes(_SALT_BYTES), n=_N, r=_R, p=_P, check=b"", began=began
    )
    check, secret = derived(typed, chain)
    return Chain(number=number, salt=chain.salt, n=_N, r=_R, p=_P, check=check, began=began), secret


def derived(typed: bytes, chain: Chain) -> tuple[bytes, bytes]:
    """The check and the key's secret. Raises LedgerUnusable for costs that Reading Room never sets."""
    if not _COSTS[0] <= chain.n <= _COSTS[1] or chain.n & (chain.n - 1) or (chain.r, chain.p) != (_R, _P):
        raise LedgerUnusable(
            f"The ledger asks for scrypt with n={chain.n}, r={chain.r}, p={chain.p}: it was altered."
        )
    memory = 128 * chain.n * chain.r
    root = hashlib.scrypt(
        typed, salt=chain.salt, n=chain.n, r=chain.r, p=chain.p, maxmem=memory + 2**24, dklen=_KEY_BYTES
    )
    return hmac.digest(root, b"readingroom check 1", "sha256"), hmac.digest(
        root, b"readingroom key 1", "sha256"
    )
