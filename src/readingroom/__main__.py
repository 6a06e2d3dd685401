"""`python -m readingroom`: the same as the command `readingroom`."""

import sys

from .apps.main import main

if __name__ == "__main__":
    sys.exit(main())
