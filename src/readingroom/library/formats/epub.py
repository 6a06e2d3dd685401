"""EPUB books: their chapters in the order of the spine, each with the headings it has, or the name the contents give it.

Chapters are HTML and read like it: the text that people see. Pictures, styles and scripts are not read, and nothing
outside the book is ever looked for. Locked books are refused.
"""

import posixpath
from urllib.parse import unquote

import msgspec

from .. import hypertext
from ..decode import NotText, decode
from ..lines import Lines
from ..model import Link
from .archive import Archive, Attributes
from .writing import Converted, Writing, clean

_CONTAINER = "META-INF/container.xml"
_TEXTS = ("application/xhtml+xml", "text/html", "application/xml")
# Fonts may be scrambled without hindering anybody.
_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


class _Item(msgspec.Struct):
    path: str
    kind: str
    properties: str


class _Package:
    """What the package says of the book: its title, language, parts and their order."""

    def __init__(self, archive: Archive, path: str) -> None:
        self.title = self.language = ""
        self.items: dict[str, _Item] = {}
        self.spine: list[str] = []
        self.contents = ""
        self._folder = posixpath.dirname(path)
        self._open = ""
        archive.parse(path, self._start, self._end, self._text)

    def _start(self, name: str, given: Attributes) -> None:
        if name == "item":
            path = _joined(self._folder, given.get("href", ""))
            item = _Item(path, given.get("media-type", ""), given.get("properties", ""))
            self.items[given.get("id", "")] = item
            if "nav" in item.properties.split():
                self.contents = path
        elif name == "itemref" and given.get("linear") != "no":
            self.spine.append(given.get("idref", ""))
        elif name in ("title", "language"):
            self._open = "" if getattr(self, name) else name

    def _end(self, _: str) -> None:
        self._open = ""

    def _text(self, text: str) -> None:
        if self._open:
            setattr(self, self._open, getattr(self, self._open) + text)


def convert(data: bytes) -> Converted:
    """What a book says. Raises NotText for what is none, is locked, or is too large."""
    archive = Archive(data, "EPUB book")
    if _CONTAINER not in archive:
        raise NotText(f"it is no EPUB book: {_CONTAINER} is not in it")
    _check_locks(archive)
    package = _Package(archive, _package_path(archive))
    names = _names(archive, package)
    writing, missing = Writing(), 0
    for number in package.spine:
        item = package.items.get(number)
        if item is None or item.path not in archive:
            missing += 1
        elif item.kind in _TEXTS and item.path != package.contents:
            _write(writing, archive.read(item.path), names.get(item.path, ""))
    if writing.is_empty:
        raise NotText("it is an EPUB book without text: its pages may be pictures")
    warnings = (f"{missing} of its chapters are not in the book",) if missing else ()
    return writing.done(" ".join(package.title.split()), package.language.strip(), warnings)


def _joined(folder: str, location: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(location.partition("#")[0])))


def _package_path(archive: Archive) -> str:
    found: list[str] = []

    def start(name: str, given: Attributes) -> None:
        if name == "rootfile" and "full-path" in given:
            found.append(given["full-path"])

    archive.parse(_CONTAINER, start, lambda _: None, lambda _: None)
    if not found:
        raise NotText(f"it is a broken EPUB book: {_CONTAINER} in it names no package")
    return found[0]


def _check_locks(archive: Archive) -> None:
    """Raise NotText for a book whose text is encrypted."""
    methods: list[str] = []

    def start(name: str, given: Attributes) -> None:
        if name == "EncryptionMethod":
            methods.append(given.get("Algorithm", ""))

    if "META-INF/encryption.xml" in archive:
        archive.parse("META-INF/encryption.xml", start, lambda _: None, lambda _: None)
    if any(method not in _FONTS for method in methods):
        raise NotText(
            "it is a locked EPUB book (DRM): only whom it was sold to can open it, in the seller's program"
        )


def _names(archive: Archive, package: _Package) -> dict[str, str]:
    """The name that the table of contents gives each chapter: its first one, by the chapter's path."""
    found: dict[str, str] = {}
    if package.contents in archive:
        text = clean(decode(archive.read(package.contents)).text)
        folder = posixpath.dirname(package.contents)
        for link in hypertext.structure(Lines(text), 1)[0].links:
            found.setdefault(_joined(folder, link.target), link.text)
        return found
    for item in package.items.values():
        if item.kind == "application/x-dtbncx+xml" and item.path in archive:
            _read_ncx(archive, item.path, found)
            break
    return found


def _read_ncx(archive: Archive, path: str, found: dict[str, str]) -> None:
    """The names of the older kind of contents: a label stands before the place it names."""
    folder, texts, is_open = posixpath.dirname(path), [""], [False]

    def start(name: str, given: Attributes) -> None:
        if name == "navLabel":
            texts[0], is_open[0] = "", True
        elif name == "content":
            found.setdefault(_joined(folder, given.get("src", "")), " ".join(texts[0].split()))

    def end(name: str) -> None:
        is_open[0] = is_open[0] and name != "navLabel"

    def text(piece: str) -> None:
        texts[0] += piece if is_open[0] else ""

    archive.parse(path, start, end, text)


def _write(writing: Writing, data: bytes, name: str) -> None:
    """Write a chapter: under its own first heading, or under its name in the contents if it begins without one."""
    text = clean(decode(data).text)
    found, _ = hypertext.structure(Lines(text), 1)
    if found.blocks and not found.blocks[0].level:
        writing.heading(1, name)
    links = iter(found.links)
    link = next(links, None)
    for block in found.blocks:
        while link is not None and link.line <= block.last:
            _note(writing, link)
            link = next(links, None)
        if block.level:
            writing.heading(block.level, block.title)
        else:
            writing.block("\n".join(row.text for row in block.rows))


def _note(writing: Writing, link: Link) -> None:
    """Note a link that leads out of the book; within it, there is nothing to resolve it by."""
    if "://" in link.target:
        writing.link(link.target, link.text)
