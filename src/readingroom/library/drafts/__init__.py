"""Drafts: what one editor proposes, and how a proposal differs from what stands in the folder.

Nothing here writes into the folder or decides anything. Names are loaded when they are first used.
"""
