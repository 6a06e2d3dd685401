"""What a reader writes and what stands in a document: forms, scripts, identifiers and spellings that must meet.

Every pair is asked of one index of all the texts, without the language of the query; the text must be among the hits
and the query must have all its words there (`relaxed` false). The pairs that are known not to meet are listed as such.
"""

from pathlib import Path

import pytest

from readingroom.library.search import Index
from support.indexes import ask, entry, index_of

TEXTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "ru-address": (
        "Для получения читательского билета предъявите документ с указанием постоянного адреса и отметкой о регистрации.",
        (
            "постоянный адрес",
            "постоянным адресом",
            "ПОСТОЯННЫЙ АДРЕС",
            "читательские билеты",
            "документы",
            "отметка",
        ),
    ),
    "ru-yo": (
        "Ёлка стоит в фойе, пчёлы учтены в журнале, йод хранится в аптечке.",
        ("елка", "ёлки", "пчелы", "йод", "аптечка"),
    ),
    "ru-server": (
        "Подключения к серверам печати настраиваются автоматически после перезагрузки.",
        ("подключение", "сервер печати", "перезагрузкам", "автоматический"),
    ),
    "uk": ("Український пошук документів про їжаків і ґанок будинку.", ("їжак", "ґанок", "пошук документів")),
    "bg": (
        "Библиотеката е отворена всеки ден, освен в неделя, и това важи за читателите.",
        ("неделя", "библиотеката"),
    ),
    "en-forms": (
        "Connections were closed while the clerks were connecting shelves and categories.",
        ("connection", "connect", "category", "shelves closed connections", "connected"),
    ),
    "en-accents": (
        "The café serves crème brûlée to naïve visitors.",
        ("cafe", "creme brulee", "naive visitor", "café"),
    ),
    "en-plain": ("A facade with uber slogans and a resume.", ("façade", "über slogan", "résumé")),
    "de": (
        "Die Häuser der Bücherei schließen früher, und die Größe der Straße ist nicht entscheidend.",
        ("Haus", "Haeuser", "schliessen", "schließen", "groesse", "Grösse", "strasse", "Bücherei"),
    ),
    "fr": (
        "Les modèles sont déployés automatiquement dans les ateliers d'été.",
        ("modele", "modèle déployer", "atelier", "été"),
    ),
    "es": (
        "Las bibliotecas públicas prestaban canciones y corazones a los niños que no tenían libros.",
        ("biblioteca publica", "canción", "corazón"),
    ),
    "pt": (
        "As coleções não são emprestadas aos leitores, mas podem ser lidas na sala.",
        ("colecoes", "leitor", "emprestada"),
    ),
    "it": (
        "I lettori possono restituire i volumi prestati agli sportelli, che sono aperti anche dopo le sei.",
        ("lettore", "volume prestato", "sportello"),
    ),
    "nl": ("De boeken worden door de lezers teruggebracht.", ("boek", "lezer")),
    "sv": ("Böckerna är utlånade till läsarna och biblioteket.", ("böcker", "läsare", "bocker")),
    "fi": (
        "Kirjastoissa on taloja ja lukijoita, jotka eivät ole täällä, mutta he voivat tulla kun ehtivät.",
        ("kirjasto", "talo", "lukija"),
    ),
    "hu": (
        "A könyvtárakban olvasók vannak, és az is igaz, hogy könyveket kölcsönöznek, de nem minden nap.",
        ("könyvtár", "konyvtar", "könyv"),
    ),
    "pl": ("Książki są wypożyczane czytelnikom przez biblioteki.", ("książki", "ksiazki", "biblioteki")),
    "cs": ("Čtenáři si půjčují knihy v městské knihovně.", ("kniha", "mestska", "čtenář")),
    "ro": (
        "Bibliotecile împrumută cărțile și reviste cititorilor din oraș.",
        ("biblioteca", "cărți", "oras", "cititor"),
    ),
    "tr": (
        "İSTANBUL kütüphaneleri kitapları ödünç verir ve ışıkları yakar, ama her gün değil, çünkü bu zaman alır.",
        ("istanbul", "İstanbul", "kütüphaneler", "isik", "kitap"),
    ),
    "el": (
        "Τα έγγραφα της βιβλιοθήκης είναι διαθέσιμα για αναζήτηση.",
        ("έγγραφο", "εγγραφα", "βιβλιοθηκη", "ΑΝΑΖΉΤΗΣΗ"),
    ),
    "ar": ("المكتبة مفتوحة للقراء والكُتُب متاحة في الرفوف", ("مكتبة", "الكتب", "كتب", "القراء", "رفوف")),
    "he": ("הספרייה פתוחה לקוראים בכל יום", ("הספרייה", "פתוחה")),
    "fa": ("کتابخانه برای خوانندگان باز است و می‌خواهم کتاب را بخوانم.", ("کتابخانه", "میخواهم", "می‌خواهم")),
    "hi": ("पुस्तकालय में दस्तावेज़ों की खोज और हिन्दी की किताबें हैं।", ("दस्तावेज़", "किताब", "हिन्दी खोज", "पुस्तकालय")),
    "vi": ("Thư viện mở cửa cho bạn đọc và mượn sách.", ("thư viện", "bạn đọc", "mượn sách", "thu vien")),
    "vi-tone": ("Con ma ở trong má và mã cũ.", ("má", "mã", "ma")),
    "zh": (
        "数据库检索系统支持全文搜索和中文分词。",
        ("检索系统", "全文", "数据库", "搜索", "分", "数据 检索", "中文分词"),
    ),
    "zh-hant": ("訂閱電子報後即可收到通知", ("電子報", "通知", "訂")),
    "zh-mixed": ("使用Kubernetes集群部署API接口。", ("kubernetes", "集群", "api", "API接口", "部署")),
    "ja": (
        "データベースの接続を設定する方法。ｶﾀｶﾅも検索。",
        ("データベース 接続", "カタカナ", "検索", "設定"),
    ),
    "ja-nfd": ("カ\u3099ラスの本棚", ("ガラス", "本棚")),
    "ko": ("한국어를 검색하는 데이터베이스", ("한국어", "데이터베이스 검색", "검색")),
    "th": ("ภาษาไทยไม่มีช่องว่างระหว่างคำ ฐานข้อมูลน้ำ", ("ภาษาไทย", "ฐานข้อมูล", "ช่องว่าง", "น้ำ")),
    "http": (
        "The server speaks HTTP/2 and gRPC over TLS 1.3.",
        ("HTTP/2", "http2", "TLS 1.3", "grpc", "server speaks"),
    ),
    "http2": ("Our gateway has http2 and utf8 turned on.", ("HTTP/2", "http2", "UTF-8", "utf8")),
    "c": ("Written in C++ and C#, not in Go.", ("C++", "C#", "c++", "c#")),
    "snake": (
        "Set max_connection_count in the config.",
        ("max_connection_count", "connection count", "max_connections", "MAX_CONNECTION_COUNT"),
    ),
    "camel": (
        "Call getUserNameById() from XMLHttpRequest.",
        ("getUserNameById", "getusernamebyid", "user name", "http request", "XMLHttpRequest", "getUser*"),
    ),
    "path": (
        "See /etc/kubernetes/manifests/kube-apiserver.yaml for flags.",
        ("/etc/kubernetes/manifests", "kube-apiserver.yaml", "kube-apiserver", "apiserver", "etc/kubernetes"),
    ),
    "flag": (
        "Run kubectl get pods -n kube-system, then lint --error-on-warnings to list them.",
        ("kubectl get pods -n", "get pod", "--error-on-warnings", "error-on-warnings", "-n"),
    ),
    "version": (
        "Version v1.31.2 fixes CVE-2024-12345 and POL-358.",
        ("v1.31.2", "CVE-2024-12345", "1.31", "POL-358", "pol 358"),
    ),
    "mail": (
        "Mail user@example.com or see https://example.com/a/b?x=1.",
        ("user@example.com", "example.com", "https://example.com/a/b", "example.com/a"),
    ),
    "node": (
        "Use node.js and .NET with useState() hooks and $scope.",
        ("node.js", ".NET", "useState", "usestate hook", "$scope"),
    ),
    "soft": (
        "Die Daten\u00adbank ist ohne Lücken und wird nicht gelöscht.",
        ("Datenbank", "Luecken", "lücken", "Datenbanken"),
    ),
    "wide": ("ＡＢＣ は全角です ①", ("abc", "全角")),
    "ligature": ("The oﬃce is open; Ĳsland too.", ("office", "ijsland")),
    "nfd": ("Re\u0301sume\u0301 and Zu\u0308rich", ("résumé", "zurich", "Zürich")),
}

# Words that come of others by more than an ending, which no stemmer brings together.
APART = (
    ("Дети идут в школу, люди шли домой.", "ребёнок"),
    ("Дети идут в школу, люди шли домой.", "человек"),
    ("The indices of both volumes.", "index"),
)

PAIRS = [(name, query) for name, (_, queries) in TEXTS.items() for query in queries]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """All the texts, each a document by its name."""
    return index_of(
        tmp_path_factory.mktemp("pairs"), *(entry(name, text) for name, (text, _) in TEXTS.items())
    )


@pytest.mark.parametrize(("name", "query"), PAIRS)
def test_pairs_meet(index: Index, name: str, query: str) -> None:
    """The text is found by the query, by all of its words."""
    found = ask(index, query, limit=50)
    assert name in [hit.path for hit in found.hits]
    assert not found.relaxed


@pytest.mark.parametrize(("text", "query"), APART)
def test_pairs_that_do_not_meet(tmp_path: Path, text: str, query: str) -> None:
    """What this search cannot do stands here, so that it is noticed when it can."""
    assert ask(index_of(tmp_path, entry("a", text)), query).hits == ()
