"""`readingroom serve` as it is, but for one thing: it dies of SIGKILL when it was chosen to, while it writes the index.

    python -m support.keeping_served CONTROL serve [options] FOLDER

See `keeping` for what is chosen, and how.
"""

import sys
from pathlib import Path
from typing import Any

from readingroom.apps.main import main
from readingroom.library import reconcile
from support.keeping import Doom, doomed


def unsaid(**what: Any) -> None:
    """Stdout is the protocol's."""


if __name__ == "__main__":
    vars(reconcile)["WriterLock"] = doomed(Doom(Path(sys.argv[1])), unsaid)
    sys.exit(main(sys.argv[2:]))
