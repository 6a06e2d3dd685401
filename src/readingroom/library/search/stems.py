"""Stems: a word's stem in the language of its document or query. Snowball's algorithms, through PyStemmer.

A word of another script than its language's takes the stemmer of its own script (Latin: English, Cyrillic: Russian,
Greek: Greek), so that "deployments" in a Russian text meets "deployment". Knows no fields and no files.
"""

from collections.abc import Callable
from functools import cache

from readingroom.library.search.characters import folded

Stem = Callable[[str], str]

# Languages without a Snowball stemmer of their own take a near one, which measures better than none.
_ALGORITHMS = {
    "ar": "arabic", "be": "russian", "bg": "russian", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "gl": "portuguese", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
    "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "uk": "russian", "yi": "yiddish", "hr": "serbian", "bs": "serbian",
}  # fmt: skip
_CYRILLIC = frozenset({"be", "bg", "ru", "uk", "mk"})
_OTHERS = {
    **dict.fromkeys(("zh", "ja", "ko", "th", "lo", "my", "km"), ""),
    "ar": "ar",
    "fa": "ar",
    "hi": "hi",
    "ne": "hi",
    "ta": "ta",
    "yi": "he",
    "hy": "hy",
}
_SHORTEST = 3
# Languages whose stemmers also take something from the beginning of a word.
_PREFIXING = frozenset({"ar", "fa", "ga", "id", "nl", "ta", "yi"})


def script(word: str) -> str:
    """The script of the word's first letter: "latin", "cyrillic", "greek", "ar", "hi", "he", "ta", "hy" or ""."""
    point = ord(word[0])
    for end, name in _SCRIPTS:
        if point < end:
            return name
    return "latin" if 0x1E00 <= point < 0x1F00 else "greek" if 0x1F00 <= point < 0x2000 else ""


_SCRIPTS = (
    (0x250, "latin"), (0x370, ""), (0x400, "greek"), (0x530, "cyrillic"), (0x590, "hy"), (0x600, "he"),
    (0x780, "ar"), (0x900, ""), (0x980, "hi"), (0xB80, ""), (0xC00, "ta"),
)  # fmt: skip
_DEFAULTS = {"latin": "en", "cyrillic": "ru", "greek": "el"}


def script_of(language: str) -> str:
    """The script a language is written in, named as `script` names it."""
    if language in _CYRILLIC:
        return "cyrillic"
    if language == "el":
        return "greek"
    return _OTHERS.get(language, "latin")


@cache
def _algorithms() -> frozenset[str]:
    import Stemmer

    return frozenset(Stemmer.algorithms())


@cache
def _stemmer(language: str) -> Stem | None:
    import Stemmer

    name = _ALGORITHMS.get(language)
    if name not in _algorithms():
        return None
    stem: Stem = Stemmer.Stemmer(name, 0).stemWord
    return stem


def stem(form: str, language: str) -> str:
    """The folded stem of a lowered form (see `terms.forms`) in a text of that language; the folded form if none."""
    if len(form) < _SHORTEST or not form[0].isalpha() or "_" in form:
        return folded(form)
    own = script(form)
    chosen = language if own == script_of(language) else _DEFAULTS.get(own, "")
    found = _stemmer(chosen) if chosen else None
    if chosen == "vi" or found is None:
        return form if chosen == "vi" else folded(form)
    stemmed = folded(found(form.replace("ё", "е")))
    return stemmed if len(stemmed) > 1 else folded(form)


def keeps_beginnings(language: str) -> bool:
    """Whether stems in that language begin like their words, in the first two letters."""
    return language not in _PREFIXING
