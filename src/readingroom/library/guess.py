"""Which of the encodings of before Unicode some bytes are in, by what each would make of them.

A guess is a pair of an encoding and a language that was written in it: how many of the letters beyond ASCII belong to
that language, and how many of the words are its function words. One wrong letter in each word is thus evidence enough,
where a guess by the frequency of bytes alone would not tell. Western encodings come first among equals.
"""

from collections import Counter
from functools import cache

SAMPLE_BYTES = 8 * 1024  # of lines that hold anything beyond ASCII
CERTAIN = 0.7  # below this no guess is made: the letters are of no language that is known here

_WORD_SHARE = 0.5  # what function words weigh against letters
_COMMON_SHARE = (
    0.25  # the share of common characters in a text of many thousand characters that tells its script
)
_UNIT = 20  # what one character counts; a capital may count one less
_FEW_LETTERS = (
    1.15  # an alphabet of few letters beyond ASCII says more than one that has nearly all of the bytes
)
_MARKS = frozenset("‘’“”„«»‹›–—…°§€£№¿¡·•´\xa0\xad©®™ªº×²³½¼¾、。「」『』（）！？：；，．・ー《》％～　")
_JOINING = frozenset("’·´\xadー・")

_LATIN = {
    "de": "äöüß", "fr": "àâçèéêëîïôùûüœæÿ", "es": "áéíóúüñ", "it": "àèéìíîòóù", "pt": "áâãàçéêíóôõúü",
    "nl": "ëïéèöüó", "sv": "åäöé", "da": "æøåé", "no": "æøåéòô", "fi": "äöå", "is": "áðéíóúýþæö",
    "ca": "àçèéíïòóúü", "ga": "áéíóú",
}  # fmt: skip
_CENTRAL = {
    "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "hu": "áéíóöőúüű", "ro": "ăâîşţ",
    "hr": "čćđšž", "sl": "čšž",
}  # fmt: skip
_BALTIC = {"lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "et": "äõöüšž"}
_TURKISH = {"tr": "çğıöşüâîû"}
# By frequency, the commonest first: the alphabets are alike, and the wrong encoding gives the rare letters.
_CYRILLIC = {
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "uk": "оанивіеткрслудмпзябгьчйхцїжєюшщфґ",
    "bg": "аоеинтрсвлкдпмзугбяъчцжшщхфйюь", "be": "аінеоярстлкудмвпыгзьбцчхшжйўёюэф", "sr": "аоиенрсјтукдвпмлзгбчшцжхњћљђфџ",
}  # fmt: skip
_GREEK = {"el": "αοιετσνρκπμλυςγδθχφβωηάίόέύήώζξϊψΐϋ"}
_HEBREW = {"he": "יוהלארתבשמנדקחעפטגצסזכםןךףץ"}
_ARABIC = {"ar": "الينمرتوبعدسفهكقحجشصطخزذضغثظءأإآؤئىةلا"}
_JAPANESE = {
    "ja": (
        "のにはをたがでてとしれさいるまかなこらあすもきりくうつっだんよめみけせそどちじわえやおょばずゃべ一日本人大年会国アイスル"
        "ントドラリックシタマロコ"
    )
}
_CHINESE = {
    "zh": (
        "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然"
        "没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进法此实回二理"
        "美点月明其种声全工"
    )
}
_TAIWANESE = {
    "zh": (
        "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然"
        "沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進法此實回二理"
        "美點月明其種聲全工每"
    )
}
_KOREAN = {
    "ko": (
        "이다는을의에고가를은하지도로사기서한나리인해어시자대있그일아제정과보부만들수주장니요습상전관원책문여세오게면것스까권년"
    )
}

_LATIN_SCRIPT = ("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257")
_TRIED = (
    ("cp1252", _LATIN), ("cp1250", _CENTRAL), ("iso8859_2", _CENTRAL), ("cp1254", _TURKISH), ("cp1257", _BALTIC),
    ("cp1251", _CYRILLIC), ("koi8_r", {"ru": _CYRILLIC["ru"]}), ("koi8_u", {"uk": _CYRILLIC["uk"]}),
    ("cp866", _CYRILLIC), ("iso8859_5", _CYRILLIC), ("cp1253", _GREEK), ("iso8859_7", _GREEK), ("cp1255", _HEBREW),
    ("cp1256", _ARABIC), ("cp932", _JAPANESE), ("euc_jp", _JAPANESE), ("gb18030", _CHINESE), ("big5", _TAIWANESE),
    ("cp949", _KOREAN),
)  # fmt: skip


def guesses(data: bytes) -> list[str]:
    """The encodings in which the bytes make sense, the likeliest first; none when they make sense in none."""
    sample = _sample(data)
    scored = [(score, -order, encoding) for order, (encoding, score) in enumerate(_scores(sample))]
    return [encoding for score, _, encoding in sorted(scored, reverse=True) if score >= CERTAIN]


def _sample(data: bytes) -> bytes:
    taken: list[bytes] = []
    size = 0
    for line in data.splitlines():
        if not line.isascii():
            taken.append(line[:SAMPLE_BYTES])
            size += len(line)
            if size >= SAMPLE_BYTES:
                break
    return b"\n".join(taken)


def _scores(sample: bytes) -> list[tuple[str, float]]:
    found = []
    for encoding, alphabets in _TRIED:
        text = sample.decode(encoding, "replace")
        characters, total = _characters(text, is_latin=encoding in _LATIN_SCRIPT)
        words = "".join(c if c.isalpha() else " " for c in text.lower()).split()
        best = 0.0
        for language, alphabet in alphabets.items():
            letters = _weight(characters, alphabet, total)
            known = sum(word in _words(language) for word in words) / max(1, len(words))
            best = max(best, letters + _WORD_SHARE * known)
        found.append((encoding, best))
    return found


def _characters(text: str, *, is_latin: bool) -> tuple[Counter[str], int]:
    """What stands beyond ASCII, in lower case, without what stands where nobody writes it; and how much it is in all,
    in units."""
    counted: Counter[str] = Counter()
    total = 0
    for before, character, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if character.isascii() and (character.isprintable() or character.isspace()):
            continue
        total += _UNIT
        within = before.isalpha() and after.isalpha()
        if character in _MARKS:
            counted["mark"] += _UNIT * (not within or character in _JOINING)
        elif character.isalpha():
            mixed = not is_latin and (
                (before.isascii() and before.isalpha()) or (after.isascii() and after.isalpha())
            )
            swapped = character.isupper() and before.islower()
            if not (mixed or swapped):
                # the small letters of one encoding of Cyrillic are the capitals of another
                counted[character.lower()] += _UNIT - (character.isupper() and not is_latin)
    return counted, total


def _weight(characters: Counter[str], alphabet: str, total: int) -> float:
    """The share of what belongs to a language; near 1 for a text in it."""
    if not total:
        return 0.0
    marks = 0.9 * characters["mark"]
    if len(alphabet) > 45:  # of thousands of characters, these are the commonest
        letters = sum(characters[character] for character in alphabet)
        return min(1.0, (letters / max(1, total - characters["mark"])) / _COMMON_SHARE) if letters else 0.0
    if len(alphabet) < 20:
        return (marks + _FEW_LETTERS * sum(characters[character] for character in alphabet)) / total
    rank = {character: 1.0 - 0.4 * place / len(alphabet) for place, character in enumerate(alphabet)}
    weighed = sum(characters[character] * weight for character, weight in rank.items())
    return (marks + 1.2 * weighed) / total


@cache
def _words(language: str) -> frozenset[str]:
    from .search.function_words import WORDS

    return frozenset(WORDS.get(language, "").split())
