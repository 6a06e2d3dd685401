"""The query language: what a person or a model writes becomes words, phrases, prefixes, exclusions and filters.

Every text is a query; nothing here raises. `"a phrase"`, `-word`, `prefix*`, `path:`, `tag:` and `lang:` are
understood; whatever does not fit is words. Knows no index and no language.
"""

from typing import Literal, TypeAlias

import msgspec

from readingroom.library.search.characters import tokens_of
from readingroom.library.search.languages import primary
from readingroom.library.search.terms import exact_terms, parts

Kind: TypeAlias = Literal["word", "phrase", "prefix"]

_FIELDS = ("path", "tag", "lang")
# As much of a value as shows whether it is the tag of a language.
_LANGUAGE = 40
_OPENING = {'"': '"', "“": "”"}


class Clause(msgspec.Struct, frozen=True):
    """One thing asked for: its text as it was written, without quotes, star or minus."""

    kind: Kind
    text: str


class Filters(msgspec.Struct, frozen=True):
    """What a document must be, whatever the words: any of the paths, all of the tags, any of the languages."""

    paths: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.paths or self.tags or self.languages)


class Query(msgspec.Struct, frozen=True):
    """A query understood: what is asked for, what must not occur, and which documents may answer or may not."""

    wanted: tuple[Clause, ...]
    unwanted: tuple[Clause, ...]
    filters: Filters
    excluded: Filters


class _Parser:
    """Reads one query from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.wanted: list[Clause] = []
        self.unwanted: list[Clause] = []
        self.filters: dict[tuple[str, bool], list[str]] = {}

    def run(self) -> Query:
        while self._skip_blanks():
            self._item()
        return Query(
            tuple(self.wanted),
            tuple(self.unwanted),
            self._collected(negated=False),
            self._collected(negated=True),
        )

    def _collected(self, *, negated: bool) -> Filters:
        paths, tags, languages = (tuple(self.filters.get((field, negated), ())) for field in _FIELDS)
        return Filters(paths, tags, languages)

    def _skip_blanks(self) -> bool:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at < len(self.text)

    def _item(self) -> None:
        start = self.at
        negated = self._negation()
        field = self._field()
        quoted = self._quoted()
        if quoted is None:
            self._plain(start, negated=negated, field=field)
        elif field:
            self._filter(field, quoted, negated=negated)
        else:
            self._add("phrase", quoted, negated=negated)

    def _negation(self) -> bool:
        rest = self.text[self.at + 1 : self.at + 3]
        if self.text[self.at] != "-" or not rest or rest[0] == "-" or rest[0].isspace():
            return False
        if rest[0].isascii() and rest[0].isalnum() and (len(rest) == 1 or rest[1].isspace()):
            return False  # `-n` is an option of a command
        self.at += 1
        return True

    def _field(self) -> str:
        """The field named here, with a value after its colon; then its name is passed over."""
        for field in _FIELDS:
            end = self.at + len(field) + 1
            value = self.text[end : end + _LANGUAGE].split(maxsplit=1)[:1]
            if self.text[self.at : end].lower() == f"{field}:" and self.text[end : end + 1].strip():
                if field == "lang" and not primary(value[0].strip('"“”')):
                    return ""
                self.at = end
                return field
        return ""

    def _quoted(self) -> str | None:
        closing = _OPENING.get(self.text[self.at])
        end = self.text.find(closing, self.at + 1) if closing else -1
        if end < 0:
            return None
        inner = self.text[self.at + 1 : end].strip()
        if not inner:
            return None
        self.at = end + 1
        return inner

    def _plain(self, start: int, *, negated: bool, field: str) -> None:
        begin = self.at
        while self.at < len(self.text) and not self.text[self.at].isspace():
            self.at += 1
        word = self.text[begin : self.at]
        if field:
            self._filter(field, word, negated=negated)
        elif word.endswith("*") and _is_one_word(word[:-1]):
            self._add("prefix", word[:-1], negated=negated)
        elif negated:
            self._add("word" if _is_one_word(word) else "phrase", word, negated=True)
        else:
            self._add("word", self.text[start : self.at], negated=False)

    def _filter(self, field: str, value: str, *, negated: bool) -> None:
        self.filters.setdefault((field, negated), []).append(value)

    def _add(self, kind: Kind, text: str, *, negated: bool) -> None:
        if any(map(exact_terms, tokens_of(text))):
            (self.unwanted if negated else self.wanted).append(Clause(kind, text))


def _is_one_word(text: str) -> bool:
    """Whether a text, but for what stands around it, is one word of a script that has words."""
    found = [part for token in tokens_of(text) for part in parts(token)]
    return len(found) == 1 and not found[0][0]


def parse(text: str) -> Query:
    """The query that a text is. Never raises; a text without a word or a filter gives an empty query."""
    return _Parser(text).run()
