"""What the ledger promises is kept by the file itself: who breaks a promise is refused, and nothing is written."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from readingroom.library.ledger import Ledger, LedgerWriting, digest_of
from support.ledgers import a_chain, a_decision, a_draft, a_publication, an_operation, opened


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger with one of everything."""
    found = opened(tmp_path)
    with found.writing() as writing:
        writing.put_draft(a_draft())
        writing.add_operation(an_operation())
        writing.append(a_decision())
        writing.begin_chain(a_chain())
        writing.begin(a_publication())
        writing.keep_manifest({})
    yield found
    found.close()


BREACHES: dict[str, Callable[[LedgerWriting], object]] = {
    "an answer given twice": lambda writing: writing.add_operation(an_operation(result=b"other")),
    "a decision's number given twice": lambda writing: writing.append(a_decision(1)),
    "a decision's number left out": lambda writing: writing.append(a_decision(3)),
    "a chain's number given twice": lambda writing: writing.begin_chain(a_chain(1)),
    "a chain's number left out": lambda writing: writing.begin_chain(a_chain(3)),
    "a publication that is under way": lambda writing: writing.begin(a_publication()),
    "a publication that is not": lambda writing: writing.end("p-2"),
    "a decision on no draft": lambda writing: writing.decide_draft("d-0", "rejected", "", 1.0),
    "other bytes": lambda writing: writing.put_draft(a_draft(digest=digest_of(b"other"))),
    "bytes and no digest": lambda writing: writing.put_draft(a_draft(digest="")),
    "no bytes": lambda writing: writing.put_draft(a_draft(content=None, digest=digest_of(b"unknown"))),
    "another base": lambda writing: writing.put_draft(a_draft(base=digest_of(b"x"), base_content=b"y")),
    "a base and no revision": lambda writing: writing.put_draft(a_draft(base_content=b"y")),
    "a decision changed": lambda writing: writing._do("UPDATE decisions SET comment = 'x'"),
    "a decision removed": lambda writing: writing._do("DELETE FROM decisions"),
    "a decision replaced": lambda writing: writing._do("REPLACE INTO decisions SELECT * FROM decisions"),
    "a chain changed": lambda writing: writing._do("UPDATE chains SET salt = x''"),
    "a chain removed": lambda writing: writing._do("DELETE FROM chains"),
    "an answer changed": lambda writing: writing._do("UPDATE operations SET result = x''"),
    "bytes changed": lambda writing: writing._do("UPDATE contents SET bytes = x''"),
    "a manifest changed": lambda writing: writing._do("UPDATE manifests SET entries = x''"),
    "text in place of bytes": lambda writing: writing._do("INSERT INTO contents VALUES ('x', 'y')"),
}


@pytest.mark.parametrize("breach", BREACHES.values(), ids=BREACHES)
def test_a_broken_promise_undoes_all(ledger: Ledger, breach: Callable[[LedgerWriting], object]) -> None:
    """Whatever else was written in the transaction is not kept, and the next one goes on."""
    before = ledger.changes()

    def write() -> None:
        with ledger.writing() as writing:
            writing.put_draft(a_draft("d-2"))
            breach(writing)

    with pytest.raises(ValueError, match=r"."):
        write()
    assert ledger.changes() == before
    with ledger.writing() as writing:
        assert writing.draft("d-2") is None
        writing.append(a_decision(2))
    assert ledger.check() == ()


def test_a_draft_without_its_bytes_goes_on_with_those_that_are_kept(ledger: Ledger) -> None:
    """What a list gives can be put back with another state."""
    with ledger.writing() as writing:
        (listed,) = writing.drafts()
        writing.put_draft(a_draft(content=None, digest=listed.digest, state="rejected"))
        assert writing.draft("d-1") == a_draft(state="rejected")
