"""Where authorization tells the operator what happened: a line on stderr, never with a token or a part of one."""

import contextlib
import sys

_LONGEST_ADDRESS = 64


def tell(text: str) -> None:
    """Write a line to stderr, where there is one that can be written to."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"readingroom: {text}\n")
        sys.stderr.flush()


def refusal(address: str, reason: str) -> str:
    """Say who was refused, and why, in one line."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in address[:_LONGEST_ADDRESS])
    return f"refused a token from {shown or 'an unknown address'}: {reason}"
