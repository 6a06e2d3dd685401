"""Many processes with the same keys: each key is carried out once, and everybody else gets the stored answer."""

import json
import subprocess
import sys
from pathlib import Path

from readingroom.library import Library, Principal
from support.processes import PATIENCE

WRITERS, KEYS = 8, 12

_WRITE = """
import json, random, sys
from pathlib import Path
from readingroom.library import Library, Principal
root, ledger, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
drafts = Library.open(root, roles=("editor",), ledger=ledger).drafts(Principal("desk", "editor"))
keys = [f"operation-{number}" for number in range(int(sys.argv[4]))]
random.Random(seed).shuffle(keys)
print("ready", flush=True)
sys.stdin.readline()
answers = {}
for key in keys:
    answer = drafts.create(key, "create", path=f"{key}.md", content=key)
    answers[key] = [answer.draft.id, answer.replayed]
print(json.dumps(answers))
"""


def test_eight_writers_with_the_same_keys_make_each_draft_once(tmp_path: Path) -> None:
    """They begin together, each in its own order."""
    root, ledger = tmp_path / "docs", tmp_path / "ledger"
    root.mkdir()
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITE, str(root), str(ledger), str(seed), str(KEYS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(WRITERS)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    answers = [json.loads(writer.communicate(timeout=PATIENCE)[0]) for writer in writers]
    with Library.open(root, roles=("editor",), ledger=ledger) as library:
        kept = {
            item.path: item.id for item in library.drafts(Principal("desk", "editor")).list(limit=100).items
        }
    assert len(kept) == KEYS
    for number in range(KEYS):
        key = f"operation-{number}"
        assert {answer[key][0] for answer in answers} == {kept[f"{key}.md"]}
        assert sum(not answer[key][1] for answer in answers) == 1
