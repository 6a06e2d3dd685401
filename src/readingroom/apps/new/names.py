"""Names of a new server: what registries, Python and file systems take. Pure; nothing is repaired but case and dashes."""

import msgspec

from ..faults import UsageFault

_LONGEST = 100
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset("0123456789")
# Windows opens devices under these names, whatever follows after a dot.
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789"))
)
# Packages that the new one needs, or that its own tests would be taken for.
_TAKEN_PYTHON = frozenset(("readingroom", "msgspec", "pytest", "uvicorn", "test", "tests"))
# npm refuses names of Node's own modules, and these two (validate-npm-package-name).
_TAKEN_NPM = frozenset(
    (
        "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
        "diagnostics_channel", "dns", "domain", "events", "favicon.ico", "fs", "http", "http2", "https", "inspector",
        "module", "net", "node_modules", "os", "path", "perf_hooks", "process", "punycode", "querystring", "readline",
        "repl", "stream", "string_decoder", "sys", "timers", "tls", "trace_events", "tty", "url", "util", "v8", "vm",
        "wasi", "worker_threads", "zlib",
    )
)  # fmt: skip


class Names(msgspec.Struct, frozen=True):
    """One name, as each reader of it wants it."""

    distribution: str
    """As the registry has it: `My.Notes`, `@me/notes`."""

    program: str
    """The command, the server's own name, and the folder's unless another is asked for: `my-notes`."""

    package: str = ""
    """What Python imports: `my_notes`; empty for TypeScript."""


def python_names(name: str) -> Names:
    """Check a name for PyPI and for Python (packaging.python.org, "Names and normalization"). Raises: UsageFault."""
    low = name.lower()
    if not name.isascii() or not _is_made_of(low, "._-") or low[0] in "._-" or low[-1] in "._-":
        raise _refused(name, "a name has ASCII letters, digits, and . _ - between them")
    program = "-".join(part for part in low.replace(".", "-").replace("_", "-").split("-") if part)
    package = program.replace("-", "_")
    import keyword
    import sys

    if package[0] in _DIGITS or keyword.iskeyword(package):
        raise _refused(
            name, f"Python cannot import {package!r}; begin with a letter, and take no word of the language"
        )
    if package in sys.stdlib_module_names or package in _TAKEN_PYTHON:
        raise _refused(name, f"there is a package {package} already that the server or its tests need")
    return Names(name, _checked(name, program), package)


def typescript_names(name: str) -> Names:
    """Check a name for npm, with a scope or without (docs.npmjs.com, "package.json", name). Raises: UsageFault."""
    scope, _, program = name.rpartition("/")
    if scope and (not scope.startswith("@") or not _is_name(scope[1:])):
        raise _refused(name, "a scope is written @scope/name")
    if not _is_name(program):
        raise _refused(
            name, "npm's names have ASCII letters in lower case, digits, and - . _ after the first character"
        )
    if program in _TAKEN_NPM:
        raise _refused(name, "npm does not take this name")
    return Names(name, _checked(name, program))


def _checked(name: str, program: str) -> str:
    if len(name) > _LONGEST:
        raise _refused(f"{name[:20]}…", f"a name has at most {_LONGEST} characters")
    if program.partition(".")[0] in _DEVICES or program.endswith("."):
        raise _refused(name, "Windows could not make a folder of this name")
    return program


def _is_name(text: str) -> bool:
    return _is_made_of(text, "-._") and text[0] not in "-._"


def _is_made_of(text: str, marks: str) -> bool:
    return bool(text) and all(sign in _LETTERS or sign in _DIGITS or sign in marks for sign in text)


def _refused(name: str, why: str) -> UsageFault:
    return UsageFault(f"{name!r} cannot be the name of a server: {why}")
