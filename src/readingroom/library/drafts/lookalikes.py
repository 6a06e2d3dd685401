"""Names that look like other names: letters and blanks of one script that pass for those of another. Pure."""

import unicodedata
from collections.abc import Iterator

# Letters of Cyrillic and Greek that are drawn as Latin ones are (after Unicode's confusables.txt, the exact ones).
_LIKE_LATIN = frozenset("асеорхуіјѕһԁԛԝӏАВЕКМНОРСТХУІЈЅԌԚԜοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")


def in_name(path: str) -> Iterator[str]:
    """A sentence for the letters, and one for the blanks, with which a path may pass for another."""
    letters = {letter for segment in path.split("/") for letter in _passing(segment)}
    if letters:
        yield f"Letters of the path are Cyrillic or Greek and pass for Latin ones: {_codes(letters)}."
    blanks = {one for one in path if one != " " and unicodedata.category(one) == "Zs"}
    if blanks:
        yield f"Blanks stand in the path that are no spaces: {_codes(blanks)}."
    if "→" in path:
        yield f"An arrow stands in the path itself, and nothing is renamed by it: {_codes({'→'})}."


def _passing(segment: str) -> Iterator[str]:
    """Those beside Latin ones in a word, and all letters of a name that has no others."""
    import re

    stem = segment.rpartition(".")[0] or segment
    words = re.findall(r"[^\W\d_]+", stem)
    letters = "".join(words)
    if letters and _LIKE_LATIN.issuperset(letters):
        yield from letters
        return
    for word in words:
        if any(unicodedata.name(letter, "").startswith("LATIN") for letter in word):
            yield from _LIKE_LATIN.intersection(word)


def _codes(characters: set[str]) -> str:
    return ", ".join(f"U+{ord(character):04X}" for character in sorted(characters))
