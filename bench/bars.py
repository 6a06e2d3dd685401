"""The bars Reading Room sets itself, and whether a run met them. Knows figures, not how they came about."""

from dataclasses import dataclass

from rounds import Ratio, Series


@dataclass(frozen=True)
class Bar:
    """What is compared: (name, figure) of ours and of theirs, and the limit of the ratio, from above or from below."""

    title: str
    ours: tuple[str, str]
    theirs: tuple[str, str]
    limit: float
    at_most: bool


@dataclass(frozen=True)
class Verdict:
    """A bar with the ratio a run gave; `ratio` is None when either side was not measured."""

    bar: Bar
    ratio: Ratio | None

    @property
    def met(self) -> bool | None:
        """Whether the median ratio keeps the limit; None when there is none."""
        if self.ratio is None:
            return None
        return self.ratio.value <= self.bar.limit if self.bar.at_most else self.ratio.value >= self.bar.limit


def kit_bars() -> list[Bar]:
    """The kit against the two official SDKs: start, one by one, pipelined, memory; for a plain and a quick tool."""
    rows = [
        ("mcp", "start_ms", "start to first answer", (0.15, 0.15), True),
        ("mcp", "single_rate", "request–reply", (5, 9), False),
        ("mcp", "burst_rate", "pipelined", (50, 100), False),
        ("mcp", "peak_mib", "memory", (0.3, 0.3), True),
        ("typescript", "start_ms", "start to first answer", (0.7, 0.7), True),
        ("typescript", "single_rate", "request–reply", (1.2, 2), False),
        ("typescript", "burst_rate", "pipelined", (4, 7), False),
        ("typescript", "peak_mib", "memory", (0.2, 0.2), True),
    ]
    return [
        Bar(f"{ours} ÷ {peer}: {title}", (ours, figure), (peer, figure), limit, at_most)
        for peer, figure, title, limits, at_most in rows
        for ours, limit in zip(("kit", "quick"), limits, strict=True)
    ]


def library_bars() -> list[Bar]:
    """The library's start over 10,000 documents against a bare server of the official SDK."""
    bare = ("mcp", "start_ms")
    return [
        Bar("library ÷ mcp: start to first answer", ("readingroom", "start_ms"), bare, 0.25, at_most=True),
        Bar(
            "library, first hit ÷ mcp, first answer", ("readingroom", "first_hit_ms"), bare, 0.5, at_most=True
        ),
    ]


def folder_bars() -> list[Bar]:
    """Indexing many small files: faster than the nearest other server; memory and another look within fixed limits."""
    ours, vault, one = "readingroom", ("markdown-vault-mcp", "index_s"), ("limit", "one")
    return [
        Bar("library ÷ markdown-vault-mcp: indexing", (ours, "index_s"), vault, 1, at_most=True),
        Bar("library: memory while indexing, MiB", (ours, "peak_mib"), one, 250, at_most=True),
        Bar("library: again with nothing changed, s", (ours, "again_s"), one, 1, at_most=True),
    ]


def folder_search_bars() -> list[Bar]:
    """Searching many small files over MCP: the slow end against the nearest other server; memory within a limit."""
    ours, theirs = "readingroom", "contextpull"
    return [
        *(
            Bar(
                f"library ÷ contextpull: search, p95, {kind}",
                (ours, f"{kind}_p95_ms"),
                (theirs, f"{kind}_p95_ms"),
                1,
                at_most=True,
            )
            for kind in ("question", "words")
        ),
        Bar("library: memory, PSS, MiB", (ours, "pss_mib"), ("limit", "one"), 60, at_most=True),
    ]


def million_bars() -> list[Bar]:
    """A million passages: the first hit of a fresh process, then a question inside the server."""
    one = ("limit", "one")
    return [
        Bar("first hit after a start, ms", ("readingroom", "first_hit_ms"), one, 300, at_most=True),
        Bar("a question inside the server, p50, µs", ("search", "p50_us"), one, 10_000, at_most=True),
    ]


def search_bars() -> list[Bar]:
    """A search with texts and highlights against the engine's own call, in one process; by the processor's time."""
    return [Bar("search ÷ engine's call: p50", ("search", "cpu_us"), ("engine", "cpu_us"), 6, at_most=True)]


def web_bars() -> list[Bar]:
    """The kit over HTTP against the official SDK, and against an application that only echoes, on the same server."""
    return [
        Bar(f"{ours} ÷ {peer}: calls/s", (ours, "rate"), (peer, "rate"), limit, at_most=False)
        for peer, limit in (("mcp", 8), ("echo", 0.5))
        for ours in ("kit", "quick")
    ]


def client_bars() -> list[Bar]:
    """The client's own share of a call's time, over each carrier, against that of the official Python client."""
    return [
        Bar(
            f"client ÷ mcp: own time of a call, {way}",
            ("readingroom", f"{way}_own_us"),
            ("mcp", f"{way}_own_us"),
            0.2,
            at_most=True,
        )
        for way in ("stdio", "http")
    ]


def large_bars() -> list[Bar]:
    """A large answer costs no more than its length does, and half as much again."""
    return [Bar("client, 32 MiB ÷ 8 MiB", ("32", "large_ms"), ("8", "large_ms"), 6, at_most=True)]


def judge(bars: list[Bar], series: Series) -> list[Verdict]:
    """Each bar with what the run gave."""
    return [Verdict(bar, series.ratio(bar.ours, bar.theirs)) for bar in bars]
