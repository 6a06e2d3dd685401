"""What holds for all tests: whoever runs them may have a configuration of their own, and it is not read."""

import atexit
import os
import shutil
import tempfile

_EMPTY = tempfile.mkdtemp(prefix="readingroom-no-configuration-")
atexit.register(shutil.rmtree, _EMPTY, ignore_errors=True)
os.environ["XDG_CONFIG_HOME"] = _EMPTY
os.environ.pop("READINGROOM_CONFIG", None)
