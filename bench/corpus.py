"""Makes a library of Markdown documents in five languages, the same on every run, and questions to it.

The texts mean nothing; their words are spread as those of texts are (a few occur everywhere, most hardly ever), which is
what the cost of indexing and searching depends on. Knows no server.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from words import QUESTIONS, vocabulary

SEED = 20260728
LANGUAGES = tuple(QUESTIONS)
SENTENCES = 5
FREQUENT = 20
"""So many words of each list say nothing; nobody asks for them."""


@dataclass(frozen=True)
class Language:
    """Its words with the weights they are drawn by, summed up: the n-th word weighs 1/n."""

    words: list[str]
    weights: list[float]
    joint: str
    stop: str

    def draw(self, chance: random.Random, count: int) -> list[str]:
        """Draw words by their weights."""
        return chance.choices(self.words, cum_weights=self.weights, k=count)

    def written(self, words: list[str]) -> str:
        """The words as a title or a sentence without its stop."""
        return self.joint.join(words).capitalize()


@dataclass(frozen=True)
class Asked:
    """What somebody looks for, as a question and as bare words; one passage at least has all three words."""

    question: str
    words: str


def languages() -> dict[str, Language]:
    """All languages of the corpus."""
    made = {}
    for name in LANGUAGES:
        words = vocabulary(name)
        weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
        made[name] = Language(words, weights, "" if name == "zh" else " ", "。" if name == "zh" else ". ")
    return made


def paragraph(language: Language, chance: random.Random) -> list[list[str]]:
    """Some sentences, as words."""
    return [language.draw(chance, chance.randint(7, 15)) for _ in range(SENTENCES)]


def written(language: Language, sentences: list[list[str]]) -> str:
    """A paragraph as text."""
    return language.stop.join(language.written(words) for words in sentences) + language.stop.strip()


class Corpus:
    """So many documents of so many passages each."""

    def __init__(self, count: int, sections: int) -> None:
        self.count = count
        self.sections = sections
        self._languages = languages()

    def _begun(self, number: int) -> tuple[str, random.Random, list[str], list[list[str]]]:
        """A document's language, the chance that goes on with it, its title and its first paragraph."""
        chance, name = random.Random(SEED + number), LANGUAGES[number % len(LANGUAGES)]
        language = self._languages[name]
        return name, chance, language.draw(chance, 3), paragraph(language, chance)

    def document(self, number: int) -> tuple[str, str]:
        """Path and text of one document: front matter, a title, its passages under headings."""
        name, chance, words, first = self._begun(number)
        language = self._languages[name]
        title = language.written(words)
        lines = [
            "---",
            f"title: {title}",
            f"lang: {name}",
            f"tags: [{name}, t{number % 40}]",
            "---",
            f"# {title}",
        ]
        lines += ["", written(language, first), ""]
        for _ in range(self.sections - 1):
            lines += [f"## {language.written(language.draw(chance, 2))}", ""]
            lines += [written(language, paragraph(language, chance)), ""]
        return f"{name}/{number // 200:03}/{number:05}.md", "\n".join(lines)

    def documents(self) -> Iterator[tuple[str, str]]:
        """Paths and texts of all documents."""
        return map(self.document, range(self.count))

    def write(self, folder: Path) -> None:
        """Write the documents into a folder."""
        for path, text in self.documents():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")

    def asked(self, count: int) -> Iterator[Asked]:
        """So many things to look for, in the languages in turn, from all over the corpus; each from one passage."""
        step, number = self.count // (count + 1) // len(LANGUAGES) * len(LANGUAGES) + 1, 0
        while count:
            name, chance, _, first = self._begun(number)
            seldom = set(self._languages[name].words[FREQUENT:])
            known = sorted({word for sentence in first for word in sentence if word in seldom})
            if len(known) >= 3:
                words = chance.sample(known, 3)
                yield Asked(QUESTIONS[name].format(*words), " ".join(words))
                count -= 1
            number = (number + step) % self.count
