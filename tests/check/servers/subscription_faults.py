"""Faults of subscriptions: acknowledgements, notices and their end."""
# ruff: noqa: D102  -- a hook does what the good server says it does

from faults import breaks, is_list
from good import PREFIX, Good, Refused


@breaks("SUB-2")
class NeverAcknowledges(Good):
    def acknowledge(self, request_id, wanted):
        pass


@breaks("SUB-2")
class TellsBeforeItAcknowledges(Good):
    def acknowledge(self, request_id, wanted):
        self.notify("notifications/tools/list_changed", {"_meta": {PREFIX + "subscriptionId": request_id}})
        super().acknowledge(request_id, wanted)


@breaks("SUB-3")
class SubscriptionAsText(Good):
    def acknowledge(self, request_id, wanted):
        super().acknowledge(str(request_id), wanted)


@breaks("SUB-4")
class TellsWhoDoesNotListen(Good):
    def answer(self, message, result):
        if is_list(message):
            self.notify("notifications/tools/list_changed", {})
        super().answer(message, result)


@breaks("SUB-10")
class AnswersAnEndedListen(Good):
    ended = None
    since = 0

    def notified(self, message):
        found = message.get("params", {}).get("requestId")
        if isinstance(found, int | str) and (type(found), found) in self.listens:
            self.ended, self.since = found, 0
        super().notified(message)

    def requested(self, message):
        self.since += 1
        if self.ended is not None and self.since == 2:  # not at once, when it might have been on its way
            tag = {
                PREFIX + "subscriptionId": self.ended,
                PREFIX + "serverInfo": {"name": "good", "version": "1"},
            }
            self.send(
                {"jsonrpc": "2.0", "id": self.ended, "result": {"resultType": "complete", "_meta": tag}}
            )
        super().requested(message)


# -- faults that were met in servers of others, and their kin


@breaks("SUB-14")
class RefusesToBeListenedTo(Good):
    def on_subscriptions_listen(self, message, params):
        if "notifications" in params:
            raise Refused(-32601, "nobody may listen")
        raise Refused(-32602, "notifications is required")


@breaks("SUB-1")
class TakesAListenToNothing(Good):
    def on_subscriptions_listen(self, message, params):
        if "notifications" in params:
            return super().on_subscriptions_listen(message, params)
        return {"_meta": {PREFIX + "subscriptionId": message["id"], **self.finished(message, {})["_meta"]}}


@breaks("SUB-5")
class ProgressOnASubscription(Good):
    def acknowledge(self, request_id, wanted):
        super().acknowledge(request_id, wanted)
        tag = {PREFIX + "subscriptionId": request_id}
        self.notify("notifications/progress", {"progressToken": 1, "progress": 1, "_meta": tag})
