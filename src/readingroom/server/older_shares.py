"""What is there for all principals together, of which none may take all: counted by principal, from any thread."""

import threading


class Shares:
    """Counts what is taken: `most` by all together, `most_of_one` by one principal."""

    __slots__ = ("_lock", "_most", "_most_of_one", "_of", "taken")

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._lock = threading.Lock()
        self._of: dict[str, int] = {}
        self.taken = 0

    def take(self, principal: str, number: int = 1) -> bool:
        """Take some for a principal; false when that is more than is left for it, and nothing was taken.

        Who has nothing may take more than its share at once: what would never fit is not for this to refuse.
        """
        with self._lock:
            own = self._of.get(principal, 0)
            if (own and own + number > self._most_of_one) or self.taken + number > max(self._most, number):
                return False
            self._add(principal, number)
            return True

    def add(self, principal: str, number: int = 1) -> None:
        """Count what a principal has whatever is left, for it was let in before."""
        with self._lock:
            self._add(principal, number)

    def give(self, principal: str, number: int = 1) -> None:
        """Give back what was taken."""
        with self._lock:
            self._add(principal, -number)

    def _add(self, principal: str, number: int) -> None:
        self.taken += number
        left = self._of.get(principal, 0) + number
        if left:
            self._of[principal] = left
        else:
            self._of.pop(principal, None)
