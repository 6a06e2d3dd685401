"""A folder of documents, its index, and views of it that show no more than a principal may see. Knows no protocol.

Names are loaded when they are first used. The operator's door is a module of its own, `readingroom.library.operator`,
and opens only for apps.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .address import identifier_uri, uri
    from .drafts.codes import DRAFT_CODES
    from .drafts.drafts import Drafts
    from .drafts.following import DraftFollower
    from .drafts.model import Candidate, DraftAnswer, DraftEdit, DraftInfo, DraftPage, DraftView
    from .errors import (
        BadQuery,
        DraftRefused,
        FolderUnusable,
        IndexBusy,
        IndexUnusable,
        LedgerBusy,
        LedgerFull,
        LedgerUnusable,
        LibraryError,
        NotFound,
    )
    from .following import Changes, Follower
    from .hooks import ScanProgress
    from .joint_following import JointFollower
    from .joint_view import JointView, Part
    from .library import Library, forget
    from .lines import cut_lines
    from .model import (
        MIME_TYPES,
        DocumentInfo,
        Format,
        Heading,
        Hit,
        LinksAnswer,
        ListAnswer,
        OutlineAnswer,
        Principal,
        ReadAnswer,
        ResolvedLink,
        Role,
        SearchAnswer,
        Visibility,
    )
    from .rules import Rules
    from .view import View

_HOMES = {
    "MIME_TYPES": "model",
    "BadQuery": "errors",
    "Candidate": "drafts.model",
    "Changes": "following",
    "DRAFT_CODES": "drafts.codes",
    "DocumentInfo": "model",
    "DraftAnswer": "drafts.model",
    "DraftEdit": "drafts.model",
    "DraftFollower": "drafts.following",
    "DraftInfo": "drafts.model",
    "DraftPage": "drafts.model",
    "DraftRefused": "errors",
    "DraftView": "drafts.model",
    "Drafts": "drafts.drafts",
    "FolderUnusable": "errors",
    "Follower": "following",
    "Format": "model",
    "Heading": "model",
    "Hit": "model",
    "IndexBusy": "errors",
    "IndexUnusable": "errors",
    "LedgerBusy": "errors",
    "LedgerFull": "errors",
    "LedgerUnusable": "errors",
    "JointFollower": "joint_following",
    "JointView": "joint_view",
    "Library": "library",
    "LibraryError": "errors",
    "LinksAnswer": "model",
    "ListAnswer": "model",
    "NotFound": "errors",
    "OutlineAnswer": "model",
    "Part": "joint_view",
    "Principal": "model",
    "ReadAnswer": "model",
    "ResolvedLink": "model",
    "Role": "model",
    "Rules": "rules",
    "ScanProgress": "hooks",
    "SearchAnswer": "model",
    "View": "view",
    "Visibility": "model",
    "cut_lines": "lines",
    "forget": "library",
    "identifier_uri": "address",
    "uri": "address",
}

__all__ = [
    "DRAFT_CODES",
    "MIME_TYPES",
    "BadQuery",
    "Candidate",
    "Changes",
    "DocumentInfo",
    "DraftAnswer",
    "DraftEdit",
    "DraftFollower",
    "DraftInfo",
    "DraftPage",
    "DraftRefused",
    "DraftView",
    "Drafts",
    "FolderUnusable",
    "Follower",
    "Format",
    "Heading",
    "Hit",
    "IndexBusy",
    "IndexUnusable",
    "JointFollower",
    "JointView",
    "LedgerBusy",
    "LedgerFull",
    "LedgerUnusable",
    "Library",
    "LibraryError",
    "LinksAnswer",
    "ListAnswer",
    "NotFound",
    "OutlineAnswer",
    "Part",
    "Principal",
    "ReadAnswer",
    "ResolvedLink",
    "Role",
    "Rules",
    "ScanProgress",
    "SearchAnswer",
    "View",
    "Visibility",
    "cut_lines",
    "forget",
    "identifier_uri",
    "uri",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
