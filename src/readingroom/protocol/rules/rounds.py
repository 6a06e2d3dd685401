"""Rules of rounds: what a server asks of a client before it answers (requirements §9.1, §11)."""

TABLE = """
"""
