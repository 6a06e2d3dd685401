"""Which documents a role may see: the one place that says so."""

from .model import Role, Visibility


def is_visible(role: Role, visibility: Visibility) -> bool:
    """Whether a document of this visibility exists for this role."""
    return visibility == "public" or role == "editor"
