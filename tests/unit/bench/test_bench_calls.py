"""What the benchmark takes for a right answer."""

import json

import pytest


def answer(identifier: int, total: int, **more: object) -> bytes:
    """One answer to `add`."""
    result = {
        "content": [{"type": "text", "text": str(total)}],
        "structuredContent": {"result": total},
        **more,
    }
    return json.dumps({"jsonrpc": "2.0", "id": identifier, "result": result}).encode()


def test_answers_in_any_order_are_right() -> None:
    """Answers are told apart by their ids, not by their order."""
    from calls import check_sums

    check_sums([answer(6, 19), answer(5, 16)], 5, 2)


@pytest.mark.parametrize(
    "lines",
    [
        [answer(5, 16)],
        [answer(5, 16), answer(5, 16)],
        [answer(5, 16), answer(7, 22)],
        [answer(5, 16), answer(6, 18)],
        [answer(5, 16), answer(6, 19, isError=True)],
        [answer(5, 16), b'{"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"no"}}'],
        [answer(5, 16), answer(6, 19, structuredContent={"result": 20})],
    ],
)
def test_a_missing_doubled_foreign_wrong_or_failed_answer_is_found(lines: list[bytes]) -> None:
    """A benchmark of wrong answers measures nothing, so each of them ends the run."""
    from calls import WrongAnswer, check_sums

    with pytest.raises(WrongAnswer):
        check_sums(lines, 5, 2)
