"""The servers that misbehave, by their names, each with the rule that it breaks."""

import re

FAULTS = {}


def breaks(rule):
    """Enter a server under its name with the rule that it breaks."""

    def enter(server):
        name = re.sub(r"(?<!^)(?=[A-Z])", "-", server.__name__).lower()
        FAULTS[name] = (rule, server)
        return server

    return enter


def is_list(message):
    """Whether it asks for the tools: faults that need not touch every answer touch that one."""
    return message.get("method") == "tools/list"
