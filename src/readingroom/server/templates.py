"""URI templates (RFC 6570, the forms that can be matched): a URI in, its variables out, or nothing (RSRC-6).

`{name}` matches one or more characters except `/`; `{+name}` may span slashes. URIs are compared as text; what was
captured is percent-decoded once.
"""

from ..errors import UsageError

# Longer than what any browser takes. Matching several variables may take time that grows faster than the URI.
_LONGEST_URI = 8_192


class UriPattern:
    """A template that is ready to match."""

    __slots__ = ("_expression", "template", "variables")

    def __init__(self, template: str) -> None:
        import re

        self.template = template
        parts = re.split(r"\{([^{}]*)\}", template)
        names: list[str] = []
        expression = ""
        for number, part in enumerate(parts):
            if number % 2 == 0:
                expression += re.escape(part)
                continue
            name, spans = (part[1:], True) if part[:1] == "+" else (part, False)
            if not name.isidentifier() or name in names:
                raise UsageError(
                    f"{template}: {{{part}}} is not a variable that can be matched; use {{name}} or {{+name}}"
                )
            names.append(name)
            expression += f"(?P<{name}>.+)" if spans else f"(?P<{name}>[^/]+)"
        if "{" in "".join(parts[::2]) or "}" in "".join(parts[::2]):
            raise UsageError(f"{template}: a brace is not closed")
        self.variables = tuple(names)
        self._expression = re.compile(expression, re.DOTALL)

    def match(self, uri: str) -> dict[str, str] | None:
        """Give the variables of `uri`, decoded, or None when it is not of this family or not well encoded."""
        found = self._expression.fullmatch(uri) if len(uri) <= _LONGEST_URI else None
        if found is None:
            return None
        from urllib.parse import unquote_to_bytes

        try:
            return {name: unquote_to_bytes(value).decode() for name, value in found.groupdict().items()}
        except UnicodeDecodeError:
            return None
