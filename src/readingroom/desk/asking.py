"""Asking the library on behalf of whoever reads resources, completes or fills a prompt: its errors become refusals."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ..kit import InvalidParams, Refused
from ..library import BadQuery, LibraryError, NotFound

if TYPE_CHECKING:
    from ..library import View

Answer = TypeVar("Answer")


def asked(view: "Callable[[], View]", ask: "Callable[[View], Answer]") -> Answer:
    """Ask the library.

    Raises, with the library's own sentence: InvalidParams for what is not there or not well asked for, Refused when the
    library cannot answer now, as when its folder has gone.
    """
    try:
        return ask(view())
    except (NotFound, BadQuery) as error:
        raise InvalidParams(str(error)) from error
    except LibraryError as error:
        raise Refused(str(error)) from error


def path_completion(view: "Callable[[], View]") -> Callable[[str], tuple[str, ...]]:
    """Give what completes the path of a document, as far as it is typed."""

    def complete(value: str) -> tuple[str, ...]:
        return asked(view, lambda library: library.complete_path(value))

    return complete
