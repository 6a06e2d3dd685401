"""What was shown, as a form's field and back: the draft, its revision, the digest of its text, and the base it was made on.

Pure. An approval that says anything else than what stands in the ledger now decides nothing.
"""

from typing import TYPE_CHECKING

from .forms import BadForm, Form, number_from

if TYPE_CHECKING:
    from ...library.operator import Approval

MOST = 50
_NONE = "-"
_PARTS = 4


def field_of(approval: "Approval") -> str:
    """Give the value that a form carries for an approval."""
    return " ".join(
        (approval.draft, str(approval.revision), approval.digest or _NONE, approval.base or _NONE)
    )


def approvals_of(form: Form) -> "tuple[Approval, ...]":
    """Read the approvals of a form. Raises BadForm for none, too many, one twice, and what is none."""
    fields = form.all("approval")
    if not fields:
        raise BadForm("No draft was ticked, so there is nothing to decide.")
    if len(fields) > MOST:
        raise BadForm(f"At most {MOST} drafts are decided at once.")
    found = tuple(_approval(field) for field in fields)
    if len({approval.draft for approval in found}) < len(found):
        raise BadForm("A draft stands twice in the form.")
    return found


def _approval(field: str) -> "Approval":
    from ...library.operator import Approval

    parts = field.split(" ")
    if len(parts) != _PARTS or not all(parts):
        raise BadForm("The form does not say which draft was shown.")
    draft, said, digest, base = parts
    revision = number_from(said)
    if revision is None:
        raise BadForm("The form does not say which revision was shown.")
    return Approval(draft, revision, "" if digest == _NONE else digest, None if base == _NONE else base)


def differences(approved: "Approval", now: "Approval") -> list[str]:
    """Say what is not any more as it was shown; nothing where all is."""
    said: list[str] = []
    if approved.revision != now.revision:
        said.append(
            f"the app has changed the draft since: revision {approved.revision} was shown, it is {now.revision} now"
        )
    elif approved.digest != now.digest:
        said.append("the draft's text is not the one that was shown")
    if approved.base != now.base:
        said.append("the draft is made for another version of the file than was shown")
    return said
