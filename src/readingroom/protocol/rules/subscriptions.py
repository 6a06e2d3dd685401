"""Rules of subscriptions (requirements §9.4)."""

TABLE = """
SUB-1 | MUST | client | any | basic/patterns/subscriptions#notification-filter
    A listen says of which changes it wants to be told; what it leaves out it is not told, and another form is refused.
SUB-2 | MUST | server | any | basic/patterns/subscriptions#acknowledgment
    The first frame of a subscription is the acknowledgement, with that part of what was asked for which is served.
SUB-3 | MUST | server | any | basic/patterns/subscriptions#receiving-notifications
    All that belongs to a subscription has the id of its listen, with its JSON type.
SUB-4 | MUST NOT | server | any | basic/patterns/subscriptions#opening-a-stream
    Notifications of changes are sent to nobody who has not subscribed to them.
SUB-5 | MUST NOT | server | any | basic/patterns/subscriptions#receiving-notifications
    Progress and log lines do not travel on a subscription.
SUB-6 | MAY | server | any | basic/patterns/subscriptions#multiple-concurrent-subscriptions
    A client may have several subscriptions, and each that matches a change is told of it once.
SUB-7 | SHOULD | client | any | basic/patterns/subscriptions
    What was granted is compared with what was wanted, and a client gets along with less.
SUB-8 | MUST | server | any | server/resources#subscriptions
    That a resource has changed is told with its URI.
SUB-9 | SHOULD | server | any | server/tools#list-changed-notification
    A server that says its lists may change tells those who listen when one has.
SUB-10 | MUST NOT | server | any | basic/patterns/subscriptions#cancellation
    Nothing more is sent on a subscription that its client has ended.
SUB-11 | SHOULD | server | any | basic/patterns/subscriptions#cancellation
    A server that ends a subscription by itself answers the listen with a result that has the subscription's id.
SUB-12 | MUST | server | stdio | basic/patterns/cancellation#cancellation-flow
    On stdio a server that ends a subscription cancels it too, after its result.
SUB-14 | OURS | server | any | basic/patterns/subscriptions#opening-a-stream
    A server that tells of any changes takes every listen, and one that tells of none does not know the method.
SUB-15 | OURS | server | any | basic/patterns/subscriptions#opening-a-stream
    Subscriptions are bounded in number and size, and what waits for a slow listener is told once for each topic.
SUB-13 | MUST | client | stdio | basic/patterns/subscriptions
    A subscription is made anew after the server was started again, for the server has kept nothing of it.
SUB-16 | OURS | client | any | basic/patterns/subscriptions
    Acknowledgements, changes and ends may come in any order: a result is a good end, anything else a loss.
"""
