"""What `check` found, told: for people, as JSON, and as JUnit's XML for whatever shows test results. Pure."""

from collections.abc import Sequence
from typing import Any

from ..console import Console
from ..wrapping import marked, painted, wrapped
from .advice import advice_for
from .verdicts import Finding

_STYLES = {"kept": "good", "broken": "bad", "warning": "mark", "not reached": "dim"}
_INDENT = "    "


def counted(findings: Sequence[Finding]) -> dict[str, int]:
    """Count the verdicts."""
    return {verdict: sum(finding.verdict == verdict for finding in findings) for verdict in _STYLES}


def tell(findings: Sequence[Finding], console: Console, *, all_of_them: bool) -> None:
    """Print what is broken with what was seen, then a summary; with `all_of_them` every rule."""
    for verdict in ("broken", "warning", *(("not reached", "kept") if all_of_them else ())):
        for finding in findings:
            if finding.verdict == verdict:
                for line in _lines(finding, console):
                    console.out.line(line)
    numbers = counted(findings)
    summary = (
        f"{numbers['kept']} rules kept, {numbers['broken']} broken, {numbers['warning']} warnings, "
        f"{numbers['not reached']} not reached"
    )
    console.out.line(console.out.paint("bad" if numbers["broken"] else "good", summary))
    if not all_of_them:
        console.out.line("--all lists every rule; docs/reference/rules.md says what each one asks")


def _lines(finding: Finding, console: Console) -> list[str]:
    rule = finding.about
    verdict = console.out.paint(_STYLES[finding.verdict], finding.verdict)
    head = f"{verdict}  {console.out.paint('bold', finding.rule)}  {rule.level}  {rule.sentence}"
    if finding.verdict == "kept":
        return [head]
    told = [finding.detail + (f" ({finding.times} times)" if finding.times > 1 else "")]
    told += finding.evidence.split(" · ") if finding.evidence else []
    if finding.verdict in ("broken", "warning"):
        told.append(f"→ {advice_for(finding.rule)}")
    room = console.out.columns - len(_INDENT)
    rows = [row for text in told for row in wrapped(marked(text, ()), room)]
    return [head, *(_INDENT + painted(row, str) for row in rows), ""]


def as_json(findings: Sequence[Finding], target: str, start_seconds: float) -> dict[str, Any]:
    """Give the findings as JSON says them."""
    return {
        "target": target,
        "startSeconds": round(start_seconds, 3),
        "summary": {name.replace(" ", "_"): number for name, number in counted(findings).items()},
        "rules": [_told(finding) for finding in findings],
    }


def _told(finding: Finding) -> dict[str, Any]:
    rule = finding.about
    told = {
        "rule": finding.rule,
        "level": rule.level,
        "verdict": finding.verdict,
        "says": rule.sentence,
        "link": rule.link,
    }
    more = {"detail": finding.detail, "evidence": finding.evidence, "times": finding.times}
    if finding.verdict in ("broken", "warning"):
        more["todo"] = advice_for(finding.rule)
    return told | {name: value for name, value in more.items() if value}


def as_junit(findings: Sequence[Finding], target: str) -> bytes:
    """Give the findings as JUnit's XML: a case for each rule, failed if it is broken, skipped if it was not reached."""
    from xml.etree import ElementTree as ET

    numbers = counted(findings)
    suite = ET.Element(
        "testsuite", name=f"readingroom check {_xml(target)}", tests=str(len(findings)),
        failures=str(numbers["broken"]), skipped=str(numbers["not reached"]), errors="0",
    )  # fmt: skip
    for finding in findings:
        case = ET.SubElement(suite, "testcase", classname="readingroom.check", name=finding.rule)
        told = _xml(
            "\n".join(
                filter(None, (finding.about.sentence, finding.detail, finding.evidence, finding.about.link))
            )
        )
        if finding.verdict == "broken":
            ET.SubElement(case, "failure", message=_xml(finding.detail)).text = told
        elif finding.verdict == "not reached":
            ET.SubElement(case, "skipped", message=_xml(finding.detail))
        elif finding.verdict == "warning":
            ET.SubElement(case, "system-out").text = f"warning: {told}"
    text: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return text


def _xml(text: str) -> str:
    """Leave out what XML cannot hold."""
    return "".join(character for character in text if character in "\n\t" or character.isprintable())
