"""Documents of formats that are converted, written by hand to the last byte."""

import io
import json
import zipfile
from typing import Any

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LINKED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES = """
<w:style w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Heading1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="My own"/><w:basedOn w:val="Heading2"/></w:style>
<w:style w:styleId="Outlined"><w:name w:val="Outlined"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:styleId="Bullet"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
"""


def cell(kind: str, source: str | list[str], *outputs: dict[str, Any]) -> dict[str, Any]:
    """A cell of a notebook."""
    made: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": source}
    return made | ({"outputs": list(outputs), "execution_count": 1} if kind == "code" else {})


def notebook(*cells: dict[str, Any], metadata: dict[str, Any] | None = None, form: int = 4) -> bytes:
    """A notebook as Jupyter writes one."""
    made = {"cells": list(cells), "metadata": metadata or {}, "nbformat": form, "nbformat_minor": 5}
    return json.dumps(made, indent=1).encode()


def printed(text: str) -> dict[str, Any]:
    """What a cell wrote to its standard output."""
    return {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}


def archive(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive, the same bytes every time."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as writing:
        for name, content in members.items():
            writing.writestr(zipfile.ZipInfo(name), content, method)
    return made.getvalue()


def paragraph(text: str, style: str = "", more: str = "") -> str:
    """A paragraph of a Word document; `more` are further properties of it."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def docx(*body: str, parts: dict[str, str | bytes] | None = None, styles: str = _STYLES) -> bytes:
    """A Word document as its body's XML makes it; `parts` stand beside it."""
    names = f'xmlns:w="{_WORD}" xmlns:r="{_LINKED}"'
    content: dict[str, str | bytes] = {
        "word/document.xml": f"<w:document {names}><w:body>{''.join(body)}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {names}>{styles}</w:styles>",
    }
    return archive(content | (parts or {}))


def notes(kind: str, *paragraphs: str) -> str:
    """The XML of footnotes or endnotes, numbered from 1."""
    name = kind.removesuffix("s")
    each = (f'<w:{name} w:id="{number}">{text}</w:{name}>' for number, text in enumerate(paragraphs, 1))
    first = f'<w:{name} w:id="0" w:type="separator">{paragraph("--")}</w:{name}>'
    return f'<w:{kind} xmlns:w="{_WORD}">{first}{"".join(each)}</w:{kind}>'


def chapter(body: str, title: str = "no title") -> str:
    """A chapter of a book, as XHTML."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title>{title}</title></head><body>{body}</body></html>"
    )


def epub(
    chapters: dict[str, str | bytes],
    *,
    parts: dict[str, str | bytes] | None = None,
    manifest: str = "",
    title: str = "<dc:title>Tides</dc:title>",
    spine: str | None = None,
) -> bytes:
    """A book of these chapters by their names in the folder of the package; `parts` stand beside them."""
    items = "".join(
        f'<item id="{name}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>'
        for name in chapters
    )
    order = "".join(f'<itemref idref="{name}"/>' for name in chapters) if spine is None else spine
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{title}<dc:language>de-AT</dc:language></metadata>"
        f"<manifest>{items}{manifest}</manifest><spine>{order}</spine></package>"
    )
    content: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="in/book.opf"/></rootfiles></container>',
        "in/book.opf": package,
    }
    return archive(content | {f"in/{name}": text for name, text in chapters.items()} | (parts or {}))


def pdf(*pages: str, info: str = "", trailer: str = "") -> bytes:
    """A PDF of these pages, each a few lines of text in Latin letters; "" is a page without text."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in text.split("\n") if line)
        content = f"BT /F1 12 Tf 72 720 Td {shown} ET"
        objects += [
            (
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
                f"/Contents {5 + 2 * number} 0 R >>"
            ),
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    objects.append(f"<< {info} >>")
    made, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{each}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R {trailer} >>\n"
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    return made + f"{head}{table}{end}startxref\n{len(made)}\n%%EOF\n".encode("latin-1")


LOCKED = (
    f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> "
    f"/ID [<{'43' * 16}> <{'43' * 16}>]"
)
"""In a trailer: that a password opens the PDF."""
