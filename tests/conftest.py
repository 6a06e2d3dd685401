"""What holds for all tests: whoever runs them may have a configuration of their own, and it is not read."""

import os
import tempfile

os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="readingroom-no-configuration-")
os.environ.pop("READINGROOM_CONFIG", None)
