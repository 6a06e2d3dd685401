"""The one hook between the operator's commands and git: what is about to be decided is checked, what was decided committed.

Reads the ledger for what a decision did and for the bytes; knows neither terminal nor page.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from .git_commits import Account, Change, CommitIncomplete, GitCommits, GitUnusable

if TYPE_CHECKING:
    from ..library.ledger import Decision, Draft, Ledger, LedgerReading

__all__ = ["CommitIncomplete", "GitPublications", "GitUnusable"]


class GitPublications:
    """The commits of what is decided on one ledger. One thread uses it at a time."""

    def __init__(self, commits: GitCommits, ledger: "Ledger") -> None:
        self._commits = commits
        self._ledger = ledger

    @classmethod
    def open(cls, root: Path, ledger: "Ledger") -> "GitPublications":
        """The hook for the library at `root`; call it before anything is decided. Raises GitUnusable (`GitCommits.open`)."""
        return cls(GitCommits.open(root), ledger)

    def check(self, draft_id: str) -> None:
        """See that a draft could be committed once it is published; one that is not there passes. Raises GitUnusable."""
        with self._ledger.reading() as reading:
            draft = reading.draft(draft_id)
        if draft is not None:
            self._commits.check(_of_draft(draft))

    def check_undo(self, number: int) -> None:
        """See that taking back a decision could be committed; one that is not there passes. Raises GitUnusable."""
        with self._ledger.reading() as reading:
            decision = reading.decision(number)
            if decision is None or decision.kind not in ("publish", "undo"):
                return
            back = decision.before or decision.after if decision.to else decision.before
            content = _content(reading, back)
        self._commits.check(
            Change(decision.to or decision.path, decision.path if decision.to else "", content)
        )

    def commit(self, decision: "Decision") -> str:
        """Commit what a decision did, and give the commit's id. Raises CommitIncomplete: it is decided all the same.

        Of a decision that changes no file, such as a rejection, there is no commit: "".
        """
        from ..library import LibraryError

        if decision.kind not in ("publish", "undo"):
            return ""
        try:
            with self._ledger.reading() as reading:
                after = decision.after or decision.before if decision.to else decision.after
                change = Change(decision.path, decision.to, _content(reading, after))
                draft = reading.draft(decision.draft, contents=False)
        except LibraryError as error:
            raise CommitIncomplete(
                f"decision {decision.number} is published, but not committed: {error}"
            ) from error
        undone = decision.kind == "undo"
        account = Account(
            number=decision.number,
            draft=decision.draft,
            kind="undo" if undone or draft is None else draft.kind,
            author=decision.principal,
            at=decision.at,
            note="" if undone or draft is None else draft.note,
            undoes=decision.undoes,
        )
        return self._commits.commit(change, account)


def _of_draft(draft: "Draft") -> Change:
    return Change(draft.path, draft.to, draft.base_content if draft.to else draft.content)


def _content(reading: "LedgerReading", revision: str | None) -> bytes | None:
    from ..library import LedgerUnusable

    content = None if revision is None else reading.content(revision)
    if content is None and revision is not None:
        raise LedgerUnusable(f"The ledger was altered: the bytes of {revision} are missing.")
    return content
