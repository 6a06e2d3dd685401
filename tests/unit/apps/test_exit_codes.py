"""One table of exit codes, in which every code stands once, and agrees with the kit's own."""

from readingroom.apps import exit_codes
from readingroom.apps.exit_codes import EXIT_CODES
from readingroom.transport import supervisor, uvicorn_server


def test_each_code_once() -> None:
    """Codes and names are unique and in order."""
    codes = [code for code, _, _ in EXIT_CODES]
    assert codes == sorted(set(codes))
    assert len({name for _, name, _ in EXIT_CODES}) == len(codes)


def test_every_constant_is_in_the_table() -> None:
    """No command can give a code that the table does not explain."""
    constants = {
        value for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)
    }
    assert constants == {code for code, _, _ in EXIT_CODES}


def test_the_kit_gives_the_same() -> None:
    """`serve` ends with the codes of the kit's own carriers."""
    assert uvicorn_server.EXIT_OK == exit_codes.OK
    assert (supervisor.EXIT_OK, supervisor.EXIT_FAILED) == (exit_codes.OK, exit_codes.FAILED)
