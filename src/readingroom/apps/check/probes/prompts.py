"""Prompts and completions: those that are listed can be had, and what is not there is refused."""

from typing import Any

from ..bench import Bench
from ..frames import as_list, as_object
from ..probing import Probe
from ..verdicts import NotReached
from .expecting import refused

_UNKNOWN = "readingroom_check_no_such_prompt"
_MOST = 3


def _unknown(bench: Bench) -> None:
    bench.needs("prompts")
    refused(
        bench, bench.ask("prompts/get", {"name": _UNKNOWN}), "PRO-3", (-32602,), "a prompt that is not there"
    )


def _arguments(prompt: dict[str, Any]) -> dict[str, str]:
    return {str(as_object(one).get("name")): "a" for one in as_list(prompt.get("arguments"))}


def _get(bench: Bench) -> None:
    listed = bench.listed("prompts")
    if not listed:
        raise NotReached("the server lists no prompts")
    for prompt in listed[:_MOST]:
        bench.ask("prompts/get", {"name": prompt.get("name"), "arguments": _arguments(prompt)})


def _without_arguments(bench: Bench) -> None:
    for prompt in bench.listed("prompts"):
        needed = [one for one in as_list(prompt.get("arguments")) if as_object(one).get("required") is True]
        if needed:
            reply = bench.ask("prompts/get", {"name": prompt.get("name"), "arguments": {}})
            refused(bench, reply, "PRO-3", (-32602,), "a prompt without an argument that it needs")
            return
    raise NotReached("no prompt needs an argument")


def _completion_of_nothing(bench: Bench) -> None:
    bench.needs("completions")
    ref = {"type": "ref/prompt", "name": _UNKNOWN}
    reply = bench.ask("completion/complete", {"ref": ref, "argument": {"name": "a", "value": "a"}})
    refused(bench, reply, "COMP-3", (-32602,), "a completion for a prompt that is not there")


def _completions(bench: Bench) -> None:
    bench.needs("completions")
    refs = [{"type": "ref/prompt", "name": prompt.get("name")} for prompt in _with_arguments(bench)]
    if not refs:
        raise NotReached("no prompt takes an argument")
    for ref, prompt in zip(refs[:_MOST], _with_arguments(bench), strict=False):
        argument = {"name": next(iter(_arguments(prompt))), "value": ""}
        bench.ask("completion/complete", {"ref": ref, "argument": argument})


def _with_arguments(bench: Bench) -> list[dict[str, Any]]:
    if "prompts" not in bench.capabilities():
        return []
    return [prompt for prompt in bench.listed("prompts") if _arguments(prompt)]


PROBES = (
    Probe(("PRO-3",), "a prompt is asked for that is not there", _unknown),
    Probe(("PRO-2",), "the first prompts of the list are asked for", _get),
    Probe(("PRO-3",), "a prompt is asked for without an argument that it needs", _without_arguments),
    Probe(("COMP-1", "COMP-3"), "completions are asked for of what is not there", _completion_of_nothing),
    Probe(("COMP-2",), "completions are asked for", _completions),
)
