"""One wildcard pattern of git to one regular expression without captures, free of costly backtracking.

A star takes as little as it can and what follows it is matched once (an atomic group): for a pattern between two stars
the first place where it fits is as good as any later one. After ``**/`` that holds for everything up to the next
``**``, since such a stretch spans a fixed number of folders. What a star may not cross, a slash, is never in its class.
"""

import re

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
_SPECIAL = "*?[\\"
_SLASH = "/(?!\\Z)"  # never the mark of a folder, which ends the path

_STAR = "*"
_DEEP = "**"  # any number of folders, the slash after it included
_REST = "**$"  # everything that is left

Token = tuple[str, str]  # a kind, and for an ordinary character (kind "") its expression


def translate(pattern: str, *, whole: bool) -> str | None:
    """The expression for `pattern`, to be matched from the start of a name, or of a path when `whole`.

    None when git would never match it: an unclosed or unknown class, a backslash at the end.
    """
    tokens = _tokens(pattern.removeprefix("/") if whole else pattern, whole=whole)
    if tokens is None:
        return None
    stretches: list[list[Token]] = [[]]
    for token in tokens:
        if token[0] in (_DEEP, _REST):
            stretches.append([])
        else:
            stretches[-1].append(token)
    parts = [_stretch(stretch) for stretch in stretches]
    if tokens and tokens[-1][0] == _REST:
        return parts[0] + "".join(f"(?>(?:.*?/)??{part})" for part in parts[1:-1]) + ".*"
    return parts[0] + "".join(
        f"(?>(?:.*?/)??{part})" if number < len(parts) - 1 else f"(?:.*/)?{part}"
        for number, part in enumerate(parts[1:], 1)
    )


def _stretch(tokens: list[Token]) -> str:
    """What lies between two double stars, or the whole pattern where there are none."""
    pieces = [""]
    for kind, expression in tokens:
        if kind == _STAR:
            pieces.append("")
        else:
            pieces[-1] += expression
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:-1])
    return f"{pieces[0]}{middle}[^/]*{pieces[-1]}"


def _tokens(pattern: str, *, whole: bool) -> list[Token] | None:
    found: list[Token] = []
    literal = next((at for at, character in enumerate(pattern) if character in _SPECIAL), len(pattern))
    at = 0
    while at < len(pattern):
        if pattern[at] == "*":
            stars = len(pattern) - at - len(pattern[at:].lstrip("*"))
            kind, length = _stars(pattern, at, stars, literal) if whole else (_STAR, stars)
            found.append((kind, ""))
            at += length
            continue
        parsed = _character(pattern, at)
        if parsed is None:
            return None
        found.append(("", parsed[0]))
        at = parsed[1]
    return found


def _stars(pattern: str, at: int, stars: int, literal: int) -> tuple[str, int]:
    """What a run of stars in a path stands for, and how much of the pattern it takes.

    Two or more are a double star between slashes or at an end. git compares the text before the first wildcard apart
    and begins anew behind it, so that a run there counts as if a slash stood before it (``a**/b`` matches ``a/x/b``).
    """
    begins = at == literal or pattern[at - 1] == "/"
    rest = pattern[at + stars :]
    if stars == 1 or not begins or (rest and rest[0] != "/"):
        return _STAR, stars
    return (_DEEP, stars + 1) if rest else (_REST, stars)


def _character(pattern: str, at: int) -> tuple[str, int] | None:
    """The expression of the one character that `pattern` asks for at `at`, and where the pattern goes on."""
    character = pattern[at]
    if character == "[":
        return _class(pattern, at + 1)
    if character == "?":
        return "[^/]", at + 1
    one = _quoted(pattern, at)
    return one and (_SLASH if one[0] == "/" else re.escape(one[0]), one[1])


def _class(pattern: str, at: int) -> tuple[str, int] | None:
    """The class that begins behind the bracket before `at`. A bracket that closes at once is a member."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    members = ""
    begin = ""  # where a range would begin
    first = at
    # members is never empty in the end: a range, which may be, follows the character it begins with
    while pattern[at : at + 1] != "]" or at == first:
        parsed = _member(pattern, at, begin)
        if parsed is None:
            return None
        member, begin, at = parsed
        members += member
    return f"(?!/)[{'^' if negated else ''}{members}]", at + 1


def _member(pattern: str, at: int, begin: str) -> tuple[str, str, int] | None:
    """One member of a class: its expression, the character a range may begin with, and where the class goes on."""
    following = pattern[at + 1 : at + 2]
    if pattern[at : at + 2] == "[:":
        end = pattern.find("]", at + 2)
        if end < 0:
            return None
        if end > at + 2 and pattern[end - 1] == ":":
            named = _CLASSES.get(pattern[at + 2 : end - 1])
            return None if named is None else (named, "", end + 1)
    elif pattern[at : at + 1] == "-" and begin and following not in ("", "]"):
        last = _quoted(pattern, at + 1)
        if last is None:
            return None
        backwards = last[0] < begin
        return ("" if backwards else f"{re.escape(begin)}-{re.escape(last[0])}"), "", last[1]
    one = _quoted(pattern, at)
    return None if one is None else (re.escape(one[0]), one[0], one[1])


def _quoted(pattern: str, at: int) -> tuple[str, int] | None:
    """The character at `at`, or the one behind it when that is a backslash, and what follows."""
    at += pattern[at : at + 1] == "\\"
    return (pattern[at], at + 1) if at < len(pattern) else None
