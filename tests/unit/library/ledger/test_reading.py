"""What is kept comes out again as it went in, and in order."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from readingroom.library import LedgerUnusable
from readingroom.library.ledger import Edit, Ledger, digest_of
from support.ledgers import a_chain, a_decision, a_draft, a_publication, an_operation, opened


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A ledger that nothing has been written into, at the time 100,000."""
    found = opened(tmp_path, clock=lambda: 100_000.0)
    yield found
    found.close()


def test_a_draft_comes_back_whole(ledger: Ledger) -> None:
    """Every field of it, its bytes and those of its base."""
    base = "Ä\r\n\0".encode()
    draft = a_draft(
        content=b"",
        kind="edit",
        to="ü.md",
        base=digest_of(base),
        base_content=base,
        edits=(Edit("a", "b\n"), Edit("ц", "")),
        note="why",
        comment="no",
        state="rejected",
        revision=3,
        decided=4.5,
    )
    with ledger.writing() as writing:
        writing.put_draft(draft)
        assert writing.draft("d-1") == draft
    with ledger.reading() as reading:
        assert reading.draft("d-1") == draft
        assert reading.draft("d-2") is None


def test_a_draft_without_bytes(ledger: Ledger) -> None:
    """A delete proposes none; the base's are kept."""
    draft = a_draft(content=None, kind="delete", base=digest_of(b"old"), base_content=b"old")
    with ledger.writing() as writing:
        writing.put_draft(draft)
    with ledger.reading() as reading:
        assert reading.draft("d-1") == draft


def test_drafts_are_listed_in_order(ledger: Ledger) -> None:
    """By the time they were made, then by id; page by page; of one principal, in one state; with bytes when asked."""
    with ledger.writing() as writing:
        for name, created, principal, state in (
            ("d-c", 1.0, "a", "open"),
            ("d-a", 2.0, "b", "open"),
            ("d-b", 2.0, "a", "withdrawn"),
            ("d-0", 3.0, "a", "open"),
        ):
            writing.put_draft(a_draft(name, created=created, principal=principal, state=state))
    with ledger.reading() as reading:
        assert [draft.id for draft in reading.drafts()] == ["d-c", "d-a", "d-b", "d-0"]
        assert [draft.id for draft in reading.drafts(limit=2)] == ["d-c", "d-a"]
        assert [draft.id for draft in reading.drafts(after="d-a", limit=2)] == ["d-b", "d-0"]
        assert [draft.id for draft in reading.drafts(principal="a", state="open")] == ["d-c", "d-0"]
        newest = reading.drafts(newest_first=True, after="d-0", limit=2)
        assert [draft.id for draft in newest] == ["d-b", "d-a"]
        assert reading.drafts(after="d-unknown") == ()
        assert {draft.content for draft in reading.drafts()} == {None}
        assert {draft.content for draft in reading.drafts(contents=True)} == {b"text"}


def test_counts_are_of_one_principal_and_one_day(ledger: Ledger) -> None:
    """What was kept more than 24 hours ago no longer counts, nor what another principal keeps."""
    times = [0.0]
    ledger._clock = lambda: times[0]
    with ledger.writing() as writing:
        writing.put_draft(a_draft(content=b"x" * 100))
        writing.put_draft(a_draft("d-2", content=b"x" * 100, state="withdrawn"))
        writing.put_draft(a_draft("d-3", content=b"y" * 9, principal="other"))
    times[0] = 80_000.0
    with ledger.writing() as writing:
        writing.put_draft(a_draft(content=b"x" * 30, base=digest_of(b"base"), base_content=b"base"))
        writing.add_operation(an_operation())
    with ledger.reading() as reading:
        assert reading.counts("local") == (1, 240)
        assert reading.counts("other") == (1, 9)
        assert reading.counts("nobody") == (0, 0)
    times[0] = 86_401.0
    with ledger.reading() as reading:
        assert reading.counts("local") == (1, 40)


