"""Rules of telling the eras apart, and of the older one (requirements §6, §15)."""

TABLE = """
"""
