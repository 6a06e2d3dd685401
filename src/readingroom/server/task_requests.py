"""The requests of the tasks extension, as steps of a dispatcher: `tasks/get`, `tasks/update` and `tasks/cancel`."""

from collections.abc import Callable
from typing import Any

from ..protocol import Admitted, Wrapper
from ..protocol.tasks import Done
from .dispatch import Step, Work
from .task_store import Task
from .task_telling import detailed
from .tasks import Tasks

Route = Callable[[Admitted, str], Work]


def routes(tasks: Tasks, wrapper: Wrapper) -> dict[str, Route]:
    """Give what finds the step of each method. A store may take a while: all of them run like plain handlers."""

    def get(request: Any, principal: str) -> Task:
        return tasks.get(request.task_id, principal)

    def update(request: Any, principal: str) -> None:
        tasks.update(request.task_id, principal, request.input_responses)

    def cancel(request: Any, principal: str) -> None:
        tasks.cancel(request.task_id, principal)

    done = wrapper.body(Done())
    return {
        "tasks/get": _route("tasks/get", get, lambda task: wrapper.body(detailed(task))),
        "tasks/update": _route("tasks/update", update, lambda _: done),
        "tasks/cancel": _route("tasks/cancel", cancel, lambda _: done),
    }


def _route(name: str, call: Callable[[Any, str], Any], finish: Callable[[Any], bytes]) -> Route:
    def route(request: Admitted, principal: str) -> Work:
        step = Step(
            "plain", lambda params, _ctx: call(params, principal), finish, wants_context=False, name=name
        )
        return Work(request.id, step, request.params)

    return route
