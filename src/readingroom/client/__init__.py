"""The client's pure part: building requests, matching and verifying what a server sends, reading results.

Lines and values in, values out; knows no process, no socket, no thread and no clock.
"""

from . import operations
from .calls import Calls, Effect, Reported, Settled
from .known_tools import KnownTool, KnownTools
from .operations import Operation, Pages
from .requests import Prepared, RequestBuilder
from .values import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Page,
    Progress,
    PromptAnswer,
    PromptInfo,
    ReadAnswer,
    ResourceInfo,
    TemplateInfo,
    ToolInfo,
)
from .violations import Violations

__all__ = [
    "Answer",
    "CallToolAnswer",
    "Calls",
    "CompleteAnswer",
    "Discovery",
    "Effect",
    "KnownTool",
    "KnownTools",
    "Operation",
    "Page",
    "Pages",
    "Prepared",
    "Progress",
    "PromptAnswer",
    "PromptInfo",
    "ReadAnswer",
    "Reported",
    "RequestBuilder",
    "ResourceInfo",
    "Settled",
    "TemplateInfo",
    "ToolInfo",
    "Violations",
    "operations",
]
