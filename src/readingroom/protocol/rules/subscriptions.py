"""Rules of subscriptions (requirements §9.4)."""

TABLE = """
"""
