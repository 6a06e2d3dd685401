"""What one principal may ask for in drafts, each bound with its reason. Sizes are bytes, unless said otherwise."""

DRAFT_BYTES = 512 * 1024
"""Of what a draft proposes: the new text of a create or replace, or all its edits together. A long article is 100 KiB."""

EDITS = 200
"""Edits of one draft: a person reads every one of them, and each costs a search through the document."""

OPEN_DRAFTS = 200
"""Open drafts of one principal: more than a person reads in a day."""

DAY_BYTES = 256 * 1024 * 1024
"""Kept for one principal within 24 hours: texts, the bytes that they were made against, and answers."""

NOTE_CHARACTERS = 4_000
"""Of a note: a page."""

PATH_BYTES = 1_024
"""Of a new path in UTF-8: what systems and tools of all kinds can still open below a root of some length."""

NAME_BYTES = 200
"""Of a new name in UTF-8: file systems take 255, and a temporary file beside it has a longer one."""

DEPTH = 16
"""Folders above a new document."""

PAGE = 100
"""Drafts on one page of a list."""
