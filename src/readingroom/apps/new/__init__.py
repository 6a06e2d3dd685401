"""`readingroom new`: writes a server that one can ship, from templates. Knows no protocol, no network and no git."""

from .names import Names, python_names, typescript_names
from .placing import place
from .rendering import Project, files_of

__all__ = ["Names", "Project", "files_of", "place", "python_names", "typescript_names"]
