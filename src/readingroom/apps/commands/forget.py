"""`readingroom forget`: removes what is kept of a folder outside of it. The folder itself is never touched."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from .. import exit_codes, options
from ..characters import one_line
from ..console import Console
from ..faults import NothingFound
from ..settings import settings_from

USAGE = "[options] FOLDER"
DESCRIPTION = """\
Remove every index that is kept of a folder, whatever role or rules it was made under. They hold the documents' texts.

The folder itself is not touched, and may be gone already. An index is made again when it is next needed."""
EXAMPLES = (("readingroom forget ~/articles", "nothing of the texts stays outside the folder"),)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("folder", metavar="FOLDER", help="the folder whose indexes are to be removed")
    options.add(parser, (options.CACHE, options.CONFIG))


def run(values: Namespace, console: Console) -> int:
    """Remove the indexes. Raises: NothingFound when there is none, IndexBusy while one is being written."""
    from ...library import forget

    settings = settings_from(vars(values), console.environment)
    cache = None if settings.cache is None else Path(settings.cache)
    removed = forget(values.folder, cache)
    if not removed:
        raise NothingFound(f"no index is kept of {values.folder}")
    console.out.line(
        f"Removed {removed} {'index' if removed == 1 else 'indexes'} of {one_line(values.folder)}."
    )
    return exit_codes.OK
