"""The index on disk: whole commits, one writer, damage, and what a killed writer leaves."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
import tantivy

from readingroom.library.errors import IndexBusy, IndexUnusable
from readingroom.library.model import Passage
from readingroom.library.search import Entry, Index, analysis, records
from readingroom.library.search.records import document_key, folded_tag
from readingroom.library.search.snapshot import sound
from support.indexes import REVISION, ask, entry, index_of, paths, put


def test_a_new_index_is_empty(tmp_path: Path) -> None:
    """Nothing is found, and it can be opened again under the same number."""
    index = Index.create(tmp_path / "index")
    assert ask(index, "anything").hits == ()
    assert Index.open(tmp_path / "index").generation == index.generation


def test_only_what_is_committed_is_found(tmp_path: Path) -> None:
    """Before the commit nothing, after it nothing but with a reload; each commit has a number of its own."""
    index = Index.create(tmp_path)
    first = index.generation
    with index.writer(bulk=False) as writer:
        writer.replace(entry("a.md", "apple"))
        assert ask(index, "apple").hits == ()
        number = writer.commit()
        assert ask(index, "apple").hits == ()
    assert index.reload()
    assert not index.reload()
    assert paths(index, "apple") == ["a.md"]
    assert index.generation == number > first


def test_what_is_not_committed_is_dropped(tmp_path: Path) -> None:
    """A block that ends without a commit leaves nothing behind, and the next one nothing of it."""
    index = index_of(tmp_path, entry("a.md", "apple"))
    with index.writer(bulk=True) as writer:
        writer.replace(entry("b.md", "apple"))
    put(index, [entry("c.md", "apple")])
    assert paths(index, "apple") == ["a.md", "c.md"]


def test_an_error_within_the_block_drops_what_was_written(tmp_path: Path) -> None:
    """The error comes out as it was, the lock is free again."""
    index = index_of(tmp_path, entry("a.md", "apple"))

    def fail() -> None:
        with index.writer(bulk=False) as writer:
            writer.remove("a.md")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    put(index, [entry("b.md", "apple")])
    assert paths(index, "apple") == ["a.md", "b.md"]


def test_replacing_and_removing(tmp_path: Path) -> None:
    """A document goes with all its passages, also twice before a commit; removing what is not there is nothing."""
    index = index_of(tmp_path, entry("a.md", "apple", "apple"), entry("b.md", "apple"))
    with index.writer(bulk=False) as writer:
        writer.replace(entry("a.md", "pear"))
        writer.replace(entry("a.md", "plum"))
        writer.remove("b.md")
        writer.remove("c.md")
        writer.commit()
    index.reload()
    assert (paths(index, "apple"), paths(index, "pear"), paths(index, "plum")) == ([], [], ["a.md"])


def test_the_same_path_twice_in_a_fresh_index(tmp_path: Path) -> None:
    """The last one stays, though a fresh index deletes nothing for documents it has not seen."""
    index = index_of(tmp_path, entry("a.md", "apple"), entry("a.md", "pear"))
    assert (paths(index, "apple"), paths(index, "pear")) == ([], ["a.md"])


def test_a_document_without_passages_is_not_found(tmp_path: Path) -> None:
    """It is no error and leaves no trace."""
    index = index_of(tmp_path, Entry("a.md", "Apple", "", ("t",), REVISION, ()))
    assert ask(index, "apple").hits == ask(index, "tag:t").hits == ()


def test_what_is_kept_of_a_passage(tmp_path: Path) -> None:
    """Everything that a hit shows comes from the index, as it was put in."""
    passage = Passage(("Fruit", "Apples"), 5, 7, "## Apples\n\nAn apple a day.")
    index = index_of(tmp_path, Entry("sub/a.md", "Fruit", "", ("Food",), REVISION, (passage,)))
    (hit,) = ask(index, "apples").hits
    assert (hit.path, hit.title, hit.section) == ("sub/a.md", "Fruit", ("Fruit", "Apples"))
    assert (hit.first, hit.last, hit.text, hit.revision, hit.language) == (5, 7, passage.text, REVISION, "en")


def test_titles_and_trails_are_searched(tmp_path: Path) -> None:
    """A title that stands in no text finds its passages, and so does a heading above."""
    passage = Passage(("Trees", "Fruit"), 1, 1, "Something else.")
    index = index_of(tmp_path, Entry("a.md", "Orchards", "en", (), REVISION, (passage,)))
    assert paths(index, "orchard") == paths(index, "tree") == paths(index, "fruit") == ["a.md"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """A second one is refused at once, also through another opening of the same index, and let in afterwards."""
    index = index_of(tmp_path)
    with (
        index.writer(bulk=False),
        pytest.raises(IndexBusy),
        Index.open(tmp_path / "index").writer(bulk=False),
    ):
        pass
    with index.writer(bulk=False):
        pass


def test_another_opening_sees_commits(tmp_path: Path) -> None:
    """After a reload, and deletes what it did not put in itself."""
    index = index_of(tmp_path)
    other = Index.open(tmp_path / "index")
    put(index, [entry("a.md", "apple")])
    with other.writer(bulk=True) as writer:
        writer.replace(entry("a.md", "pear"))
        writer.commit()
    assert index.reload()
    assert paths(index, "apple") == []
    assert other.reload()
    assert paths(other, "pear") == ["a.md"]


def test_a_search_goes_on_over_its_own_commit(tmp_path: Path) -> None:
    """What an answer has begun with stays whole while documents are removed and merged away."""
    index = index_of(tmp_path, *(entry(f"{number}.md", "apple") for number in range(20)))
    before = index.snapshot
    with index.writer(bulk=False) as writer:
        for number in range(20):
            writer.remove(f"{number}.md")
        writer.commit()
    index.reload()
    assert len(before.hits(tantivy.Query.term_query(before.schema, "bx", "apple"), 50)) == 20
    assert ask(index, "apple").hits == ()


def test_reading_while_writing(tmp_path: Path) -> None:
    """A reader finds one whole commit or another, never a part of one."""
    index = index_of(tmp_path, *(entry(f"{number}.md", "apple") for number in range(5)))
    reader = Index.open(tmp_path / "index")
    done = threading.Event()
    counts: set[int] = set()

    def read() -> None:
        while not done.is_set():
            reader.reload()
            counts.add(len(ask(reader, "apple", limit=50).hits))

    thread = threading.Thread(target=read)
    thread.start()
    for round_ in range(4):
        put(index, [entry(f"{round_}-{number}.md", "apple") for number in range(5)])
    done.set()
    thread.join()
    reader.reload()
    assert counts <= {5, 10, 15, 20, 25}
    assert len(ask(reader, "apple", limit=50).hits) == 25


@pytest.mark.parametrize(
    "what", ["nothing there", "no folder", "meta", "version", "records", "engine", "emptied"]
)
def test_what_is_no_index_of_this_version(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is wrong is one error, by which the index is built anew."""
    place = tmp_path / "index"
    if what == "no folder":
        place.write_text("a file")
    elif what != "nothing there":
        index_of(tmp_path, entry("a.md", "apple"))
    if what == "meta":
        (place / "meta.json").write_text("{")
    elif what == "version":
        monkeypatch.setattr(analysis, "VERSION", -1)
    elif what == "records":
        monkeypatch.setattr(records, "VERSION", -1)
    elif what == "engine":
        monkeypatch.setattr(tantivy, "__version__", "another")
    elif what == "emptied":
        meta = json.loads((place / "meta.json").read_text())
        (place / "meta.json").write_text(json.dumps({**meta, "segments": []}))
    with pytest.raises(IndexUnusable):
        Index.open(place)


