"""One verdict for each rule, with what was seen. Pure; knows neither probes nor carriers.

A rule that is broken once is broken, however often it is kept; one that nothing reached says why.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from ...protocol.rules import RULES, Rule
from .excerpts import excerpt

Verdict = Literal["kept", "broken", "warning", "not reached"]

BY_ID: Mapping[str, Rule] = {rule.id: rule for rule in RULES}
_STRONG = ("MUST", "MUST NOT")
_ADVICE = ("SHOULD", "SHOULD NOT")
# Rules of ours that bind clients, but each says what the schema asks of a server.
_AS_STRONG = frozenset(("SHAPE-1", "PAGE-4"))


class Finding(msgspec.Struct, frozen=True):
    """What is to be said of one rule: `detail` is what is wrong, `evidence` an excerpt of what was sent and what came."""

    rule: str
    verdict: Verdict
    detail: str = ""
    evidence: str = ""
    times: int = 0

    @property
    def about(self) -> Rule:
        """The rule itself."""
        return BY_ID[self.rule]


class NotReached(Exception):
    """A probe cannot go on: what it would look at is not there, or another fault stands before it."""


class Notebook:
    """Collects what is seen of each rule. `strict` makes what the specification only recommends count as well."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._kept: set[str] = set()
        self._broken: dict[str, Finding] = {}
        self._unreached: dict[str, str] = {}

    def kept(self, *rules: str) -> None:
        """Note that the rules were seen kept."""
        self._kept.update(rules)

    def broke(
        self, rule: str, detail: str, sent: object = b"", got: object = b"", *, counts: bool | None = None
    ) -> None:
        """Note that a rule was seen broken; `counts` says whether that is more than a warning, else the level does."""
        verdict: Verdict = "broken" if (self._counts(rule) if counts is None else counts) else "warning"
        parts = [f"{word} {excerpt(what)}" for word, what in (("sent", sent), ("got", got)) if what]
        before = self._broken.get(rule)
        if before is None:
            self._broken[rule] = Finding(rule, verdict, detail, " · ".join(parts), 1)
        else:
            worse: Verdict = "broken" if "broken" in (verdict, before.verdict) else "warning"
            self._broken[rule] = msgspec.structs.replace(before, times=before.times + 1, verdict=worse)

    def unreached(self, rules: Iterable[str], why: str) -> None:
        """Note why nothing could be seen of the rules."""
        for rule in rules:
            self._unreached.setdefault(rule, why)

    def is_broken(self, rule: str) -> bool:
        """Whether a rule was seen broken."""
        return rule in self._broken

    def broken(self) -> list[str]:
        """Give the rules that were seen broken."""
        return list(self._broken)

    def settle(self, rules: Iterable[str]) -> None:
        """Note, after a probe has come to its end, that those of its rules of which nothing was said are kept."""
        self._kept.update(rule for rule in rules if rule not in self._broken and rule not in self._unreached)

    def findings(self, rules: Iterable[str]) -> list[Finding]:
        """Give one finding for each of the rules, in the order of the table of rules."""
        wanted = set(rules)
        return [self._finding(rule) for rule in BY_ID if rule in wanted]

    def _finding(self, rule: str) -> Finding:
        if rule in self._broken:
            return self._broken[rule]
        if rule in self._kept:
            return Finding(rule, "kept")
        return Finding(rule, "not reached", self._unreached.get(rule, "nothing came that it speaks of"))

    def _counts(self, rule: str) -> bool:
        level = BY_ID[rule].level
        return level in _STRONG or rule in _AS_STRONG or (self._strict and level in _ADVICE)
