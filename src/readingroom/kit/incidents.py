"""Writes an incident to stderr: what was masked for the peer, so that whoever runs the server can find it."""

import contextlib
import sys

from ..server import told

_HINT = " (its text is shown with Server(..., debug=True))"


def report(server: str, incident: str, error: BaseException, feature: str, *, debug: bool) -> None:
    """Write one incident: its id, whose it is, the exception's class and where it was raised.

    Its text is written when the kit made it, or in `debug`; else how to have it.
    """
    import traceback

    text = told(error) or (str(error) if debug else None)
    said = _HINT if text is None else f": {text}"
    what = f"{server}: incident {incident}: {feature}: {type(error).__name__}{said}"
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    tell("\n".join([what, *where]))


def tell(text: str) -> None:
    """Write a line to stderr, where there is one that can be written to."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
