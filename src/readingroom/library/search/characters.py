"""Characters: where a token begins and ends, which scripts write without spaces, and how letters are folded.

The same for texts and queries, and for every engine. Nothing here knows languages, fields or files. Patterns are
compiled when they are first needed: a process that never meets Chinese never pays for its ranges.
"""

import re
import unicodedata
from functools import cache

# Combining marks (Mn, Mc) that `\w` leaves out and that would cut Hindi, Arabic or decomposed Latin words in pieces,
# with the joiners, the soft hyphen and the variation selectors, which stand inside words and say nothing.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0816-\u082d\u0859-\u085b\u0898-\u089f"
    "\u08ca-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a03"
    "\u0a3c-\u0a4d\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0bd7"
    "\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18-\u0f39\u0f71-\u0f87\u102b-\u103e"
    "\u1056-\u1059\u135d-\u135f\u17b4-\u17d3\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
)
# Scripts written without spaces between words, and Hangul, whose words take particles: indexed as pairs of characters.
_RUNS = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u3096"
    "\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uffdc\U00020000-\U000323af"
)
_RUN = f"[{_RUNS}]"
_PIECES = f"[{_RUNS}]+|[^{_RUNS}]+"
# Marks of those scripts, which stay with the character they stand on.
_RUN_MARKS = (
    "[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u3099\u309a]"
)
# Characters of runs that have another normal form: alone, or with the mark that follows.
_UNUSUAL = (
    "[\u0e33\u0eb3\u2e80-\u2fdf\u3131-\u318e\uf900-\ufaff\U0002f800-\U0002fa1f]|[\u1100-\u11ff]+|[\u3041-\u30ff]"
    "[\u3099\u309a]|[\uff66-\uffdc][\uff9e\uff9f]?"
)
# The first character that may belong to a run; whatever is below need not be looked at.
FIRST_RUN = "\u0e00"
_JOINING = "[\u00ad\u200c\u200d\ufe00-\ufe0f]"
# Each picture is a word of its own; what gives it a skin is none.
_PICTURES = (
    "\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa"
    "\U0001f400-\U0001faff"
)
_WORD = f"[\\w{_MARKS}]+(?:\\+\\+|#(?!\\w))?"
_PICTURE = f"[{_PICTURES}]"
_IGNORED = dict.fromkeys((0xAD, 0x200C, 0x200D, *range(0xFE00, 0xFE10)))
_FOLDED = str.maketrans(
    {"ё": "е", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss"}
    | {"ʼ": "'", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ـ": None}
)


@cache
def _compiled(pattern: str) -> "re.Pattern[str]":
    return re.compile(pattern)


def tokens_of(text: str) -> list[str]:
    """The tokens of a text as they stand in it: word characters with their marks, and the `++` or `#` of C++ and C#;
    and pictures."""
    # to look for both at once takes twice the time
    has_pictures = not text.isascii() and _compiled(_PICTURE).search(text) is not None
    found: list[str] = _compiled(f"{_WORD}|{_PICTURE}" if has_pictures else _WORD).findall(text)
    return found


def goes_on(character: str) -> bool:
    """Whether a word beside the character would be part of a longer one."""
    return _compiled(_WORD).match(character) is not None


def pieces(token: str) -> list[str]:
    """The token cut where a script without spaces begins or ends; the pieces joined are the token."""
    if token < FIRST_RUN and max(token, default="") < FIRST_RUN:
        return [token]
    return _compiled(_PIECES).findall(token)


def has_run(text: str) -> bool:
    """Whether any part of a text is of a script written without spaces."""
    return _compiled(_RUN).search(text) is not None


def is_run(piece: str) -> bool:
    """Whether a piece (see `pieces`) is of a script written without spaces."""
    return piece >= FIRST_RUN and _compiled(_RUN).match(piece) is not None


def clusters(run: str) -> list[str]:
    """The characters of a run, each with the marks that stand on it."""
    if not _compiled(_RUN_MARKS).search(run):
        return list(run)
    return _compiled(f"(?s:.){_RUN_MARKS}*").findall(run)


def normal_runs(text: str) -> tuple[str, list[int]]:
    """A text with its runs in normal form, and for every character of that, where in the text it comes from.

    The list is empty when the two are the same; what is no run may stay as it is.
    """
    plain: list[str] = []
    back: list[int] = []
    done = 0
    for found in _compiled(_UNUSUAL).finditer(text):
        start, end = found.span()
        form = normal(found[0])
        plain += text[done:start], form
        back += range(done, start)
        back += [min(start + offset, end - 1) for offset in range(len(form))]
        done = end
    if not done:
        return text, []
    back += range(done, len(text))
    return "".join([*plain, text[done:]]), back


def normal(text: str) -> str:
    """The text in compatibility form (NFKC), without characters that only join or format."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    return text.translate(_IGNORED) if _compiled(_JOINING).search(text) else text


def lowered(word: str) -> str:
    """A normal word without case; what stemmers are given. `İ` becomes `i`, as its readers expect."""
    return word.lower() if word.isascii() else word.replace("İ", "i").casefold()


def folded(word: str) -> str:
    """A lowered word without the accents of Latin and Greek, `ё` as `е`; й, ї and the marks of other scripts stay."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(_FOLDED))
    if not _compiled("[\u0300-\u036f\u064b-\u0652]").search(decomposed):
        return unicodedata.normalize("NFC", decomposed)
    kept: list[str] = []
    base = ""
    for character in decomposed:
        if "\u0300" <= character <= "\u036f":
            if base and (base < "\u0400" or "\u1e00" <= base < "\u2000"):
                continue
            kept.append(character)
        elif not "\u064b" <= character <= "\u0652":
            kept.append(character)
            base = character
    return unicodedata.normalize("NFC", "".join(kept))
