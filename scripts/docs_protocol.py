"""Makes the reference pages of the protocol kit: rules, errors and limits, each from the code that it describes."""

import ast
import inspect
import itertools

import readingroom.errors
import readingroom.limits
from readingroom.library import ignore, parse, rules, searching
from readingroom.protocol.rules import RULES, SPECIFICATION
from readingroom.wire import codes

_MADE = "<!-- Made by scripts/generate_docs.py; do not edit. -->"

_CHAPTERS = {
    "ERR": "Errors",
    "RPC": "Messages",
    "META": "Metadata of requests",
    "RES": "Results",
    "VER": "Versions",
    "DISC": "Discovery",
    "EXT": "Extensions",
    "STDIO": "stdio",
    "MRTR": "Asking for input",
    "PROG": "Progress",
    "CAN": "Cancellation",
    "SUB": "Subscriptions",
    "PAGE": "Pages",
    "CACHE": "Caching",
    "TOOL": "Tools",
    "SCH": "Schemas",
    "RSRC": "Resources",
    "PRO": "Prompts",
    "COMP": "Completion",
    "LOG": "Log lines",
    "ICON": "Icons",
    "SHAPE": "Shapes of results",
    "HTTP": "HTTP",
    "HDR": "Mirrored headers",
    "ENC": "Encoding of mirrored values",
    "XH": "Arguments as headers",
    "ELIC": "Elicitation",
    "SAMP": "Sampling",
    "ROOT": "Roots",
    "TASK": "Tasks",
    "ERA": "Telling the eras apart",
    "LEG": "The older era",
    "RS": "Authorization",
    "CL": "Logging in",
}

_WHEN = {
    "PARSE_ERROR": "The line is no JSON, or not UTF-8. The answer has no id.",
    "INVALID_REQUEST": "JSON, but no message: a batch, an id of a wrong type or one in flight, too long, too deep. With the"
    " id if one can be read and it is not in flight.",
    "METHOD_NOT_FOUND": "There is no such method, or its capability is not advertised.",
    "INVALID_PARAMS": "The metadata is missing or wrong (status 400 then), or the parameters cannot be served: an unknown"
    " tool, prompt, resource or cursor.",
    "INTERNAL_ERROR": "A fault of the server. `data.incident` is the id under which its log says more.",
    "HEADER_MISMATCH": "A header of an HTTP request does not say what its body says.",
    "MISSING_CAPABILITY": "`data.requiredCapabilities` is what the request did not declare.",
    "UNSUPPORTED_VERSION": "`data.supported` are the versions served, `data.requested` the one that was asked for.",
}


_LIBRARY = (
    (rules.MAX_FILE_BYTES, "A file, in bytes. A larger one is left out; `readingroom status` says so."),
    (ignore.MAX_IGNORE_BYTES, "A `.gitignore` or `.readingroomignore`, in bytes. The folder of a larger one is not served."),
    (parse.MAX_HEADINGS, "Headings of a document that make sections; the rest of them is text."),
    (parse.MAX_LINKS, "Links of a document that are followed."),
    (rules.PASSAGE_CHARACTERS, "Characters near which a long section is split into passages."),
    (searching.QUERY_CHARACTERS, "Characters of a query."),
    (searching.MOST_HITS, "Passages on one page of a search."),
    (searching.FURTHEST, "The rank to which a search can be paged."),
)  # fmt: skip
"""What bounds a library, which nothing sets."""


def pages() -> dict[str, str]:
    """Give the generated pages: the path of each, relative to the project, and its text."""
    return {
        "docs/reference/rules.md": rules_page(),
        "docs/reference/errors.md": errors_page(),
        "docs/reference/limits.md": limits_page(),
    }


