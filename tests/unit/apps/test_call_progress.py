"""How far a call is, in one line on a terminal, and nowhere else."""

import pytest

from readingroom import Progress
from readingroom.apps.call_progress import CallProgress, progress_text

from .streams import console, written


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (Progress(3), "working: 3"),
        (Progress(0.5, 1), "working: 0.5 of 1"),
        (Progress(2, 9, "a\x1b\nb"), "a⟨U+001B⟩⟨U+000A⟩b: 2 of 9"),
    ],
)
def test_text(progress: Progress, text: str) -> None:
    """What the server says is harmless and on one line."""
    assert progress_text(progress) == text


@pytest.mark.parametrize(
    ("is_terminal", "quiet", "shows"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_where_it_is_shown(is_terminal: bool, quiet: bool, shows: bool) -> None:
    """On a terminal alone, unless --quiet; the line is taken away at the end."""
    at = console(err_is_terminal=is_terminal)
    progress = CallProgress(at.err, quiet=quiet)
    progress(Progress(1, 2))
    progress.end()
    assert ("working: 1 of 2" in written(at.err)) is shows
    assert written(at.err).endswith("\r" if shows else "")
