"""Reads the PDF on stdin and tells its pages on stdout as JSON: run by `pdf` as a process of its own.

PDFium is a large program that reads what anybody may have made; here it has no more than its time and memory.
"""

import sys
from typing import Any

import msgspec

from ...bounds import bound
from .writing import MOST_CHARACTERS, clean

MOST_PAGES = 20_000
_CPU_S = 60
_MEMORY_BYTES = 1536 * 1024 * 1024


class Told(msgspec.Struct, frozen=True):
    """The pages' texts in their order; or why there are none."""

    problem: str = ""
    title: str = ""
    pages: tuple[str, ...] = ()


def told(data: bytes) -> Told:
    """What a PDF says."""
    import pypdfium2
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == FPDF_ERR_PASSWORD:
            return Told("an encrypted PDF: save it without a password for it to be read")
        return Told(f"it is no PDF, or a broken one ({error})")
    count = len(document)
    if not 0 < count <= MOST_PAGES:
        return Told(f"a PDF of {count:,} pages")
    pages, size = [], 0
    for number in range(count):
        pages.append(_text(pypdfium2, document, number))
        size += len(pages[-1])
        if size > MOST_CHARACTERS:
            return Told(f"it has more than {MOST_CHARACTERS:,} characters of text")
    return Told("", clean(document.get_metadata_value("Title")), tuple(pages))


def _text(pypdfium2: Any, document: Any, number: int) -> str:
    """The text of a page, "" of one that is broken; words that the end of a line parts are put together."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return ""
    try:
        text = clean(page.get_textpage().get_text_range())
    except pypdfium2.PdfiumError:
        return ""
    finally:
        page.close()
    for parted in ("\ufffe", "\x02"):  # how PDFium tells of a hyphen there
        text = text.replace(f"{parted}\n", "").replace(parted, "")
    return "\n".join(line.rstrip() for line in text.split("\n"))


if __name__ == "__main__":
    bound(_CPU_S, _MEMORY_BYTES)
    sys.stdout.buffer.write(msgspec.json.encode(told(sys.stdin.buffer.read())))
