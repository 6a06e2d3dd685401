"""The tables of the ledger, as steps that each make the next version of the file out of the one before.

A step that has been released is never changed: what is to be different is a new step. Knows SQL and nothing else.
"""

APPLICATION = 0x52524C47
"""What marks the file as a ledger of Reading Room's, in SQLite's `application_id`."""

_FIRST = """
CREATE TABLE facts(
    one INTEGER PRIMARY KEY CHECK (one = 1), root BLOB NOT NULL, commits INTEGER NOT NULL,
    failed INTEGER NOT NULL, last_failed REAL NOT NULL, beginning TEXT NOT NULL, restored INTEGER NOT NULL
) STRICT;

CREATE TABLE contents(digest TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

CREATE TABLE manifests(digest TEXT PRIMARY KEY, entries BLOB NOT NULL) STRICT;

CREATE TABLE drafts(
    id TEXT PRIMARY KEY, principal TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL, target TEXT NOT NULL, base TEXT,
    digest TEXT NOT NULL, edits BLOB NOT NULL, note TEXT NOT NULL, comment TEXT NOT NULL, state TEXT NOT NULL,
    revision INTEGER NOT NULL, created REAL NOT NULL, changed REAL NOT NULL, decided REAL
) STRICT;
CREATE INDEX drafts_in_order ON drafts(created, id);
CREATE INDEX drafts_of_principal ON drafts(principal, state);

CREATE TABLE kept(principal TEXT NOT NULL, at REAL NOT NULL, size INTEGER NOT NULL) STRICT;
CREATE INDEX kept_of_principal ON kept(principal, at);

CREATE TABLE operations(
    principal TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, draft TEXT NOT NULL, result BLOB NOT NULL,
    at REAL NOT NULL, PRIMARY KEY (principal, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE chains(
    number INTEGER PRIMARY KEY, salt BLOB NOT NULL, n INTEGER NOT NULL, r INTEGER NOT NULL, p INTEGER NOT NULL,
    proof BLOB NOT NULL, began REAL NOT NULL
) STRICT;

CREATE TABLE decisions(
    number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, operator TEXT NOT NULL, chain INTEGER NOT NULL,
    mac BLOB NOT NULL, draft TEXT NOT NULL, draft_revision INTEGER NOT NULL, principal TEXT NOT NULL, path TEXT NOT NULL,
    target TEXT NOT NULL, before TEXT, after TEXT, comment TEXT NOT NULL, undoes INTEGER, manifest TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_of_draft ON decisions(draft);
CREATE INDEX decisions_of_path ON decisions(path);
CREATE INDEX decisions_of_target ON decisions(target);

CREATE TABLE publications(
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, before TEXT, after TEXT, temporary TEXT NOT NULL,
    began REAL NOT NULL, number INTEGER, draft TEXT NOT NULL, draft_revision INTEGER NOT NULL, principal TEXT NOT NULL,
    operator TEXT NOT NULL, target TEXT NOT NULL, undoes INTEGER, comment TEXT NOT NULL
) STRICT;

CREATE TRIGGER decisions_are_numbered BEFORE INSERT ON decisions
WHEN new.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM decisions)
BEGIN SELECT raise(ABORT, 'a decision has the number after the last one'); END;
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
BEGIN SELECT raise(ABORT, 'the journal is only added to'); END;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
BEGIN SELECT raise(ABORT, 'the journal is only added to'); END;

CREATE TRIGGER chains_are_numbered BEFORE INSERT ON chains
WHEN new.number IS NOT (SELECT coalesce(max(number), 0) + 1 FROM chains)
BEGIN SELECT raise(ABORT, 'a chain has the number after the last one'); END;
CREATE TRIGGER chains_stay BEFORE UPDATE ON chains
BEGIN SELECT raise(ABORT, 'chains are only added to'); END;
CREATE TRIGGER chains_are_kept BEFORE DELETE ON chains
BEGIN SELECT raise(ABORT, 'chains are only added to'); END;

CREATE TRIGGER operations_stay BEFORE UPDATE ON operations
BEGIN SELECT raise(ABORT, 'what was answered stays'); END;
CREATE TRIGGER contents_stay BEFORE UPDATE ON contents
BEGIN SELECT raise(ABORT, 'bytes that are kept stay'); END;
CREATE TRIGGER manifests_stay BEFORE UPDATE ON manifests
BEGIN SELECT raise(ABORT, 'a manifest stays'); END;
"""

STEPS: tuple[str, ...] = (_FIRST,)
"""What makes each version of the file out of the one before it; the version is how many have been done."""