@pytest.mark.parametrize("suffix", [".idx", ".store", ".term", ".fast", ".pos"])
@pytest.mark.parametrize("damage", ["cut", "gone", "noise"])
def test_damage_is_one_error(tmp_path: Path, suffix: str, damage: str) -> None:
    """A file that is cut, gone or overwritten is either not noticed or one error; never a crash or another one."""
    index_of(tmp_path, *(entry(f"{number}.md", f"apple pear{number} " * 50) for number in range(30)))
    for file in (tmp_path / "index").glob(f"*{suffix}"):
        data = file.read_bytes()
        if damage == "gone":
            file.unlink()
        else:
            file.write_bytes(
                data[: len(data) // 2] if damage == "cut" else data[:20] + b"\xff" * (len(data) - 20)
            )
    with suppress(IndexUnusable):
        index = Index.open(tmp_path / "index")
        for query in ("apple", '"apple pear1"', "pear*", "-apple path:1.md", "appel", "tag:x"):
            ask(index, query)


def test_writing_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A folder that vanished is an unusable index, not a busy one."""
    index = index_of(tmp_path)
    for file in (tmp_path / "index").iterdir():
        file.unlink()
    (tmp_path / "index").rmdir()
    with pytest.raises(IndexUnusable), index.writer(bulk=False):
        pass
    with pytest.raises(IndexUnusable):
        index.reload()
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexUnusable):
        Index.create(tmp_path / "file")


def test_panics_are_damage_and_other_errors_are_not() -> None:
    """What the engine gives up on is an unusable index; an interruption stays what it is."""

    class PanicException(BaseException):
        """As the engine's own is called."""

    with pytest.raises(IndexUnusable), sound():
        raise PanicException
    with pytest.raises(KeyboardInterrupt), sound():
        raise KeyboardInterrupt


_KILLED = """
import sys
from contextlib import suppress
from pathlib import Path
from readingroom.library.search import Entry, Index
from readingroom.library.model import Passage

index = Index.open(Path(sys.argv[1]))
number = 0
while True:
    with index.writer(bulk=False) as writer:
        for _ in range(3):
            number += 1
            text = f"apple pear{number}"
            passages = (Passage((), 1, 1, text), Passage((), 2, 2, text))
            writer.replace(Entry(f"{number}.md", "t", "en", (), "sha256:0", passages))
        writer.commit()
        print(number, flush=True)
"""


def test_a_killed_writer_leaves_a_whole_index(tmp_path: Path) -> None:
    """What was committed is there, nothing is half there, the lock is free, and its litter goes with the next writer."""
    index_of(tmp_path)
    place = tmp_path / "index"
    acknowledged = 0
    for kill_after in (1, 3):
        process = subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(place)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(kill_after):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.wait()
        process.stdout.close()
    (place / ".tmpleft").write_bytes(b"x")
    index = Index.open(place)
    put(index, [entry("last.md", "apple")])
    found = {hit.path for hit in ask(index, "apple", limit=500).hits}
    assert {f"{number}.md" for number in range(1, acknowledged + 1)} <= found
    assert len(ask(index, "apple", limit=500).hits) == 2 * (len(found) - 1) + 1
    assert not list(place.glob(".tmp*"))
    named = {
        segment["segment_id"].replace("-", "")
        for segment in json.loads((place / "meta.json").read_text())["segments"]
    }
    on_disk = {file.name.split(".")[0] for file in place.iterdir() if not file.name.startswith(".")} - {
        "meta"
    }
    assert on_disk == named


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    """It holds the texts."""
    Index.create(tmp_path / "index")
    if os.name == "posix":
        assert (tmp_path / "index").stat().st_mode & 0o77 == 0


def test_keys_and_tags() -> None:
    """Paths have different keys; tags are compared without case, blanks around them and spelling of accents."""
    assert document_key("a.md") != document_key("A.md")
    assert folded_tag(" Cafe\u0301 ") == folded_tag("CAFÉ")


def test_shown_text_is_what_is_indexed(tmp_path: Path) -> None:
    """Where a passage has a text to be shown, that is searched and kept."""
    passage = Passage((), 1, 1, "<p>apple</p>", shown="apple")
    index = index_of(tmp_path, Entry("a.html", "t", "en", (), REVISION, (passage,)))
    assert ask(index, "apple").hits[0].text == "apple"
