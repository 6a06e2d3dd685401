"""What comes between a change of the folder and the decision that is kept of it."""

from typing import Any

import pytest

from readingroom.library.operator import deciding


def between(monkeypatch: pytest.MonkeyPatch, act: Any) -> None:
    """Let `act` happen after the folder was changed and before the decision is kept."""
    carry_out = deciding.carry_out

    def carried(*args: Any) -> None:
        carry_out(*args)
        act()

    monkeypatch.setattr(deciding, "carry_out", carried)
