"""Languages: the language a document is written in, from its own text; tags of languages brought to one form.

Script first, then a count of function words. Knows no library: what a query's language is, a library's own words help
to tell (see `words`).
"""

from functools import cache
from math import sqrt

from readingroom.library.search.characters import lowered, normal
from readingroom.library.search.stems import script

# Tokens looked at; the language of a long document shows in its beginning.
_SAMPLE = 1500
_NEEDED = 2
# What a word with a letter of few languages weighs beside a function word.
_LETTER = 0.5
# What a capitalised word weighs beside one in lower case: it may be a name.
_CAPITAL = 0.3
_LETTERS = {
    "ğıİ": "tr", "ş": "tr", "ç": "tr fr pt ca", "ñ¿": "es", "ß": "de", "ãõ": "pt", "å": "sv da no", "øæ": "da no",
    "őű": "hu", "řěů": "cs", "ľĺŕ": "sk", "łąęśźż": "pl", "șțţ": "ro", "ă": "ro vi", "ơưđ": "vi", "ėųį": "lt",
    "іїєґ": "uk", "ў": "be", "ыэё": "ru be", "ђћјљњџ": "sr", "پچژگ": "fa",
}  # fmt: skip


def primary(tag: str) -> str:
    """The lower-case primary language of a BCP 47 tag: `pt-BR` → `pt`; "" for what is no tag."""
    head = tag.strip().replace("_", "-").split("-", 1)[0].lower()
    head = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "cmn": "zh", "yue": "zh"}.get(
        head, head
    )
    return head if 2 <= len(head) <= 3 and head.isascii() and head.isalpha() else ""


@cache
def function_words() -> dict[str, tuple[str, ...]]:
    """Each function word, lowered with its accents, and the languages it belongs to."""
    from readingroom.library.search.function_words import WORDS

    found: dict[str, tuple[str, ...]] = {}
    for language, words in WORDS.items():
        for word in set(words.split()):
            found[word] = (*found.get(word, ()), language)
    return found


@cache
def _letters() -> dict[str, tuple[str, ...]]:
    return {letter: tuple(tags.split()) for letters, tags in _LETTERS.items() for letter in letters}


def run_language(text: str) -> str:
    """The language that the scripts written without spaces in a text tell: zh, ja, ko, th, lo, my, km or ""."""
    counts: dict[str, int] = {}
    for character in text:
        if character >= "\u0e00":
            name = _run_script(character)
            counts[name] = counts.get(name, 0) + 1
    counts.pop("", None)
    if not counts:
        return ""
    if counts.get("ja", 0) * 20 > counts.get("zh", 0):
        counts["ja"] = counts.get("ja", 0) + counts.pop("zh", 0)
    return max(counts, key=lambda name: (counts[name], name))


def _run_script(character: str) -> str:
    for first, last, name in _RUN_SCRIPTS:
        if first <= character <= last:
            return name
    return ""


_RUN_SCRIPTS = (
    ("\u4e00", "\u9fff", "zh"), ("\u3400", "\u4dbf", "zh"), ("\u3041", "\u30ff", "ja"), ("\uac00", "\ud7a3", "ko"),
    ("\u1100", "\u11ff", "ko"), ("\u3131", "\u318e", "ko"), ("\u0e00", "\u0e7f", "th"), ("\u0e80", "\u0eff", "lo"),
    ("\u1000", "\u109f", "my"), ("\u1780", "\u17ff", "km"), ("\uff66", "\uff9d", "ja"), ("\uf900", "\ufaff", "zh"),
    ("\U00020000", "\U000323af", "zh"),
)  # fmt: skip


def document_language(tokens: list[str]) -> str:
    """The language of a document's tokens (see `analysis.tokens`); "" when they do not tell."""
    sample = tokens[:_SAMPLE]
    text = "".join(sample)
    if not text:
        return ""
    runs = "" if text.isascii() else run_language(text)
    words = [word for word in sample if word < "\u0e00" and word[0].isalpha()]
    if runs and sum(map(len, words)) < 2 * (len(text) - sum(map(len, words))):
        return runs
    return _spaced_language(words) or runs


def evidence(word: str) -> dict[str, float]:
    """How much a lowered word with its accents speaks for each language, by itself: grammar, or telling letters."""
    owners = function_words().get(word, ())
    if owners:
        return dict.fromkeys(owners, 1.0 / len(owners))
    if word.isascii():
        return {}
    owners = tuple({language for letter in word for language in _letters().get(letter, ())})
    return dict.fromkeys(owners, _LETTER / len(owners)) if owners else {}


def _spaced_language(words: list[str]) -> str:
    if not words:
        return ""
    counts: dict[str, float] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + (1.0 if word.islower() else _CAPITAL)
    scores: dict[str, float] = {}
    for word, count in counts.items():
        for language, weight in evidence(lowered(normal(word))).items():
            scores[language] = scores.get(language, 0.0) + weight * sqrt(count)
    best = max(scores, key=lambda name: (scores[name], name == "en", name), default="")
    if best and scores[best] >= _NEEDED:
        return best
    return _by_script(words)


def _by_script(words: list[str]) -> str:
    counts: dict[str, int] = {}
    for word in words:
        name = script(word)
        counts[name] = counts.get(name, 0) + 1
    name = max(counts, key=lambda key: (counts[key], key))
    return {"latin": "en", "cyrillic": "ru", "greek": "el"}.get(name, name if len(name) == 2 else "")