def rules_page() -> str:
    """Give the page of requirements, by chapter."""
    chapters: dict[str, list[str]] = {}
    for rule in RULES:
        row = (
            f'| <a id="{rule.id.lower()}"></a>[{rule.id}]({rule.link}) | {rule.level} | {rule.who} | {rule.carrier} '
            f"| {rule.sentence} |"
        )
        chapters.setdefault(rule.id.rpartition("-")[0], []).append(row)
    head = "| rule | level | binds | carrier | what it says |\n|---|---|---|---|---|\n"
    parts = [f"## {_CHAPTERS[chapter]}\n\n{head}" + "\n".join(rows) for chapter, rows in chapters.items()]
    intro = (
        f"# Rules of the protocol\n\n{_MADE}\n\nWhat [MCP 2026-07-28]({SPECIFICATION}) requires of servers and clients, and"
        " ours keep. Messages, code and tests name each requirement by its id, and each has a test that keeps it and one"
        " that breaks it (`tests/rules`). The sentences are ours; the page of the specification that each id links to is"
        " what counts. OURS marks a decision where the specification leaves one open."
    )
    return "\n\n".join([intro, *parts]) + "\n"


def errors_page() -> str:
    """Give the page of error codes and exceptions."""
    names = {value: name for name, value in vars(codes).items() if name.isupper() and isinstance(value, int)}
    rows = "\n".join(
        f"| {code} | {names[code].replace('_', ' ').lower()} | {status} | {_WHEN[names[code]]} |"
        for code, status in codes.HTTP_STATUS.items()
    )
    tree = inspect.getdoc(readingroom.errors) or ""
    drawing = tree[tree.index("ReadingRoomError") :]
    classes = [
        value
        for value in vars(readingroom.errors).values()
        if isinstance(value, type) and value.__module__ == "readingroom.errors"
    ]
    described = "\n".join(f"| `{cls.__name__}` | {_one_line(inspect.getdoc(cls) or '')} |" for cls in classes)
    return (
        f"# Errors\n\n{_MADE}\n\n## Codes\n\n| code | name | HTTP status | when |\n|---|---|---|---|\n{rows}\n\n"
        "A tool's own failure is no error: it is a result with `isError` and a text that the model may read. Anything else"
        " that a handler raises is masked as an internal error.\n\n"
        f"## Exceptions\n\n```python\n{drawing}\n```\n\n| exception | means |\n|---|---|\n{described}\n"
    )


def limits_page() -> str:
    """Give the page of limits, with their defaults and reasons."""
    tree = ast.parse(inspect.getsource(readingroom.limits.Limits))
    body = tree.body[0].body  # type: ignore[attr-defined]  # the class's own
    rows = []
    for field, reason in itertools.pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(reason, ast.Expr)
            and isinstance(field.target, ast.Name)
        ):
            value = getattr(readingroom.limits.DEFAULT_LIMITS, field.target.id)
            text = _one_line(str(ast.literal_eval(reason.value)))
            rows.append(f"| `{field.target.id}` | {_shown(field.target.id, value)} | {text} |")
    listed = "\n".join(rows)
    of_library = "\n".join(f"| {_shown('', value)} | {text} |" for value, text in _LIBRARY)
    return (
        f"# Limits\n\n{_MADE}\n\nWhat one connection may cost. Give a server or a client another record to change it:"
        f" `Server(..., limits=Limits(line_bytes=…))`.\n\n| limit | default | what it bounds |\n|---|---|---|\n{listed}\n\n"
        "A message that is over a limit is refused, and the next one is served. What is too much at once is held back, not"
        " lost: the server stops reading, and goes on once there is room again. Below that, cancellation and discovery are"
        " always read.\n\n## Of a library\n\nThese are fixed.\n\n| most | of what |\n|---|---|\n"
        f"{of_library}\n"
    )


def _shown(name: str, value: float) -> str:
    mib = readingroom.limits.MIB
    if isinstance(value, int) and value >= mib and value % mib == 0:
        return f"{value // mib} MiB"
    return f"{value:g} s" if name.endswith("_seconds") else f"{value:,}"


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
