"""A passphrase becomes a check and a key by scrypt, under costs that are fixed."""

import hashlib
import hmac
import unicodedata

import pytest
from msgspec.structs import replace

from readingroom.library.errors import LedgerUnusable
from readingroom.library.ledger.model import Chain
from readingroom.library.operator.derivation import derived, fit, new_chain, normalised
from readingroom.library.operator.refusals import PassphraseUnfit

TYPED = b"correct horse battery"


def test_a_new_chain() -> None:
    """Scrypt with n=2**17, r=8, p=1 and a salt of its own; its check and its secret say nothing of each other."""
    chain, secret = new_chain(3, TYPED, 5.0)
    assert (chain.number, chain.n, chain.r, chain.p, chain.began) == (3, 2**17, 8, 1, 5.0)
    assert (len(chain.salt), len(chain.check), len(secret)) == (16, 32, 32)
    root = hashlib.scrypt(TYPED, salt=chain.salt, n=2**17, r=8, p=1, maxmem=2**28, dklen=32)
    assert chain.check == hmac.digest(root, b"readingroom check 1", "sha256")
    assert secret == hmac.digest(root, b"readingroom key 1", "sha256")
    assert derived(TYPED, chain) == (chain.check, secret)
    assert derived(TYPED + b"x", replace(chain, n=2**14)) != (chain.check, secret)


def test_salts_differ() -> None:
    """The same passphrase in two folders gives neither the same check nor the same key."""
    one, secret = new_chain(1, TYPED, 0.0)
    two, other = new_chain(1, TYPED, 0.0)
    assert one.salt != two.salt
    assert one.check != two.check
    assert secret != other


@pytest.mark.parametrize(
    ("n", "r", "p"), [(2, 8, 1), (2**25, 8, 1), (2**17 - 1, 8, 1), (2**17, 1, 1), (2**17, 8, 9)]
)
def test_costs_that_are_never_set(n: int, r: int, p: int) -> None:
    """A ledger that asks for cheap or endless scrypt was altered; nothing is derived."""
    chain = Chain(number=1, salt=b"s" * 16, n=n, r=r, p=p, check=b"", began=0.0)
    with pytest.raises(LedgerUnusable, match="altered"):
        derived(TYPED, chain)


@pytest.mark.parametrize(
    "passphrase",
    ["12345678", "größere Wörter", "密码密码密码密码", "x y z x y z", "ab" * 512, "\u1ed9\u1fa7" * 512],
)
def test_passphrases_that_are_fit(passphrase: str) -> None:
    """Eight characters to 1,024, in any script; each can be typed again, in whichever form of Unicode it was set."""
    decomposed = unicodedata.normalize("NFD", passphrase)
    assert fit(passphrase) == fit(decomposed) == normalised(passphrase) == normalised(decomposed)


@pytest.mark.parametrize(
    ("passphrase", "why"),
    [
        ("", "8 to 1024"),
        ("seven 7", "and this one 7"),
        ("ab" * 513, "1026"),
        ("e\u0301" * 7, "and this one 7"),
        ("zzzzzzzzzz", "over and over"),
        ("with\ttabs in it", "control"),
        ("with\udc80 half pairs", "UTF-8"),
    ],
)
def test_passphrases_that_are_not(passphrase: str, why: str) -> None:
    """The refusal says what is wrong, and never what was typed."""
    with pytest.raises(PassphraseUnfit, match=why) as caught:
        fit(passphrase)
    assert not passphrase or passphrase not in str(caught.value)


def test_forms_of_unicode() -> None:
    """What one keyboard types composed and another decomposed is the same passphrase; blanks and case count."""
    assert (
        normalised("gro\u0308\u00dfer als")
        == normalised("gr\u00f6\u00dfer als")
        == fit("gr\u00f6\u00dfer als")
    )
    assert len({normalised(text) for text in ("Passphrase", "passphrase", "passphrase ", " passphrase")}) == 4


def test_anything_may_be_typed() -> None:
    """A wrong passphrase may be anything at all: it is compared, and never a fault."""
    assert normalised("\udc80\x00") == b"\xed\xb2\x80\x00"
    assert len(normalised("x" * 10**6)) == 2048
    assert normalised("ab" * 512 + "\u0323\u0302" * 5000) != fit("ab" * 512)
