"""The codes of refusals, each with what to do: one table for the door, the documentation and whoever reads a code."""

DRAFT_CODES: dict[str, str] = {
    "bad_operation": (
        "Choose a key of 8 to 128 letters, digits, dots, colons, hyphens or underscores (A-Z a-z 0-9 . _ "
        ": -)."
    ),
    "operation_reused": ("Choose a new key for a new change; repeat one only with the very same call."),
    "bad_argument": ("Give what the text says, and send the call again."),
    "bad_path": ("Name the document by its path relative to the library, such as folder/name.md."),
    "path_not_served": ("Choose another path, at which a document can be served."),
    "not_found": "Look for the document with library_list or library_search; it may have moved.",
    "exists": "Choose another path, or propose an edit or replace of the document that is there.",
    "base_changed": (
        "Read the document again, look whether the change still fits, and send it with the new revision "
        "and a new key."
    ),
    "edit_not_found": "Copy `old` exactly from the document as it is now.",
    "edit_ambiguous": "Make `old` longer, so that it occurs only once.",
    "edit_overlaps": "Put edits that touch the same place into one.",
    "encoding": (
        "Leave out the characters that the document's encoding cannot hold, or propose a replace, which "
        "is written in UTF-8."
    ),
    "not_text": "Send text without NUL characters and without halves of surrogate pairs.",
    "nothing_changes": ("There is nothing to propose: the document is so already."),
    "draft_unchanged": "There is nothing to send. No document changes by a draft before a person has published it.",
    "too_large": "Propose less at once, such as an edit in place of a replace, or several documents.",
    "too_many": "Wait until a person has decided on some of your drafts, or withdraw some.",
    "draft_not_found": "Look for the draft with draft_list; only your own are there.",
    "draft_revision_changed": (
        "Read the draft again with draft_read and send the change with its revision and a new key."
    ),
    "not_open": "It cannot be changed any more; propose a new one.",
    "bad_cursor": "Call again without cursor.",
}
