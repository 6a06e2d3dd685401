"""Rules of a resource server (requirements §12.1)."""

TABLE = """
"""
