"""Tools as they are listed: names, descriptions, schemas, arguments that are mirrored in headers."""

from typing import Any

from ....errors import UsageError
from ....protocol.headers import BadAnnotation, mirrors_of
from ..bench import Bench
from ..probing import Probe
from ..schemas import fault_of, foreign_reference
from ..verdicts import NotReached

_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_LONGEST_NAME = 128


def _tools(bench: Bench) -> list[dict[str, Any]]:
    found = bench.listed("tools")
    if not found:
        raise NotReached("the server lists no tools")
    return found


def _names(bench: Bench) -> None:
    names = [str(tool.get("name")) for tool in _tools(bench)]
    for name in names:
        if not 0 < len(name) <= _LONGEST_NAME or not _NAME.issuperset(name):
            bench.note.broke(
                "TOOL-3", "the name of a tool has 1 to 128 characters of A-Z a-z 0-9 _ - .", b"", name
            )
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled and not bench.note.is_broken("PAGE-4"):
        bench.note.broke("TOOL-3", "several tools have one name", b"", doubled)


def _descriptions(bench: Bench) -> None:
    for tool in _tools(bench):
        if not str(tool.get("description") or "").strip():
            bench.note.broke("TOOL-4", f"the tool {tool.get('name')} has no description")


def _schemas(bench: Bench) -> None:
    for tool in _tools(bench):
        for member in ("inputSchema", "outputSchema"):
            schema = tool.get(member)
            if schema is not None:
                _judge_schema(bench, f"{member} of {tool.get('name')}", schema)


def _judge_schema(bench: Bench, what: str, schema: Any) -> None:
    if not isinstance(schema, dict):
        bench.note.broke("SHAPE-1", f"{what} must be an object", b"", schema)
        return
    reference = foreign_reference(schema)
    if reference is not None:
        bench.note.broke("SCH-4", f"{what} refers to something outside", b"", reference)
        return
    try:
        fault = fault_of(schema)
    except UsageError as why:
        bench.note.unreached(("SCH-2",), str(why))
        return
    if fault is not None:
        rule = "SCH-4" if fault.is_reference else "SCH-2"
        bench.note.broke(rule, f"{what} cannot be used: {fault.detail}", b"", schema)


def _mirrors(bench: Bench) -> None:
    for tool in _tools(bench):
        schema = tool.get("inputSchema")
        try:
            mirrors_of(schema if isinstance(schema, dict) else {})
        except BadAnnotation as error:
            rule = "XH-3" if "stands where" in str(error) else "XH-2"
            bench.note.broke(rule, f"{tool.get('name')}: {error}", b"", schema)


PROBES = (
    Probe(("TOOL-3",), "the names of the tools are looked at", _names),
    Probe(("TOOL-4",), "the descriptions of the tools are looked at", _descriptions),
    Probe(("TOOL-5", "SCH-2", "SCH-4"), "the schemas of the tools are compiled", _schemas),
    Probe(("XH-2", "XH-3"), "arguments that are to be mirrored in headers are looked at", _mirrors),
)
