"""Stems: a word's stem in the language of its document or query. Snowball's algorithms, through PyStemmer.

A word of another script than its language's takes the stemmer of its own script (Latin: English, Cyrillic: Russian,
Greek: Greek), so that "deployments" in a Russian text meets "deployment". Knows no fields and no files.
"""

from collections.abc import Callable
from functools import cache, partial

from readingroom.library.search.characters import folded
from readingroom.library.search.endings import LANGUAGES, without_ending

Stem = Callable[[str], str]

# A few languages take the algorithm of a near one.
_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "gl": "portuguese", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
    "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish", "hr": "serbian", "bs": "serbian",
}  # fmt: skip
_CYRILLIC = frozenset({"be", "bg", "mk", "ru", "sr", "uk"})
_OWN = {
    **dict.fromkeys(("ar", "fa", "ur"), "ar"),
    **dict.fromkeys(("hi", "ne", "mr", "sa"), "hi"),
    "he": "he",
    "yi": "he",
}
# The blocks of letters and their scripts; a script of one language has that language's tag.
_SCRIPTS = (
    (0x250, "latin"), (0x370, ""), (0x400, "greek"), (0x530, "cyrillic"), (0x590, "hy"), (0x600, "he"),
    (0x780, "ar"), (0x900, ""), (0x980, "hi"), (0xA00, "bn"), (0xA80, "pa"), (0xB00, "gu"), (0xB80, "or"),
    (0xC00, "ta"), (0xC80, "te"), (0xD00, "kn"), (0xD80, "ml"), (0xE00, "si"), (0xF00, ""), (0x1000, "bo"),
    (0x10A0, ""), (0x1100, "ka"), (0x1200, ""), (0x13A0, "am"), (0x1E00, ""), (0x1F00, "latin"), (0x2000, "greek"),
)  # fmt: skip
# The language that a script's words are taken to be in when nothing else tells.
_DEFAULTS = {"latin": "en", "cyrillic": "ru", "greek": "el"}
_ONE_LANGUAGE = frozenset(name for _, name in _SCRIPTS if name) - _DEFAULTS.keys()
_NO_WORDS = frozenset({"zh", "ja", "ko", "th", "lo", "my", "km"})
_SHORTEST = 3
_JOINED = 5
# Languages whose stemmers also take something from the beginning of a word.
_PREFIXING = frozenset({"ar", "fa", "ga", "id", "nl", "ta", "yi"})


def script(word: str) -> str:
    """The script of a word's first letter: "latin", "cyrillic", "greek", else the tag of its language, or ""."""
    point = ord(word[0])
    for end, name in _SCRIPTS:
        if point < end:
            return name
    return ""


@cache
def script_of(language: str) -> str:
    """The script whose words are of a language, named as `script` names it; "" for one written without spaces."""
    if language in _CYRILLIC:
        return "cyrillic"
    if language in _NO_WORDS:
        return ""
    if language == "el":
        return "greek"
    return _OWN.get(language, language if language in _ONE_LANGUAGE else "latin")


def default_language(name: str) -> str:
    """The language that words of a script (see `script`) are taken to be in when nothing else tells."""
    return _DEFAULTS.get(name, name)


@cache
def _algorithms() -> frozenset[str]:
    import Stemmer

    return frozenset(Stemmer.algorithms())


@cache
def _stemmer(language: str) -> Stem | None:
    import Stemmer

    if language == "vi":
        return str
    if language in LANGUAGES:
        return partial(without_ending, language=language)
    name = _ALGORITHMS.get(language)
    if name not in _algorithms():
        return None
    snowball: Stem = Stemmer.Stemmer(name, 0).stemWord
    return (lambda form: snowball(_without_and(form))) if language == "ar" else snowball


def _without_and(form: str) -> str:
    """An Arabic word without the "and" or "so" that is written as one with it, where an article follows."""
    joined = form[:1] in "وف" and form[1:3] in {"ال", "لل", "با", "كا"} and len(form) > _JOINED
    return form[1:] if joined else form


def stem(form: str, language: str) -> str:
    """The stem of a lowered form (see `terms.forms`) in a text of that language; the folded form where there is none.

    Stems are folded, but for Vietnamese: its stems are its words with their tones, which tell words apart.
    """
    if len(form) < _SHORTEST or not form[0].isalpha() or "_" in form:
        return folded(form) if language != "vi" else form
    own = script(form)
    chosen = language if own == script_of(language) else default_language(own)
    found = _stemmer(chosen)
    if found is None:
        return folded(form)
    stemmed = found(form if form.isascii() else form.replace("ё", "е"))
    if chosen != "vi":
        stemmed = folded(stemmed)
    return stemmed if len(stemmed) > 1 else folded(form)


def stemming(language: str) -> str:
    """The language whose stems texts in a language get: itself, or "" when nothing is known of it."""
    known = language in _ALGORITHMS or language in LANGUAGES or language in _OWN or language == "vi"
    return language if known or language in _ONE_LANGUAGE or language in _NO_WORDS else ""


def keeps_beginnings(language: str) -> bool:
    """Whether stems in that language begin like their words, in the first two letters."""
    return language not in _PREFIXING
