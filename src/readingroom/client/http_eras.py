"""Which answers over HTTP speak for a server of the older era, when it was asked to `server/discover` (ERA-6 to ERA-10).

Pure.
"""

from ..errors import HttpRefused, ReadingRoomError, RemoteError
from . import eras

# What a server says that has never heard of the request, or of its headers. Who is busy, broken, or wants to know who is
# asking, says nothing of its era (ERA-10).
_UNHEARD_OF = (400, 404, 405, 406, 410, 415, 422, 501)


def suggests_older(error: ReadingRoomError) -> bool:
    """Say whether this failure of `server/discover` speaks for a server of the older era."""
    if isinstance(error, RemoteError):
        return not eras.is_modern(error)
    return isinstance(error, HttpRefused) and error.status in _UNHEARD_OF
