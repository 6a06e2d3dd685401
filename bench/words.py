"""Words to make documents of, in several languages: real ones for what everybody writes about, invented ones for the rest.

A few hundred words a language are too few to look like a library, so each list is widened by joining syllables of its
script to some thousands of words that occur seldom. Order is frequency.
"""

import itertools
import random

COMMON: dict[str, str] = {
    "en": """the of and a to in is for that with on as are by this from be or an at it which can not
        address server document library index reader permanent page search answer question change folder file
        language word section heading link table record version update memory process network message request
        response error limit time value name list number key token user role access permission publish review
        draft operation history result score order passage line character system service storage backup archive""",
    "ru": """и в не на что с как по это для или из при от но то если так есть только
        адрес сервер документ библиотека указатель читатель постоянный страница поиск ответ вопрос изменение папка
        файл язык слово раздел заголовок ссылка таблица запись версия обновление память процесс сеть сообщение
        запрос ошибка предел время значение имя список число ключ пользователь роль доступ разрешение публикация
        проверка черновик операция история результат порядок отрывок строка система служба хранилище архив""",
    "de": """der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch
        adresse server dokument bibliothek verzeichnis leser dauerhaft seite suche antwort frage änderung ordner
        datei sprache wort abschnitt überschrift verweis tabelle eintrag fassung speicher vorgang netz nachricht
        anfrage fehler grenze zeit wert name liste zahl schlüssel benutzer rolle zugriff erlaubnis prüfung entwurf
        verlauf ergebnis reihenfolge stelle zeile zeichen system dienst ablage archiv""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como
        dirección servidor documento biblioteca índice lector permanente página búsqueda respuesta pregunta cambio
        carpeta archivo idioma palabra sección título enlace tabla registro versión memoria proceso red mensaje
        petición error límite tiempo valor nombre lista número clave usuario papel acceso permiso revisión borrador
        historia resultado orden pasaje línea carácter sistema servicio almacén copia""",
    "zh": """的 是 在 和 了 有 不 这 为 以 上 个 中 与 对
        地址 服务器 文档 图书馆 索引 读者 永久 页面 搜索 答案 问题 更改 文件夹 文件 语言 词语 章节 标题 链接 表格
        记录 版本 更新 内存 缓存 进程 网络 消息 请求 响应 错误 限制 时间 数值 名称 列表 数字 密钥 用户 角色 访问
        权限 发布 审查 草稿 操作 历史 结果 顺序 段落 系统 服务 存储 备份 归档""",
}

SYLLABLES: dict[str, tuple[str, ...]] = {
    "en": (
        "ba",
        "con",
        "der",
        "fil",
        "gra",
        "hest",
        "lor",
        "min",
        "nap",
        "pel",
        "quor",
        "ster",
        "tam",
        "ver",
        "wim",
    ),
    "ru": (
        "бар",
        "вин",
        "гос",
        "дел",
        "жар",
        "кон",
        "лен",
        "мор",
        "нап",
        "пер",
        "рос",
        "сти",
        "тал",
        "фер",
        "чен",
    ),
    "de": (
        "bau",
        "der",
        "fel",
        "gin",
        "haus",
        "kla",
        "lung",
        "mar",
        "nis",
        "rau",
        "schel",
        "tig",
        "ver",
        "wald",
    ),
    "es": ("bar", "cal", "dor", "fin", "gar", "lle", "mon", "nue", "par", "que", "rio", "san", "tor", "ven"),
    "zh": tuple("山水火木金土日月星云风雨雪花草树石田江河海湖春夏秋冬东西南北高低长短新旧红白青黑"),
}

QUESTIONS: dict[str, str] = {
    "en": "How does the {0} of the {1} depend on the {2}?",
    "ru": "Как {0} зависит от того, что {1} и {2}?",
    "de": "Wie hängt {0} mit {1} und {2} zusammen?",
    "es": "¿Cómo depende {0} de {1} y de {2}?",
    "zh": "{0}和{1}对{2}有什么影响?",
}

RARE = 6_000


def vocabulary(language: str) -> list[str]:
    """The words of a language, the most frequent first; the same on every run."""
    rare = [
        "".join(parts)
        for parts in itertools.product(SYLLABLES[language], repeat=2 if language == "zh" else 3)
    ]
    random.Random(language).shuffle(rare)
    return [*COMMON[language].split(), *rare[:RARE]]
