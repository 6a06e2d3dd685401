"""The language of a document, and tags of languages."""

import pytest

from readingroom.library.search import languages
from readingroom.library.search.analysis import tokens
from readingroom.library.search.languages import document_language, evidence, primary, run_language

TEXTS = {
    "en": "The reading room is open on every day of the week, and visitors may use the tables by the window.",
    "ru": "Читальный зал открыт каждый день, и посетители могут работать за столами у окна.",
    "de": "Der Lesesaal ist an jedem Tag geöffnet, und die Besucher können an den Tischen am Fenster arbeiten.",
    "fr": "La salle de lecture est ouverte tous les jours et les visiteurs peuvent travailler près de la fenêtre.",
    "es": "La sala de lectura está abierta todos los días y los visitantes pueden trabajar junto a la ventana.",
    "pt": "A sala de leitura está aberta todos os dias e os visitantes podem trabalhar junto da janela, não na rua.",
    "it": "La sala di lettura è aperta tutti i giorni e i visitatori possono lavorare ai tavoli che sono alla finestra.",
    "nl": "De leeszaal is elke dag open en de bezoekers kunnen aan de tafels bij het raam werken.",
    "sv": "Läsesalen är öppen varje dag och besökarna får arbeta vid borden som står vid fönstret.",
    "da": "Læsesalen er åben hver dag, og de besøgende kan arbejde ved bordene, hvor der er lys, ikke mere end to timer.",
    "fi": "Lukusali on avoinna joka päivä ja kävijät voivat olla pöytien ääressä, mutta he eivät saa syödä siellä.",
    "hu": "Az olvasóterem minden nap nyitva van, és a látogatók az ablak melletti asztaloknál is dolgozhatnak.",
    "pl": "Czytelnia jest otwarta codziennie, a goście mogą pracować przy stołach, które są przy oknie.",
    "cs": "Čítárna je otevřena každý den a návštěvníci mohou pracovat u stolů, které jsou u okna.",
    "ro": "Sala de lectură este deschisă în fiecare zi, iar vizitatorii pot lucra la mesele care sunt lângă fereastră.",
    "tr": "Okuma salonu her gün açıktır ve ziyaretçiler pencerenin yanındaki masalarda çalışabilir, ama çok değil.",
    "vi": "Phòng đọc mở cửa mỗi ngày và bạn đọc có thể ngồi ở các bàn bên cửa sổ.",
    "uk": "Читальна зала відкрита щодня, і відвідувачі можуть працювати за столами, що стоять біля вікна.",
    "bg": "Читалнята е отворена всеки ден и посетителите могат да работят на масите, които са до прозореца.",
    "el": "Το αναγνωστήριο είναι ανοιχτό κάθε μέρα και οι επισκέπτες μπορούν να εργαστούν στα τραπέζια.",
    "ar": "قاعة المطالعة مفتوحة كل يوم ويمكن للزوار العمل على الطاولات التي بجانب النافذة",
    "he": "אולם הקריאה פתוח בכל יום והמבקרים יכולים לעבוד ליד החלון",
    "hi": "वाचनालय हर दिन खुला है और आगंतुक खिड़की के पास की मेज़ों पर काम कर सकते हैं।",
    "zh": "阅览室每天开放，访客可以在窗边的桌子旁工作。",
    "ja": "閲覧室は毎日開いており、来館者は窓際の机で作業できます。",
    "ko": "열람실은 매일 열려 있으며 방문객은 창가 책상에서 일할 수 있습니다.",
    "th": "ห้องอ่านหนังสือเปิดทุกวันและผู้เยี่ยมชมสามารถทำงานที่โต๊ะริมหน้าต่างได้",
    "ka": "სამკითხველო დარბაზი ყოველდღე ღიაა",
}


@pytest.mark.parametrize("language", TEXTS)
def test_document_language(language: str) -> None:
    """A sentence or two tell."""
    assert document_language(tokens(TEXTS[language])) == language


def test_names_do_not_tell() -> None:
    """Names of places in another language, however many, do not outweigh the grammar around them."""
    text = "The clubs of the city are in Los Angeles, Los Gatos, San Diego and Las Vegas, and some of them are old."
    assert document_language(tokens(text)) == "en"


def test_letters_decide_where_grammar_is_shared() -> None:
    """Portuguese and Spanish share many words; the letters of the others tell."""
    text = "que para se como era entre sobre cada y irmãos nações corações"
    assert document_language(tokens(text)) == "pt"


def test_grammar_is_clear_only_with_a_lead() -> None:
    """Enough of it, and well more than of the next language."""
    assert languages._clear({"es": 5.0, "pt": 3.0})
    assert not languages._clear({"es": 5.0, "pt": 4.0})
    assert not languages._clear({"es": 3.0})
    assert not languages._clear({})


def test_shouting_tells_too() -> None:
    """A text in capitals has its language."""
    assert document_language(tokens("DER SAAL IST NICHT OFFEN UND DIE TÜR AUCH NICHT")) == "de"


def test_foreign_words_in_a_run() -> None:
    """A Chinese text with names in Latin letters is Chinese; an English one with a Chinese word is English."""
    assert document_language(tokens("使用Kubernetes部署应用程序，然后检查API的状态。")) == "zh"
    assert (
        document_language(tokens("The word 缓存 is Chinese for cache and it is used in all of the menus."))
        == "en"
    )


@pytest.mark.parametrize(
    ("text", "language"), [("", ""), ("123 456", ""), ("qqq zzz", "en"), ("ёёё", "ru"), ("ꙮꙮ", "")]
)
def test_texts_that_do_not_tell(text: str, language: str) -> None:
    """Without grammar the script decides, and without letters nothing does."""
    assert document_language(tokens(text)) == language


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("pt-BR", "pt"),
        ("ZH_Hant", "zh"),
        (" en ", "en"),
        ("iw", "he"),
        ("nb", "no"),
        ("c++", ""),
        ("", ""),
        ("english", ""),
    ],
)
def test_primary(tag: str, language: str) -> None:
    """Tags come to their primary language; what is no tag to nothing."""
    assert primary(tag) == language


def test_evidence() -> None:
    """A word of grammar speaks for its languages in equal shares, a telling letter for fewer and weaker."""
    assert dict(evidence("The")) == {"en": 1.0}
    assert dict(evidence("straße")) == {"de": 0.5}
    assert evidence("window") == ()


def test_run_language_of_none() -> None:
    """Letters that are no runs tell nothing here."""
    assert run_language("abc ქართული") == ""
    assert run_language("ﾃｽﾄ") == "ja"
