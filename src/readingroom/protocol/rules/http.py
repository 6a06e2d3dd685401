"""Rules of Streamable HTTP, of mirrored headers and of their encoding (requirements §8)."""

TABLE = """
"""
