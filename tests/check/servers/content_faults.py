"""Faults of what is read, got or completed: resources, prompts, completions and contents."""
# ruff: noqa: D102  -- a hook does what the good server says it does

from faults import breaks
from good import Good


@breaks("SHAPE-1")
class ImageIsNoBase64(Good):
    def call_count(self, message, arguments):
        image = {"type": "image", "mimeType": "image/png", "data": "data:image/png;base64,AAAA"}
        found = super().call_count(message, arguments)
        return {**found, "content": [*found["content"], image]}


@breaks("RSRC-2")
class BlobIsNoBase64(Good):
    def on_resources_read(self, message, params):
        found = super().on_resources_read(message, params)
        return {
            "contents": [{**part, "blob": "%%%"} if "blob" in part else part for part in found["contents"]]
        }


@breaks("PRO-2")
class MessageWithoutARole(Good):
    def on_prompts_get(self, message, params):
        found = super().on_prompts_get(message, params)
        return {"messages": [{"content": one["content"]} for one in found["messages"]]}


@breaks("COMP-2")
class ManyCompletions(Good):
    def on_completion_complete(self, message, params):
        super().on_completion_complete(message, params)
        return {"completion": {"values": [str(number) for number in range(101)]}}


@breaks("COMP-3")
class CompletesAnything(Good):
    def on_completion_complete(self, message, params):
        return {"completion": {"values": []}}


# -- faults that were met in servers of others, and their kin


@breaks("RSRC-2")
class ListsWhatCannotBeRead(Good):
    def resources(self):
        return [*super().resources(), {"uri": "good:///gone", "name": "gone"}]
