"""HTML cut into tags and texts with the offsets where they begin, in one pass whose cost is linear in any input.

Follows the tokenizer of the HTML standard in what decides where a tag ends and which text is none: attributes and their
quotes, comments, declarations, and elements whose content is raw. What the end of the document cuts off is dropped, as a
browser does. The tree is not built: an element nobody closes is for the reader of the tokens to bear.
"""

import html
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

# One tag from behind its name to its ">": attributes with or without values, blanks and slashes between them. Every
# part is possessive, so that a tag that never ends is read once. A quote that is never closed is taken as a name.
_ATTRIBUTE = r"""[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+"""
_TAG = re.compile(rf"<(/?+)([a-zA-Z][^\s/>]*+)((?:{_ATTRIBUTE}|[\s/]++)*+)>")
_EACH = re.compile(r"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"'][^\s>]*+))?+)?+""")

_OPENING = re.compile(r"<(?=[a-zA-Z/!?])")  # any other "<" is text
_OVERLONG = re.compile(r"&#[0-9]{10,}+;?")  # no character has such a number; to read it could be refused
_COMMENT_END = re.compile(r"--!?>")

_UNREAD = ("script", "style", "iframe", "noembed", "noframes", "xmp", "plaintext")
_RAW = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in (*_UNREAD, "title", "textarea")}


class Token(msgspec.Struct, frozen=True):
    """A piece of the document: for text what it says, for a tag its name in lower case and its attributes as written."""

    kind: Literal["text", "start", "end"]
    at: int
    end: int
    name: str = ""
    rest: str = ""


def said(text: str) -> str:
    """The text with its character references resolved."""
    if "&" not in text:
        return text
    return html.unescape(_OVERLONG.sub("\ufffd", text) if "&#" in text else text)


def attributes(token: Token) -> dict[str, str]:
    """The attributes of a start tag by their names in lower case; of two with one name the first counts."""
    found: dict[str, str] = {}
    for name, double, single, bare in _EACH.findall(token.rest):
        found.setdefault(name.lower(), said(double or single or bare))
    return found


def tokens(text: str, begin: int) -> Iterator[Token]:
    """The tags and texts of `text` from `begin` on, without what is raw and not meant to be read."""
    xml = "xmlns" in text[begin : begin + 1_000]  # there an element can end in its own tag
    at = begin
    while at < len(text):
        found = _OPENING.search(text, at)
        opening = len(text) if found is None else found.start()
        if opening > at:
            yield Token("text", at, opening)
        match = _TAG.match(text, opening)
        if match is None:
            at = _past_markup(text, opening)
            continue
        slash, name, rest = match.groups()
        name, at = name.lower(), match.end()
        yield Token("end" if slash else "start", opening, at, name, rest)
        if name in _RAW and not slash and not (xml and rest.endswith("/")):
            closing = _RAW[name].search(text, at)
            begun, at = at, len(text) if closing is None else closing.start()
            if name not in _UNREAD and at > begun:
                yield Token("text", begun, at)


def _past_markup(text: str, at: int) -> int:
    """Where the comment, declaration or broken tag at `at` ends: with the document, if nothing else ends it."""
    if text.startswith("<!--", at):
        closing = _COMMENT_END.search(text, at + 2)
        return len(text) if closing is None else closing.end()
    end = text.find(">", at + 2) if text[at + 1 : at + 2] in ("!", "?", "/") else -1
    return len(text) if end < 0 else end + 1
