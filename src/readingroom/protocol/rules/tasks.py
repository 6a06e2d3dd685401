"""Rules of the tasks extension (requirements §14)."""

TABLE = """
"""
