"""Documents that are converted before they are read: their bytes are not their text.

What is told of each is one text with its blocks, made of the bytes alone, so that lines and sections are the same every
time. Nothing is executed, fetched or looked up. Loaded only when there is such a document.
"""

from collections import OrderedDict
from threading import Lock

from ..digest import digest_of
from ..model import Format
from .writing import Converted

_KEPT = 4  # texts of documents that are being read on and on

_texts: OrderedDict[tuple[str, str], str] = OrderedDict()
_lock = Lock()


def convert(kind: Format, data: bytes) -> Converted:
    """What a document of a converted format says. Raises NotText, and nothing else, for bytes that are no such document."""
    from importlib import import_module

    made: Converted = import_module(f".{kind}", __name__).convert(
        data
    )  # of `rules.CONVERTED`: each has its module
    return made


def text(kind: Format, data: bytes) -> str:
    """The text alone; that of the last few documents is kept. Raises NotText like `convert`."""
    key = (kind, digest_of(data))
    with _lock:
        if key in _texts:
            _texts.move_to_end(key)
            return _texts[key]
    made = convert(kind, data).text
    with _lock:
        _texts[key] = made
        while len(_texts) > _KEPT:
            _texts.popitem(last=False)
    return made
