"""Has a document rendered by a process of its own, which is ended when its time is up."""

import subprocess
import sys
import threading

import msgspec
from markupsafe import Markup

from . import rendering

LARGEST_TEXT = 256 * 1024
SECONDS = 6.0
"""In all; the process has two seconds of the processor's time, and waits for it where the machine is busy."""

_AT_ONCE = threading.Semaphore(2)


class Preview(msgspec.Struct, frozen=True):
    """A document as it would look, or why there is no such thing."""

    html: Markup = Markup("")
    why_not: str = ""


def preview(text: str, kind: str, *, seconds: float = SECONDS) -> Preview:
    """Render a text; whatever it is, this comes back in about `seconds`."""
    if kind not in rendering.FORMATS:
        return Preview(why_not="There is no preview of this format; read the source.")
    data = text.encode("utf-8", "replace")
    if len(data) > LARGEST_TEXT:
        return Preview(why_not=f"The document is longer than {LARGEST_TEXT // 1024} KiB; read the source.")
    # Isolated: neither the folder it is run in nor the environment decides which code is loaded.
    command = [sys.executable, "-I", "-m", rendering.__name__, kind]
    with _AT_ONCE:
        try:
            done = subprocess.run(command, input=data, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return Preview(why_not="Rendering it took too long; read the source.")
    if done.returncode:
        return Preview(why_not="It could not be rendered within bounds; read the source.")
    return Preview(Markup(done.stdout.decode("utf-8")))  # noqa: S704  -- cleaned by nh3 in `rendering`
