"""What options and environment say is checked once, and options count first."""

from typing import Any

import pytest

from readingroom.apps.faults import UsageFault
from readingroom.apps.settings import settings_from


def test_defaults() -> None:
    """Without anything given, a reader named local is served."""
    settings = settings_from({"folder": "x"}, {})
    assert (settings.role, settings.principal, settings.internal, settings.leave_out) == (
        "reader",
        "local",
        (),
        (),
    )
    assert (settings.cache, settings.rescan, settings.watch) == (None, 30.0, True)
    assert not settings_from({"folder": "x", "no_watch": True}, {}).watch
    assert settings.older_era
    assert not settings_from({"folder": "x", "modern_only": True}, {}).older_era


@pytest.mark.parametrize(
    ("option", "variable", "role"),
    [
        (None, None, "reader"),
        (None, "", "reader"),
        (None, "editor", "editor"),
        ("reader", "editor", "reader"),
        ("editor", "reader", "editor"),
        ("editor", "nonsense", "editor"),
    ],
)
def test_role(option: str | None, variable: str | None, role: str) -> None:
    """The flag counts before the variable, the variable before the default (library.md, roles)."""
    environment = {} if variable is None else {"READINGROOM_ROLE": variable}
    assert settings_from({"folder": "x", "role": option}, environment).role == role


@pytest.mark.parametrize(
    ("values", "environment", "told"),
    [
        ({"role": "admin"}, {}, "--role must be reader or editor, not 'admin'"),
        ({"role": ""}, {}, "--role must be reader or editor, not ''"),
        ({}, {"READINGROOM_ROLE": "Reader"}, "READINGROOM_ROLE must be reader or editor, not 'Reader'"),
        ({"principal": ""}, {}, "--principal"),
        ({"principal": "a\nb"}, {}, "--principal"),
        ({"principal": "x" * 101}, {}, "--principal"),
        ({"cache": ""}, {}, "--cache"),
        ({"ledger": ""}, {"READINGROOM_LEDGER": "x"}, "--ledger"),
        ({"rescan": "often"}, {}, "--rescan"),
        ({"rescan": "0.5"}, {}, "--rescan"),
        ({"rescan": "nan"}, {}, "--rescan"),
        ({"rescan": "inf"}, {}, "--rescan"),
    ],
)
def test_what_is_wrong_is_named(values: dict[str, Any], environment: dict[str, str], told: str) -> None:
    """A wrong value is refused by name; none falls back to something else in silence."""
    with pytest.raises(UsageFault, match=told):
        settings_from({"folder": "x", **values}, environment)


def test_what_is_given_is_kept() -> None:
    """Patterns stay in the order in which they were given."""
    given = {
        "folder": "x",
        "internal": ["b", "a"],
        "leave_out": ("c",),
        "cache": "y",
        "rescan": "2.5",
        "principal": "Ирина",
    }
    settings = settings_from(given, {})
    assert settings.internal == ("b", "a")
    assert settings.leave_out == ("c",)
    assert (settings.cache, settings.rescan, settings.principal) == ("y", 2.5, "Ирина")


@pytest.mark.parametrize(
    ("option", "variable", "ledger"),
    [(None, None, None), (None, "", None), (None, "y", "y"), ("x", None, "x"), ("x", "y", "x")],
)
def test_ledger(option: str | None, variable: str | None, ledger: str | None) -> None:
    """The flag counts before the variable, and that before the platform's folder."""
    environment = {} if variable is None else {"READINGROOM_LEDGER": variable}
    assert settings_from({"folder": "x", "ledger": option}, environment).ledger == ledger
