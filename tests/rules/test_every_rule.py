"""Every rule has a test that keeps it and one that breaks it, or a reason why they stand elsewhere."""

import ast
import re
from pathlib import Path

import pytest

from readingroom.protocol.rules import EXTENSIONS, RULES, SPECIFICATION, Rule

TESTS = Path(__file__).resolve().parent.parent
SOURCE = TESTS.parent / "src" / "readingroom"
KINDS = {"passing", "violating"}

CLIENT = "binds clients, and is proved where the client is"
CHECKED = "seen from outside alone: `check` holds it against a server that breaks it, and for one of ours that keeps it"
ELSEWHERE = {
    "RES-2": ("unit/client/test_calls.py", "RES-2", CLIENT),
    "RES-3": ("unit/client/test_calls.py", "RES-3", CLIENT),
    "STDIO-4": ("unit/client/test_calls.py", "STDIO-4", CLIENT),
    "STDIO-5": ("fault/test_client_processes.py", "test_nothing_is_left", CLIENT),
    "STDIO-8": ("unit/transport/test_processes.py", "STDIO-8", CLIENT),
    "MRTR-5": ("unit/client/test_rounds.py", "MRTR-5", CLIENT),
    "MRTR-6": ("unit/client/test_rounds.py", "MRTR-6", CLIENT),
    "MRTR-7": ("unit/client/test_rounds.py", "MRTR-7", CLIENT),
    "MRTR-8": ("unit/client/test_rounds.py", "MRTR-8", CLIENT),
    "MRTR-9": ("contract/test_client_rounds.py", "MRTR-9", CLIENT),
    "MRTR-16": ("contract/test_client_rounds.py", "MRTR-16", CLIENT),
    "SUB-7": ("fault/test_client_listening.py", "SUB-7", CLIENT),
    "ERA-1": ("contract/test_client_eras.py", "ERA-1", CLIENT),
    "ERA-2": ("contract/test_client_eras.py", "ERA-2", CLIENT),
    "ERA-3": ("unit/client/test_eras.py", "ERA-3", CLIENT),
    "ERA-4": ("unit/client/test_eras.py", "ERA-4", CLIENT),
    "ERA-5": ("contract/test_client_eras.py", "ERA-5", CLIENT),
    "LEG-9": ("contract/test_client_eras.py", "LEG-9", CLIENT),
    "VER-3": ("contract/test_client_eras.py", "VER-3", CLIENT),
    "STDIO-7": ("fault/test_client_restarts.py", "STDIO-7", CLIENT),
    "SUB-13": ("fault/test_client_restarts.py", "SUB-13", CLIENT),
    "CACHE-3": ("unit/client/test_caching.py", "CACHE-3", CLIENT),
    "CACHE-4": ("unit/client/test_caching.py", "CACHE-4", CLIENT),
    "CACHE-5": ("unit/client/test_caching.py", "CACHE-5", CLIENT),
    "CACHE-6": ("unit/client/test_caching.py", "CACHE-6", CLIENT),
    "SCH-5": ("unit/client/test_output_schema.py", "SCH-5", CLIENT),
    "SUB-16": ("fault/test_client_listening.py", "SUB-16", CLIENT),
    "CAN-5": ("unit/client/test_calls.py", "CAN-5", CLIENT),
    "CAN-6": ("fault/test_client_endings.py", "test_timeout", CLIENT),
    "PAGE-2": ("unit/client/test_operations.py", "PAGE-2", CLIENT),
    "PAGE-4": ("unit/client/test_operations.py", "PAGE-4", CLIENT),
    "TOOL-10": ("unit/client/test_shapes.py", "TOOL-10", CLIENT),
    "HTTP-10": ("contract/test_client_http.py", "HTTP-10", CLIENT),
    "HTTP-21": ("fault/test_client_http.py", "HTTP-21", CLIENT),
    "HTTP-22": ("fault/test_client_http.py", "HTTP-22", CLIENT),
    "HTTP-23": ("fault/test_client_http.py", "HTTP-23", CLIENT),
    "XH-4": ("contract/test_client_http.py", "XH-4", CLIENT),
    "XH-5": ("contract/test_client_http.py", "XH-5", CLIENT),
    "XH-7": ("contract/test_client_http.py", "XH-7", CLIENT),
    "ERA-6": ("contract/test_client_http.py", "ERA-6", CLIENT),
    "ERA-7": ("contract/test_client_http.py", "ERA-7", CLIENT),
    "ERA-9": ("contract/test_client_http.py", "ERA-9", CLIENT),
    "ERA-10": ("contract/test_client_http.py", "ERA-10", CLIENT),
    "ERA-11": ("fault/test_client_restarts.py", "ERA-11", CLIENT),
    "CAN-2": ("fault/test_client_http.py", "CAN-2", CLIENT),
    "SHAPE-1": ("unit/client/test_shapes.py", "SHAPE-1", CLIENT),
    "RPC-0": ("check/test_collection.py", "RPC-0", CHECKED),
    "STDIO-11": ("check/test_collection.py", "STDIO-11", CHECKED),
    "STDIO-12": ("check/test_collection.py", "STDIO-12", CHECKED),
    "STDIO-13": ("check/test_collection.py", "STDIO-13", CHECKED),
}
"""Rules whose tests are not here: the file that has them, what names them there, and why."""


def marked() -> dict[str, set[str]]:
    """The kinds of tests there are of each rule, by the marks in this folder."""
    found: dict[str, set[str]] = {}
    for file in TESTS.joinpath("rules").glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                name, kind = (ast.literal_eval(argument) for argument in node.args)
                assert kind in KINDS, (file.name, name, kind)
                found.setdefault(name, set()).add(kind)
    return found


MARKED = marked()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_a_test_of_both_kinds(rule: Rule) -> None:
    """Here, or in the place that says so and names it."""
    rule_id = rule.id
    if rule_id in ELSEWHERE:
        file, name, _reason = ELSEWHERE[rule_id]
        assert re.search(rf"\b{name}", TESTS.joinpath(file).read_text("utf-8")), f"{file} has no {name}"
    else:
        assert MARKED.get(rule_id, set()) == KINDS


def test_every_mark_names_a_rule() -> None:
    """And no exception is left over."""
    known = {rule.id for rule in RULES}
    assert set(MARKED) | set(ELSEWHERE) == known
    assert not set(MARKED) & set(ELSEWHERE)


def test_every_rule_that_the_code_names_is_in_the_list() -> None:
    """So that each can be looked up, and none is made up."""
    known = {rule.id for rule in RULES}
    kinds = "|".join(sorted({rule_id.rpartition("-")[0] for rule_id in known}))
    named = {
        (match[0], file.name)
        for file in SOURCE.rglob("*.py")
        for match in re.finditer(rf"\b(?:{kinds}|ERA|HTTP|HDR|TASK)-\d+\b", file.read_text("utf-8"))
    }
    assert {name for name, _ in named} <= known, sorted(one for one in named if one[0] not in known)


def test_rules_are_told_in_sentences_with_links() -> None:
    """One sentence each, and an id once."""
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.sentence.endswith(".")
        assert rule.sentence[0].isupper() or rule.sentence[0].isdigit()
        assert len(rule.sentence) < 140
        assert rule.link.startswith((SPECIFICATION, *EXTENSIONS.values()))
        assert rule.page
