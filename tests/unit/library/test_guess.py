"""Guessing an encoding: long and short texts in the languages of people who have old files."""

import pytest

from readingroom.library.decode import decode
from readingroom.library.guess import guesses

TEXTS = [
    (
        "sv",
        "cp1252",
        "Räksmörgås är gott. Boken får lånas i fyra veckor, därefter måste den lämnas tillbaka på samma ställe.",
    ),
    ("sv", "cp1252", "Återlämna böckerna före påsk."),
    (
        "es",
        "cp1252",
        "El niño devolvió los libros de la biblioteca mañana por la mañana; según el reglamento.",
    ),
    ("es", "cp1252", "El niño compró piñas."),
    (
        "fr",
        "cp1252",
        "Les livres empruntés doivent être rendus à la date prévue. Où est la bibliothèque ? Même en été.",
    ),
    ("fr", "cp1252", "Où est le café fermé ?"),
    (
        "it",
        "cp1252",
        "La biblioteca è aperta tutti i giorni perché così la città può leggere di più; però il lunedì è chiusa.",
    ),
    ("it", "cp1252", "Perché la città è così?"),
    (
        "de",
        "cp1252",
        "Die Bücher müssen pünktlich zurückgegeben werden. Für größere Bände gelten längere Fristen.",
    ),
    ("de", "cp1252", "Grüße aus München"),
    (
        "pt",
        "cp1252",
        "A biblioteca não abre aos domingos. Os livros são emprestados até três semanas e a devolução é obrigatória.",
    ),
    ("pt", "cp1252", "Não há informação."),
    (
        "da",
        "cp1252",
        "Bøgerne skal afleveres på læsesalen. Små børn må også låne bøger, når de er ledsaget af en voksen.",
    ),
    ("da", "cp1252", "Smørrebrød på rådhuset"),
    (
        "fi",
        "cp1252",
        "Kirjat täytyy palauttaa määräaikaan mennessä. Lainaaja voi pyytää lisää aikaa, jos kirjaa ei ole varattu.",
    ),
    ("fi", "cp1252", "Hyvää päivää kaikille"),
    (
        "pl",
        "cp1250",
        "Książki należy zwrócić w ciągu trzech tygodni. Czytelnia jest otwarta codziennie oprócz niedzieli, a źródła są tu.",
    ),
    ("pl", "cp1250", "Zażółć gęślą jaźń"),
    (
        "cs",
        "cp1250",
        "Knihy je třeba vrátit včas. Příliš žluťoučký kůň úpěl ďábelské ódy, a čtenáři to říkali na každém kroku.",
    ),
    ("cs", "cp1250", "Kde je vaše čítárna?"),
    (
        "hu",
        "cp1250",
        "A könyveket időben vissza kell vinni a könyvtárba. Az olvasó egyszerre legfeljebb öt könyvet kölcsönözhet.",
    ),
    ("hu", "cp1250", "Hogy megy a könyvtár működése? Jól, és őszintén."),
    (
        "ru",
        "cp1251",
        "Постоянный адрес записи каталога не меняется, когда книгу переставляют. Читателям выдают две книги на дом.",
    ),
    ("ru", "cp1251", "Привет, читатель!"),
    (
        "ru",
        "koi8-r",
        "Постоянный адрес записи каталога не меняется, когда книгу переставляют. Читателям выдают две книги на дом.",
    ),
    ("ru", "koi8-r", "Привет, читатель!"),
    ("uk", "cp1251", "Бібліотека відчинена щодня, крім неділі. Її читачі можуть взяти три книги додому."),
    ("uk", "cp1251", "Де є моя їжа?"),
    (
        "el",
        "cp1253",
        "Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα εκτός από την Κυριακή. Τα βιβλία επιστρέφονται σε τρεις εβδομάδες.",
    ),
    ("el", "cp1253", "Πού είναι το βιβλίο;"),
    (
        "tr",
        "cp1254",
        "Kütüphane pazar günleri kapalıdır. Kitaplar üç hafta içinde geri verilmelidir; çünkü başkaları da okumak ister.",
    ),
    ("tr", "cp1254", "Çocuklar için güzel bir şey"),
    ("ja", "cp932", "図書室の利用規則。本は一人三冊まで借りられます。返却日を守ってください。"),
    ("ja", "cp932", "こんにちは、図書室です。"),
    ("ja", "euc_jp", "図書室の利用規則。本は一人三冊まで借りられます。返却日を守ってください。"),
    ("ja", "euc_jp", "こんにちは、図書室です。"),
    ("zh", "gb18030", "图书馆每天开放，星期日除外。每位读者可以借三本书，三周内归还。"),
    ("zh", "gb18030", "图书馆今天开放吗？"),
    ("zh", "big5", "圖書館每天開放，星期日除外。每位讀者可以借三本書，三週內歸還。"),
    ("zh", "big5", "圖書館今天開放嗎？"),
    ("ko", "cp949", "도서관은 일요일을 제외하고 매일 문을 엽니다. 책은 세 권까지 빌릴 수 있습니다."),
    ("ko", "cp949", "도서관은 어디에 있습니까?"),
    (
        "nl",
        "cp1252",
        "De bibliotheek is elke dag geopend, behalve op zondag. Financiële vragen over één boek stelt u aan de balie.",
    ),
    ("nl", "cp1252", "Eén café in België"),
    (
        "no",
        "cp1252",
        "Biblioteket er åpent hver dag unntatt søndag. Bøkene må leveres tilbake innen tre uker.",
    ),
    ("no", "cp1252", "Å være eller ikke være"),
    (
        "is",
        "cp1252",
        "Bókasafnið er opið alla daga nema sunnudaga. Það þarf að skila bókum innan þriggja vikna.",
    ),
    ("is", "cp1252", "Hvað er það?"),
    (
        "ro",
        "cp1250",
        "Biblioteca este deschisă în fiecare zi, în afară de duminică. Cărţile se întorc în trei săptămâni şi atât.",
    ),
    ("ro", "cp1250", "Unde este cartea mea şi a ta? Întâi aici, lângă masă."),
    ("sk", "cp1250", "Knižnica je otvorená každý deň okrem nedele. Knihy treba vrátiť do troch týždňov."),
    ("sk", "cp1250", "Kde sú moje knihy? Ďaleko odtiaľto."),
    (
        "pl",
        "iso8859_2",
        "Książki należy zwrócić w ciągu trzech tygodni. Czytelnia jest otwarta codziennie oprócz niedzieli.",
    ),
    ("pl", "iso8859_2", "Gdzie jest moja książka?"),
    ("bg", "cp1251", "Библиотеката е отворена всеки ден освен неделя. Книгите се връщат до три седмици."),
    ("bg", "cp1251", "Къде е моята книга?"),
    ("ru", "cp866", "Постоянный адрес записи каталога не меняется, когда книгу переставляют."),
    ("ru", "cp866", "Привет, читатель!"),
    ("he", "cp1255", "הספרייה פתוחה כל יום חוץ משבת. יש להחזיר את הספרים תוך שלושה שבועות."),
    ("he", "cp1255", "איפה הספר שלי?"),
    ("ar", "cp1256", "المكتبة مفتوحة كل يوم ما عدا يوم الجمعة. يجب إعادة الكتب خلال ثلاثة أسابيع."),
    ("ar", "cp1256", "أين الكتاب؟"),
    ("en", "cp1252", "The café’s “menu” – it’s naïve – costs £3."),
    ("en", "cp1252", "It’s a résumé"),
    ("es", "cp1252", "¿Dónde está la biblioteca? ¡Aquí!"),
    ("es", "cp1252", "mañana"),
    ("ru", "koi8-r", "книга"),
    ("ru", "cp1251", "КНИГИ ВЫДАЮТСЯ НА ДОМ"),
    ("ru", "koi8-r", "КНИГИ ВЫДАЮТСЯ НА ДОМ"),
    ("ru", "cp1251", "ВНИМАНИЕ"),
    ("fr", "cp1252", "L'ÉCOLE EST FERMÉE"),
    ("sv", "cp1252", "ÅÄÖ"),
]


