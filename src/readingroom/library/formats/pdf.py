"""PDF: the text of each page, under the number by which a viewer opens it.

The file is read by a process of its own (`pdf_reading`), which has its time and memory counted: whatever a PDF was made to
do to its reader, it does not do here. What stands on which line of a page is not told by a PDF; the page is.
"""

import subprocess
import sys
import threading

import msgspec

from ..decode import NotText
from . import pdf_reading
from .writing import Converted, Writing

SECONDS = 120.0
"""What one PDF may take in all; of the processor's time it has half of it."""

_AT_ONCE = threading.Semaphore(2)
_NO_TITLES = ("untitled", "microsoft word - ", "microsoft powerpoint - ")


def convert(data: bytes, *, seconds: float = SECONDS, reader: str = pdf_reading.__name__) -> Converted:
    """What a PDF says. Raises NotText for what is none, is encrypted, has no text, or cannot be read within bounds."""
    told = _told(data, seconds, reader)
    if told.problem:
        raise NotText(told.problem)
    empty = sum(not page.strip() for page in told.pages)
    if empty == len(told.pages):
        raise NotText(
            f"a PDF of {empty:,} pages without text: they are pictures, to which text recognition such as `ocrmypdf` adds it"
        )
    writing = Writing()
    for number, page in enumerate(told.pages, 1):
        writing.heading(2, f"page {number}")
        writing.block(page)
    title = "" if told.title.strip().lower().startswith(_NO_TITLES) else told.title
    warnings = (f"{empty:,} of its {len(told.pages):,} pages have no text",) if empty else ()
    return writing.done(" ".join(title.split()), warnings=warnings)


def _told(data: bytes, seconds: float, reader: str) -> pdf_reading.Told:
    # Isolated: neither the folder it is run in nor the environment decides which code is loaded.
    command = [sys.executable, "-I", "-m", reader]
    with _AT_ONCE:
        try:
            done = subprocess.run(
                command,
                input=data,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NotText("a PDF whose text could not be told in the time that a document has") from None
        except OSError as error:
            raise NotText(f"a PDF, whose reader could not be started: {error.strerror or error}") from None
    try:
        return msgspec.json.decode(done.stdout, type=pdf_reading.Told)
    except (msgspec.MsgspecError, ValueError):
        raise NotText("a PDF that broke its reader: it is damaged, or was made to do so") from None
