"""The doors to drafts that an editor's server has, and what it registers for them. Loaded for editors alone."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..kit import Server
from .cursors import Cursors
from .draft_resources import DraftResources
from .draft_tools import DraftTools

if TYPE_CHECKING:
    from ..library import DraftFollower, Drafts


class Editing:
    """`drafts` gives a principal's own drafts, and is called with the first request that needs them; `follower` makes what
    tells of changes of drafts, called with an address and its principal.
    """

    def __init__(
        self,
        drafts: "Callable[[str], Drafts]",
        follower: "Callable[[Callable[[str, str], None]], DraftFollower]",
    ) -> None:
        self.follower = follower
        self._drafts = drafts

    def register(self, app: Server, cursors: Cursors) -> None:
        """Register tools, resources, prompt and completions with a server."""
        DraftTools(self._drafts, cursors).register(app)
        DraftResources(self._drafts).register(app)
