"""What a notification must be, judged on each that comes: progress, log lines, changes. Pure."""

from typing import Any

from ...protocol import LOG_LEVELS, SUBSCRIPTION_ID
from .frames import Frame, as_object
from .owed import LISTEN, Ledger, Owed, key
from .verdicts import Notebook

RULES = (
    "PROG-2", "LOG-1", "LOG-3", "CAN-7", "SUB-2", "SUB-3", "SUB-4", "SUB-5", "SUB-10",
)  # fmt: skip
_TOPICS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    "notifications/resources/updated": "resourceSubscriptions",
}
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


def judge(frame: Frame, ledger: Ledger, note: Notebook) -> None:
    """Judge a notification; those of methods that are not known are passed over."""
    method = frame.method
    tagged = SUBSCRIPTION_ID in as_object(frame.params.get("_meta"))
    if method in ("notifications/progress", "notifications/message") and tagged:
        note.broke("SUB-5", "progress and log lines do not travel on a subscription", b"", frame.line)
    elif method == "notifications/progress":
        _judge_progress(frame, ledger, note)
    elif method == "notifications/message":
        _judge_log(frame, ledger, note)
    elif method == _ACKNOWLEDGED or method in _TOPICS:
        _judge_change(frame, ledger, note)
    elif method == "notifications/cancelled":
        owed = ledger.of_id(frame.params.get("requestId"))
        if owed is None or owed.method != LISTEN:
            note.broke("CAN-7", "a server cancels nothing but subscriptions", b"", frame.line)


def _judge_progress(frame: Frame, ledger: Ledger, note: Notebook) -> None:
    token, told = frame.params.get("progressToken"), frame.params.get("progress")
    owed = ledger.of_token(token)
    if owed is None:
        fault = "progress came under a token that no request gave"
    elif owed.is_answered or owed.is_over:
        fault = "progress came after its request was over"
    elif not isinstance(told, int | float) or isinstance(told, bool):
        fault = "progress is a number"
    elif owed.progress is not None and told <= owed.progress:
        fault = f"progress must grow: after {owed.progress:g} came {told:g}"
    else:
        owed.progress = told
        note.kept("PROG-2")
        return
    note.broke("PROG-2", fault, b"", frame.line)


def _judge_log(frame: Frame, ledger: Ledger, note: Notebook) -> None:
    if not ledger.some_want_log():
        late = ledger.some_wanted_log()
        told = (
            "a log line came after the answer to who asked for it"
            if late
            else "a log line came that nobody asked for"
        )
        note.broke("LOG-1", told, b"", frame.line)
    elif frame.params.get("level") not in LOG_LEVELS:
        note.broke("LOG-3", "a log line has one of the eight levels", b"", frame.line)
    else:
        note.kept("LOG-1", "LOG-3")


def _judge_change(frame: Frame, ledger: Ledger, note: Notebook) -> None:
    tag = as_object(frame.params.get("_meta")).get(SUBSCRIPTION_ID)
    fault = _change_fault(frame, tag, ledger)
    if fault is not None:
        note.broke(*fault, b"", frame.line)
    else:
        note.kept("SUB-2", "SUB-3", "SUB-4")


def _change_fault(frame: Frame, tag: Any, ledger: Ledger) -> tuple[str, str] | None:
    listens = ledger.listens()
    if not listens:
        return "SUB-4", "a notification of changes came though nobody listens"
    if tag is None and all(one.is_over for one in listens):
        return "SUB-4", "a notification of changes came though nobody listens any more"
    owed = next((one for one in listens if key(one.id) == key(tag)), None)
    if owed is None:
        return "SUB-3", "it has not the id of a listen, with its JSON type, as its subscription"
    if owed.is_over:
        return "SUB-10", "a notification came on a subscription that its client had ended"
    return _topic_fault(frame, owed)


def _topic_fault(frame: Frame, owed: Owed) -> tuple[str, str] | None:
    if frame.method == _ACKNOWLEDGED:
        owed.is_acknowledged = True
        allowed = set(owed.topics)
        more = set(as_object(frame.params.get("notifications"))) - allowed
        return (
            ("SUB-2", f"it acknowledges what was not asked for: {', '.join(sorted(more))}") if more else None
        )
    if not owed.is_acknowledged:
        return "SUB-2", "a notification came before the acknowledgement"
    topic = _TOPICS[frame.method]
    return None if owed.topics.get(topic) else ("SUB-4", f"{frame.method} was not asked for")
