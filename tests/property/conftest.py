"""How properties are tried: the same examples on every run, and no clock that decides."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")
