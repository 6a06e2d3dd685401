"""Makes docs/reference/command-line.md and docs/reference/exit-codes.md from the parsers and the table of exit codes."""

from readingroom.apps.commands import COMMANDS, Command
from readingroom.apps.exit_codes import EXIT_CODES
from readingroom.apps.running import module_of, parser_of

COMMAND_LINE = "docs/reference/command-line.md"
EXIT_CODES_PAGE = "docs/reference/exit-codes.md"

_GENERAL = """\
Results go to stdout; progress, notes and faults go to stderr. Every command ends with one of the
[exit codes](exit-codes.md). Colours are for terminals alone: `NO_COLOR=1` turns them off, `FORCE_COLOR=1` on. On a
terminal, control characters in documents and in what servers send are shown by name, as `⟨U+001B⟩`."""


def pages() -> dict[str, str]:
    """Give the generated pages: the path of each, relative to the project, and its text."""
    return {COMMAND_LINE: command_line_page(), EXIT_CODES_PAGE: exit_codes_page()}


def command_line_page() -> str:
    """Give the reference of every command."""
    overview = "\n".join(
        f"| [`{command.name}`](#{command.name}) | {command.summary} |" for command in COMMANDS
    )
    parts = [
        "# Command line",
        "<!-- Made by scripts/generate_docs.py from the parsers; do not edit. -->",
        _GENERAL,
        f"| command | does |\n|---|---|\n{overview}",
        *(_section(command) for command in COMMANDS),
    ]
    return "\n\n".join(parts) + "\n"


def _section(command: Command) -> str:
    module = module_of(command)
    rows = "\n".join(f"| `{_cell(name)}` | {_cell(text)} |" for name, text in parser_of(command).entries())
    examples = "\n\n".join(f"# {purpose}\n{line}" for line, purpose in module.EXAMPLES)
    parts = [
        f"## {command.name}",
        f"```sh\nreadingroom {command.name} {module.USAGE}".rstrip() + "\n```",
        module.DESCRIPTION,
        *([f"| argument | meaning |\n|---|---|\n{rows}"] if rows else []),
        f"```sh\n{examples}\n```",
    ]
    return "\n\n".join(parts)


def exit_codes_page() -> str:
    """Give the table of exit codes."""
    rows = "\n".join(f"| {code} | {name} | {_cell(meaning)} |" for code, name, meaning in EXIT_CODES)
    return "\n\n".join(
        (
            "# Exit codes",
            "<!-- Made by scripts/generate_docs.py from readingroom.apps.exit_codes; do not edit. -->",
            "The codes of every command, and of servers on the kit that are run with `Server.run()` (0 and 70).",
            f"| code | name | when |\n|---|---|---|\n{rows}\n",
        )
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
