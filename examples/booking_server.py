"""Tables of a restaurant: the guest is asked before a table is booked, and asked again when the time is taken.

`python examples/booking_server.py` serves them. Several processes that serve the same clients get the same keys, the newest
first, as hexadecimal digits in BOOKING_KEYS.
"""

import os
from typing import Annotated

import msgspec

from readingroom import Context, ElicitForm, Server, ToolError

KEYS = tuple(bytes.fromhex(key) for key in os.environ.get("BOOKING_KEYS", "").split())
app = Server("bookings", version="1.0.0", state_keys=KEYS or None)

Guests = Annotated[int, msgspec.Meta(ge=1, le=8)]

_times = ("18:00", "19:00", "20:00")


class Booking(msgspec.Struct, frozen=True):
    """A table that was booked."""

    time: str
    guests: int
    name: str


_booked = {"20:00": Booking("20:00", 8, "the house")}


@app.tool(destructive=False, open_world=False, requires={"elicitation": {"form": {}}})
def book_table(guests: Guests, time: str, ctx: Context) -> Booking:
    """Book a table for this evening; the guest is asked for a name, and for another time when the one named is taken."""
    name = _asked(ctx, f"A table for {guests} at {time}: for whom?", {"type": "string", "minLength": 1})
    if time in _booked or time not in _times:
        free = [one for one in _times if one not in _booked]
        if not free:
            raise ToolError("All tables are taken this evening.")
        time = _asked(ctx, f"There is no table at {time}. Another time?", {"type": "string", "enum": free})
    # Only here, after the last answer: everything above runs anew in every round.
    booking = Booking(time, guests, name)
    if _booked.setdefault(time, booking) is not booking:
        raise ToolError(f"The table at {time} was taken at this very moment; try again.")
    return booking


def _asked(ctx: Context, message: str, field: dict[str, object]) -> str:
    schema = {"type": "object", "properties": {"value": field}, "required": ["value"]}
    answer = ctx.ask(value=ElicitForm(message, schema))["value"]
    if answer.content is None:
        raise ToolError("The guest does not want to book.")
    return str(answer.content["value"])


if __name__ == "__main__":
    app.run()
