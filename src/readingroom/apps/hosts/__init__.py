"""The configuration files of AI apps: which servers they name, and how each is reached. Nothing here starts anything."""

from .files import NoServers, ServersFile, read_file
from .places import found_files, project_files

__all__ = ["NoServers", "ServersFile", "found_files", "project_files", "read_file"]
