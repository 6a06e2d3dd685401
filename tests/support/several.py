"""Several folders, each with a library over it, and the one view that is made of them."""

from collections.abc import Sequence
from pathlib import Path

from readingroom.library import JointView, Library, Part, Principal, Role, Rules, View
from support.shelves import Shelves


class Several:
    """Collections by name, all scanned when one asks for a view."""

    def __init__(self, place: Path, names: Sequence[str], rules: Rules | None = None) -> None:
        self.shelves: dict[str, Shelves] = {}
        self.libraries: dict[str, Library] = {}
        for name in names:
            (place / name).mkdir()
            self.shelves[name] = Shelves(place / name)
            self.libraries[name] = Library.open(
                self.shelves[name].docs,
                cache=self.shelves[name].cache,
                rules=rules,
                roles=("reader", "editor"),
                clock=lambda: 1e9,
            )

    def write(self, path: str, text: str, **front: str) -> None:
        """A document; the first part of its path is its collection."""
        name, _, rest = path.partition("/")
        self.shelves[name].document(rest, text, **front)

    def scan(self) -> "Several":
        """Bring all in step."""
        for library in self.libraries.values():
            library.reconcile()
        return self

    def view(self, role: Role = "reader", names: Sequence[str] = ()) -> JointView:
        """What somebody with this role sees of all, or of these."""
        principal = Principal("somebody", role)
        return JointView(principal, [self.part(name, principal) for name in names or self.libraries])

    def part(self, name: str, principal: Principal) -> Part:
        """One collection of a view."""

        def view() -> View:
            return self.libraries[name].view(principal)

        return Part(name, view)

    def close(self) -> None:
        """Close all."""
        for library in self.libraries.values():
            library.close()


def two_and_an_empty_one(place: Path) -> Several:
    """Two collections of two documents each, and a third without any, scanned."""
    found = Several(place, ["notes", "manuals", "empty"])
    renewal = "# Renewal\n\nA borrowed book may be renewed twice.\n"
    found.write("notes/renew.md", renewal, id="REN", tags="[loans]")
    found.write("notes/same.md", "# Same\n\nIn the notes. [[renew]] and [up](renew.md)\n")
    pump = "# Pump\n\nThe pump is greased, and its book renewed.\n"
    found.write("manuals/pumps/pump.md", pump, aliases="[grease]")
    found.write("manuals/same.md", "# Same\n\nIn the manuals.\n", lang="en")
    return found.scan()
