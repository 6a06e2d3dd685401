"""The four lists, page by page, in one order; cursors are sealed positions (PAGE-1, PAGE-3, TOOL-2).

The order is that of the names' code points. Resources that a provider lists come after those registered one by one.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec

from ..errors import InvalidParams
from ..protocol import (
    Admitted,
    BadSeal,
    CacheHint,
    ListParams,
    PromptList,
    ResourceList,
    Result,
    Sealer,
    TemplateList,
    ToolList,
)
from .faults import WrongReturn
from .features import Mode, Page
from .registry import Registry


class PageStep(msgspec.Struct, frozen=True):
    """How one page is made: where it runs, what fetches it, what makes the result of what was fetched."""

    mode: Mode
    begin: Callable[[Any], Any]
    finish: Callable[[Any], Result]


_LISTED = "l"
_PROVIDED = "p"


class Listing:
    """Gives pages of the lists of one server."""

    methods = ("tools/list", "prompts/list", "resources/templates/list", "resources/list")
    hint = CacheHint(0, "private")

    def __init__(self, features: Registry, sealer: Sealer, page_items: int) -> None:
        self.features = features
        self._sealer = sealer
        self._items = page_items

    def page(self, method: str, request: Admitted, principal: str) -> PageStep:
        """Give how the page is made.

        Raises: InvalidParams for a cursor that this list did not give to this principal.
        """
        cursor = cast("ListParams", request.params).cursor
        position = self._open(cursor, method, principal) if isinstance(cursor, str) else None
        if method == "resources/list":
            return self._resources(position, principal)
        entries, give = self._kept(method)
        names, rest = self._cut(entries, position)
        following = self._seal(_LISTED + names[-1], method, principal) if rest else None
        return PageStep(
            "quick", lambda _: None, lambda _: give([entries[name].listed for name in names], following)
        )

    def _kept(self, method: str) -> tuple[dict[str, Any], Callable[[Iterable[Any], str | None], Result]]:
        if method == "tools/list":
            return self.features.tools, lambda items, cursor: ToolList(tuple(items), cursor)
        if method == "prompts/list":
            return self.features.prompts, lambda items, cursor: PromptList(tuple(items), cursor)
        return self.features.templates, lambda items, cursor: TemplateList(tuple(items), cursor)

    def _cut(self, entries: dict[str, Any], position: str | None) -> tuple[list[str], bool]:
        """Give the names after `position` that fit on a page, and whether more follow."""
        after = position[1:] if position else ""
        names = sorted(name for name in entries if position is None or name > after)
        return names[: self._items], len(names) > self._items

    def _resources(self, position: str | None, principal: str) -> PageStep:
        """Give a page of resources: those registered one by one first, then those of the provider."""
        method = "resources/list"
        registered: list[Any] = []
        if position is None or position[0] == _LISTED:
            entries = self.features.resources
            names, rest = self._cut(entries, position)
            registered = [entries[name].listed for name in names]
            if rest or self.features.provider is None:
                following = self._seal(_LISTED + names[-1], method, principal) if rest else None
                return PageStep("quick", lambda _: None, lambda _: ResourceList(tuple(registered), following))
            position = None
        provider = self.features.provider
        if provider is None:
            raise InvalidParams("Invalid cursor")
        after = position[1:] if position else None
        room = max(1, self._items - len(registered))

        def finish(page: Page) -> Result:
            if not isinstance(page, Page):
                raise WrongReturn(
                    f"a provider of resources returned a {type(page).__name__}; it gives a Page"
                )
            following = None if page.next is None else self._seal(_PROVIDED + page.next, method, principal)
            return ResourceList((*registered, *page.items), following)

        return PageStep(provider.mode, lambda ctx: provider.call(after, room, ctx), finish)

    def _seal(self, position: str, method: str, principal: str) -> str:
        return self._sealer.seal(position, purpose=method, principal=principal)

    def _open(self, cursor: str, method: str, principal: str) -> str:
        try:
            return self._sealer.open(cursor, purpose=method, principal=principal)
        except BadSeal as error:
            raise InvalidParams("Invalid cursor") from error
