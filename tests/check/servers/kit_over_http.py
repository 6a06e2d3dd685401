"""An example of the kit over HTTP: `python kit_over_http.py EXAMPLE PORT`."""

import importlib.util
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

if __name__ == "__main__":
    spec = importlib.util.spec_from_file_location("example", EXAMPLES / f"{sys.argv[1]}.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    sys.modules["example"] = example
    spec.loader.exec_module(example)
    example.app.serve_http(port=int(sys.argv[2]))