@pytest.mark.parametrize(("language", "encoding", "text"), TEXTS)
def test_a_text_is_read_as_it_was_written(language: str, encoding: str, text: str) -> None:
    """A few words are enough, where letters that are written in that language stand in them."""
    told = decode(text.encode(encoding))
    assert (told.text, told.guessed) == (text, True), language


@pytest.mark.parametrize(("language", "encoding", "text"), TEXTS)
def test_what_surrounds_a_text_does_not_matter(language: str, encoding: str, text: str) -> None:
    """Much ASCII before it, and the same over and over, make no other encoding of it."""
    long = "x = compute(a, b)  # see RFC 3986\r\n" * 50 + (text + "\n") * 200
    assert decode(long.encode(encoding)).text == long, language


def test_no_guess_is_made_of_what_is_no_language() -> None:
    """Bytes that give letters of no language, or none at all, are left to others."""
    assert guesses(bytes(range(128, 256)) * 64) == []
    assert guesses(b"plain") == []


def test_what_was_told_is_no_guess() -> None:
    """UTF-8, a mark and a declaration are certain."""
    assert not decode("é".encode()).guessed
    assert not decode("é".encode("utf-16")).guessed
    assert not decode('<meta charset="iso-8859-1"><p>caf\xe9 \xe0 la carte'.encode("latin-1")).guessed
