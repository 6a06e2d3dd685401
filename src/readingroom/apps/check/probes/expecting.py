"""What several probes expect of an answer."""

from collections.abc import Sequence

from ..asking import Reply
from ..bench import Bench
from ..verdicts import NotReached


def is_misnumbered(code: int) -> bool:
    """Whether another rule already says that this code is wrong (ERR-1, ERR-2, ERR-3)."""
    return code in (-32042,) or -32099 <= code <= -32000


def refused(
    bench: Bench, reply: Reply, rule: str, codes: Sequence[int], what: str, *, counts: bool | None = None
) -> bool:
    """Expect an error with one of `codes`, and hold it against the server when it is another answer.

    True when it is so. Raises: NotReached when there is no answer, or its code breaks a rule of its own.
    """
    if reply.state != "answered":
        raise NotReached(f"{what} was {reply.told}")
    code = reply.code
    if code in codes:
        return True
    if code is not None and is_misnumbered(code) and -32022 not in codes:
        raise NotReached(f"{what} was {reply.told}")
    expected = " or ".join(map(str, codes))
    told = "was served" if code is None else f"was refused with {code}"
    bench.note.broke(
        rule, f"{what} {told}, not refused with {expected}", reply.sent, reply.got, counts=counts
    )
    return False


def served(bench: Bench, reply: Reply, rule: str, what: str, *, counts: bool | None = None) -> bool:
    """Expect a result, and hold an error against the server. Raises: NotReached when there is no answer."""
    if reply.state != "answered":
        raise NotReached(f"{what} was {reply.told}")
    if reply.code is None:
        return True
    bench.note.broke(rule, f"{what} was refused with {reply.code}", reply.sent, reply.got, counts=counts)
    return False
