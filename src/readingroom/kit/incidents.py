"""Writes an incident to stderr: what was masked for the peer, so that whoever runs the server can find it."""

import contextlib
import sys


def report(server: str, incident: str, error: BaseException, *, debug: bool) -> None:
    """Write one incident: its id, the exception's class and where it was raised; its text only in `debug`."""
    import traceback

    what = f"{server}: incident {incident}: {type(error).__name__}" + (f": {error}" if debug else "")
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    where = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    tell("\n".join([what, *where]))


def tell(text: str) -> None:
    """Write a line to stderr, where there is one that can be written to."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
