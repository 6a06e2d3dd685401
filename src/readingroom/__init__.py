"""Reading Room: a protocol kit for MCP 2026-07-28, and a library server built on it.

The names below are the kit's public surface. They are loaded when they are first used, so that importing the package
costs next to nothing.
"""

__version__ = "0.1.0"
