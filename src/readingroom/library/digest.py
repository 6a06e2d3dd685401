"""The digest by which the library knows bytes again: in the index, in the ledger, and in what is told of a document."""

import hashlib


def digest_of(content: bytes) -> str:
    """The digest of bytes, which is the revision of a file that holds them."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
