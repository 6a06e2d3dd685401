"""The applications: the command line, and `compose`, the one place where objects are put together.

Nothing imports from here. What is loaded before `serve` answers its first request is kept in a list by a test.
"""
