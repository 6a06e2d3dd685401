"""The client's pure part: building requests, matching and verifying what a server sends, reading results.

Lines and values in, values out; knows no process, no socket, no thread and no clock.
"""

from . import eras, notices, operations
from .caching import Cache
from .calls import Calls
from .effects import Asked, Effect, Noticed, Reported, Settled
from .known_tools import KnownTool, KnownTools
from .notices import Notice, PromptsChanged, ResourcesChanged, ResourceUpdated, Resumed, ToolsChanged
from .operations import Operation, Pages
from .requests import Prepared, RequestBuilder
from .rounds import Rounds
from .values import (
    Answer,
    CallToolAnswer,
    CompleteAnswer,
    Discovery,
    Greeting,
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
    "Asked",
    "Cache",
    "CallToolAnswer",
    "Calls",
    "CompleteAnswer",
    "Discovery",
    "Effect",
    "Greeting",
    "KnownTool",
    "KnownTools",
    "Notice",
    "Noticed",
    "Operation",
    "Page",
    "Pages",
    "Prepared",
    "Progress",
    "PromptAnswer",
    "PromptInfo",
    "PromptsChanged",
    "ReadAnswer",
    "Reported",
    "RequestBuilder",
    "ResourceInfo",
    "ResourceUpdated",
    "ResourcesChanged",
    "Resumed",
    "Rounds",
    "Settled",
    "TemplateInfo",
    "ToolInfo",
    "ToolsChanged",
    "Violations",
    "eras",
    "notices",
    "operations",
]
