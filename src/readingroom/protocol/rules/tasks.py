"""Rules of the tasks extension (requirements §14), a draft beside the specification: `ext-tasks` is its page."""

TABLE = """
TASK-1 | MUST | both | any | ext-tasks#capability-negotiation
    Who takes part in tasks says so in `extensions`, without settings: the server in discovery, the client in each request.
TASK-2 | MUST NOT | server | any | ext-tasks#capability-negotiation
    A request that does not declare the extension never becomes a task; one that cannot do without is refused.
TASK-3 | MAY | server | any | ext-tasks#supported-methods
    A call of a tool may become a task, if the server sees fit; nothing else does.
TASK-4 | MUST | server | any | ext-tasks#task-creation
    That a request has become a task is told flat, with its times and how long it is kept, by a result type of its own.
TASK-5 | MUST NOT | server | any | ext-tasks#task-creation
    A task is not told of before it is kept where every process that may be asked finds it.
TASK-6 | MUST | server | any | ext-tasks#task-polling
    Who asks after a task is told its state in a complete result, with what is asked, the result or the error.
TASK-7 | MUST | server | any | ext-tasks#task-status
    A task has failed by an error of the protocol alone, and what has ended stays as it ended.
TASK-8 | MUST | server | any | ext-tasks#task-update-requests
    Answers to a task are acknowledged; what they do not answer stays outstanding, and what nobody asked is passed over.
TASK-9 | MUST | server | any | ext-tasks#task-update-requests
    A key under which a task asks something is used once in its life.
TASK-10 | MUST | server | any | ext-tasks#task-cancellation
    A cancellation is acknowledged, also of a task that has ended; the handler ends by it when it can.
TASK-11 | MUST | server | any | ext-tasks#protocol-errors
    A request of the extension that does not declare it is refused for that, before the task is looked for.
TASK-12 | MUST | client | http | ext-tasks#streamable-http-routing-headers
    The header that names what a request is about names the task.
TASK-13 | OURS | server | any | ext-tasks#task-polling
    A task is kept as long as it says, and is unknown after that.
TASK-14 | MAY | server | any | ext-tasks#task-status-notifications
    Listeners who name tasks are told of them as if they had asked, and of no progress and no log lines.
TASK-15 | MUST | server | any | ext-tasks#task-creation
    The id of a task cannot be guessed, and is worth nothing to anybody but whose task it is.
TASK-16 | MUST NOT | server | any | ext-tasks#capability-negotiation
    Clients of older revisions never get a task, and their own kind of tasks is not advertised.
"""
