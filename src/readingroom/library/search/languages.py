"""Languages: the language a document is written in, from its own text; tags of languages brought to one form.

Script first, then a count of function words. Knows no library: what a query's language is, a library's own words help
to tell (see `words`).
"""

from functools import cache, lru_cache

from readingroom.library.search.characters import FIRST_RUN, has_run, is_run, lowered, normal
from readingroom.library.search.stems import default_language, script

# How many tokens of a document, and characters of scripts without spaces, are enough to tell.
SAMPLE = 250
_CHARACTERS = 200
# What a language must weigh before it is believed against its script's commonest.
_NEEDED = 2
# How far ahead of the next a language must be for the function words alone to decide.
_MARGIN = 1.5
# What a word with a letter of few languages weighs beside a function word.
_LETTER = 0.5
# Languages written without spaces between words, or indexed as if they were.
RUN_LANGUAGES = frozenset({"zh", "ja", "ko", "th", "lo", "my", "km"})
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
def _plain_function_words() -> frozenset[str]:
    return frozenset(function_words())


@cache
def _letters() -> dict[str, tuple[str, ...]]:
    return {letter: tuple(tags.split()) for letters, tags in _LETTERS.items() for letter in letters}


def run_language(text: str) -> str:
    """The language that the scripts written without spaces in a text tell: zh, ja, ko, th, lo, my, km or ""."""
    counts: dict[str, int] = {}
    for character in text[:_CHARACTERS]:
        if character >= FIRST_RUN:
            name = _run_script(character)
            counts[name] = counts.get(name, 0) + 1
    counts.pop("", None)
    if not counts:
        return ""
    if counts.get("ja", 0) * 20 > counts.get("zh", 0):
        counts["ja"] = counts.get("ja", 0) + counts.pop("zh", 0)
    return max(counts, key=lambda name: (counts[name], name))


@lru_cache(4096)
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
    text = "".join(tokens)
    if not text.isascii() and has_run(text):
        words = [token for token in tokens if token[0].isalpha() and not is_run(token)]
        if runs := runs_speak(text, words):
            return runs
    return _spaced_language(set(tokens))


def runs_speak(text: str, words: list[str]) -> str:
    """The language of the scripts without spaces in a text, when they outweigh its spaced words; else ""."""
    runs = "" if text.isascii() else run_language(text)
    spaced = sum(map(len, words))
    return runs if spaced < 2 * (len(text) - spaced) else ""


@lru_cache(4096)
def evidence(word: str) -> tuple[tuple[str, float], ...]:
    """How much a word speaks for each language, by itself: because it is grammar, or by telling letters."""
    plain = lowered(normal(word))
    owners = function_words().get(plain, ())
    if owners:
        return tuple((owner, 1.0 / len(owners)) for owner in owners)
    if word.isascii():
        return ()
    told = sorted({language for letter in normal(word).lower() for language in _letters().get(letter, ())})
    return tuple((owner, _LETTER / len(told)) for owner in told)


def _spaced_language(distinct: set[str]) -> str:
    """Every different function word counts once; a capitalised one, which may be a name, only if the rest is unclear."""
    scores = _tally(distinct & _plain_function_words(), {})
    if not _clear(scores):
        rare = {word for word in distinct if not word.isascii()} - _plain_function_words()
        scores = _tally(rare, scores)
    if not _clear(scores):
        scores = _tally({word.lower() for word in distinct if not word.islower()}, scores)
    best = max(scores, key=lambda name: (scores[name], name == "en", name), default="")
    return best if best and scores[best] >= _NEEDED else _by_script(distinct)


def _tally(words: set[str], scores: dict[str, float]) -> dict[str, float]:
    for word in words:
        for language, weight in evidence(word):
            scores[language] = scores.get(language, 0.0) + weight
    return scores


def _clear(scores: dict[str, float]) -> bool:
    best = sorted(scores.values(), reverse=True)[:2]
    return bool(best) and best[0] >= 2 * _NEEDED and best[0] >= _MARGIN * sum(best[1:])


def _by_script(words: set[str]) -> str:
    counts: dict[str, int] = {}
    for word in filter(str.isalpha, words):
        name = script(word)
        counts[name] = counts.get(name, 0) + 1
    name = max(counts, key=lambda key: (counts[key], key), default="")
    return default_language(name)