def test_what_is_decided_of_a_draft_does_not_count_again(ledger: Ledger) -> None:
    """To put a draft with the same bytes, for its state or comment, keeps nothing."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
        writing.put_draft(a_draft(state="published"))
    with ledger.reading() as reading:
        assert reading.counts("local") == (0, 4)


def test_operations(ledger: Ledger) -> None:
    """A key is a principal's own."""
    with ledger.writing() as writing:
        writing.add_operation(an_operation())
        writing.add_operation(an_operation(principal="other", result=b"\xff"))
    with ledger.reading() as reading:
        assert reading.operation("local", "key-1") == an_operation()
        assert reading.operation("other", "key-1") == an_operation(principal="other", result=b"\xff")
        assert reading.operation("local", "key-2") is None


def test_decisions(ledger: Ledger) -> None:
    """In order; of one draft; of one path, also where a file got that name."""
    kept = [
        a_decision(1, kind="set", manifest="sha256:m"),
        a_decision(
            2, draft="d-1", draft_revision=2, path="a.md", before="sha256:1", after="sha256:2", principal="p"
        ),
        a_decision(3, draft="d-2", path="b.md", to="a.md", comment="c"),
        a_decision(4, kind="undo", path="c.md", undoes=2, mac=b"\0\xff"),
    ]
    with ledger.writing() as writing:
        assert writing.last_decision() is None
        for decision in kept:
            writing.append(decision)
    with ledger.reading() as reading:
        assert list(reading.decisions()) == kept
        assert list(reading.decisions(after=1, limit=2)) == kept[1:3]
        assert list(reading.decisions(draft="d-2")) == [kept[2]]
        assert list(reading.decisions(path="a.md")) == kept[1:3]
        assert (reading.decision(4), reading.decision(5), reading.last_decision()) == (kept[3], None, kept[3])


def test_bytes_and_manifests(ledger: Ledger) -> None:
    """Come back under their digest; a manifest whatever the order it was given in."""
    with ledger.writing() as writing:
        digest = writing.keep(b"\0bytes")
        assert writing.keep(b"\0bytes") == digest == digest_of(b"\0bytes")
        first = writing.keep_manifest({"b": "2", "a": "1"})
        assert writing.keep_manifest({"a": "1", "b": "2"}) == first
    with ledger.reading() as reading:
        assert reading.content(digest) == b"\0bytes"
        assert reading.content("sha256:other") is None
        assert reading.manifest(first) == {"a": "1", "b": "2"}
        with pytest.raises(KeyError):
            reading.manifest("sha256:other")


def test_altered_bytes_are_never_given_out(ledger: Ledger) -> None:
    """Whoever has written past the ledger cannot have other bytes published under a digest."""
    with ledger.writing() as writing:
        writing.put_draft(a_draft())
        manifest = writing.keep_manifest({"a": "1"})
        writing._do("DROP TRIGGER contents_stay")
        writing._do("DROP TRIGGER manifests_stay")
        writing._do("UPDATE contents SET bytes = x'00'")
        writing._do("UPDATE manifests SET entries = x'7b7d'")
    with ledger.reading() as reading:
        with pytest.raises(LedgerUnusable, match="altered"):
            reading.draft("d-1")
        with pytest.raises(LedgerUnusable, match="altered"):
            reading.manifest(manifest)


def test_publications_under_way(ledger: Ledger) -> None:
    """Are listed until they end."""
    second = a_publication(
        "p-2", number=7, to="b.md", undoes=3, comment="c", operator="me", principal="p", draft="d-1"
    )
    with ledger.writing() as writing:
        writing.begin(a_publication())
        writing.begin(msgspec.structs.replace(second, began=0.5))
    with ledger.writing() as writing:
        assert [publication.id for publication in writing.publications()] == ["p-2", "p-1"]
        assert writing.publications()[0] == msgspec.structs.replace(second, began=0.5)
        writing.end("p-2")
    with ledger.reading() as reading:
        assert reading.publications() == (a_publication(),)


def test_chains_and_attempts(ledger: Ledger) -> None:
    """The last chain is the one that goes on; a new one begins without failed attempts."""
    with ledger.writing() as writing:
        assert (writing.chain(), writing.attempts()) == (None, (0, 0.0))
        writing.begin_chain(a_chain(1))
        writing.set_attempts(3, 12.5)
        assert writing.attempts() == (3, 12.5)
        writing.begin_chain(a_chain(2))
    with ledger.reading() as reading:
        assert reading.chain() == a_chain(2)
        assert reading.chains() == (a_chain(1), a_chain(2))
        assert reading.attempts() == (0, 0.0)
