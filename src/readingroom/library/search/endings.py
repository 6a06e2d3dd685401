"""Light stemming by endings, for languages that have no Snowball algorithm: the longest known ending is taken off.

Data and one rule. Nouns and adjectives are what is looked for; verbs are left to the beginnings of words.
"""

_ENDINGS = {
    "uk": "ами ями ові еві єві ою ею єю ого ому ими іми їми ої ій ий їй их іх їх ам ям ах ях ів їв ом ем єм им ім "
    "ння ньої ній ню ня а я у ю е є и і ї о ь й",
    "be": "амі ямі ага яга аму яму ымі імі ай яй ой ый ій ых іх ам ям ах ях аў яў оў еў ом ем ым ім ую юю ае яе ыя ія "
    "ання енне а я у ю е ы і о ь й",
    "bg": "овете ищата ията иите ият ища ове ите ата ята ото ето ът ят та то те ия ии а я о е и й",
}  # fmt: skip
_LEFT = 3

LANGUAGES = frozenset(_ENDINGS)
_sorted = {language: sorted(endings.split(), key=len, reverse=True) for language, endings in _ENDINGS.items()}


def without_ending(word: str, language: str) -> str:
    """The word of one of LANGUAGES without its ending; at least three letters are left."""
    for ending in _sorted[language]:
        if word.endswith(ending) and len(word) - len(ending) >= _LEFT:
            return word[: -len(ending)]
    return word
