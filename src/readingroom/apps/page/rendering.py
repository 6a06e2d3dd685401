"""Renders a document for the preview: HTML of a short list of plain tags, in which nothing loads, runs, or leads anywhere.

Pure but for `main`, which is run as a process of its own (`preview`), so that a text made to be slow costs seconds of one
process and no more. Two makers' code stands between a document and the page: markdown-it-py, which writes no HTML of the
document's, and nh3, which lets pass what is listed here.
"""

import html
import sys

from ...bounds import bound
from .seen import plain

FORMATS = ("markdown", "html")
LARGEST_HTML = 2 * 1024 * 1024
_CPU_S = 2
_MEMORY_BYTES = 1024 * 1024 * 1024
_TOO_LARGE = 3

_TAGS = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong"),
    *(
        "s",
        "del",
        "ins",
        "sub",
        "sup",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "caption",
        "hr",
        "br",
        "dl",
    ),
    *("dt", "dd", "span", "b", "i", "u", "kbd", "samp", "var", "q", "cite"),
}
_ATTRIBUTES = {"ol": {"start"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_CLASSES = {"span": {"link", "target"}}
_DROPPED = {"script", "style", "title", "template", "noscript", "iframe", "object", "svg", "math", "textarea"}


def rendered(text: str, kind: str) -> str:
    """Give a text of one of FORMATS as harmless HTML."""
    import nh3

    cleaned = nh3.clean(
        _from_markdown(text) if kind == "markdown" else text,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        allowed_classes=_CLASSES,
        clean_content_tags=_DROPPED,
        link_rel=None,
        url_schemes=set(),
        strip_comments=True,
    )
    return plain(cleaned)  # only now, for entities name characters, too


def _from_markdown(text: str) -> str:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML

    class Renderer(RendererHTML):
        """Writes where links and images lead, in words."""

        def link_open(self, tokens, at, options, env):  # type: ignore[no-untyped-def]  # markdown-it-py passes its own
            env.setdefault("targets", []).append(str(tokens[at].attrGet("href") or ""))
            return '<span class="link">'

        def link_close(self, tokens, at, options, env):  # type: ignore[no-untyped-def]  # as above
            return f"</span>{_target(env['targets'].pop())}"

        def image(self, tokens, at, options, env):  # type: ignore[no-untyped-def]  # as above
            target = str(tokens[at].attrGet("src") or "")
            return f'<span class="link">image: {html.escape(tokens[at].content)}</span>{_target(target)}'

    front, body = _parted(text)
    made = MarkdownIt("js-default", renderer_cls=Renderer).render(body)
    return (f"<pre><code>{html.escape(front)}</code></pre>\n" if front else "") + str(made)


def _target(address: str) -> str:
    return f' <span class="target">({html.escape(address)})</span>'


def _parted(text: str) -> tuple[str, str]:
    """Give the front matter, which is no Markdown, and the rest."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return "", text
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return "".join(lines[1:number]), "".join(lines[number + 1 :])
    return "", text


def main() -> int:
    """Render what stdin holds, in the format that the command line names, to stdout."""
    bound(_CPU_S, _MEMORY_BYTES)
    made = rendered(sys.stdin.buffer.read().decode("utf-8"), sys.argv[1]).encode()
    if len(made) > LARGEST_HTML:
        return _TOO_LARGE
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
