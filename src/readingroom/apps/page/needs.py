"""Says what to install when the operator's page lacks a package. Imports none of them."""

from importlib.util import find_spec

from ..faults import UsageFault

PACKAGES = ("starlette", "uvicorn", "httptools", "jinja2", "nh3", "markdown_it")


def check_extra(packages: tuple[str, ...] = PACKAGES) -> None:
    """Raise UsageFault unless every package of the extra `page` is there."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise UsageFault(
            f"the operator's page needs more packages ({', '.join(missing)}): pip install 'readingroom[page]'"
        )
