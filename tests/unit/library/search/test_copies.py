"""Near-duplicates on one page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from readingroom.library.search.copies import folded
from readingroom.library.search.records import Stored
from support.indexes import ask, entry, index_of

LATIN = [f"word{n}" for n in range(60)]
CHINESE = "图书馆的规则很简单每位读者可以借三本书期限是四个星期过期要付费" * 8


def passage(text: str, path: str = "a.md") -> Stored:
    """A passage with this text."""
    return Stored(path, "", "en", (), 1, 1, text, "")


def sizes(*texts: str, groups: int = 10) -> list[int]:
    """How many passages each group has."""
    return [len(group) for group in folded(map(passage, texts), groups)]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (" ".join(LATIN), " ".join(LATIN), True),
        (" ".join(LATIN), " ".join([*LATIN[:58], "other", "words"]), True),
        (" ".join(LATIN), " ".join([*LATIN[:50], *(f"other{n}" for n in range(10))]), False),
        (" ".join(LATIN), " ".join([*LATIN, *LATIN[:30]]), False),
        (CHINESE, CHINESE + "。", True),
        (CHINESE, CHINESE[:100] + "缓存的有效期是七天索引在后台更新文件改变时通知应用程序" * 6, False),
        ("An apple a day.", "An apple a day.", False),
    ],
)
def test_what_counts_as_the_same(one: str, other: str, *, alike: bool) -> None:
    """Nine of ten words in common at nearly the same length, in any script; what is short never is."""
    assert sizes(one, other) == ([2] if alike else [1, 1])


def test_order_and_end() -> None:
    """The first of a group has its rank; when there are enough groups no more passages are asked for."""
    texts = [" ".join(f"{name}{n}" for n in range(60)) for name in "xyz"]
    asked = []

    def ranked() -> Iterator[Stored]:
        for number, name in enumerate("xyxyzx"):
            asked.append(number)
            yield passage(texts["xyz".index(name)], f"{number}.md")

    found = folded(ranked(), 2)
    assert [[one.path for one in group] for group in found] == [["0.md", "2.md"], ["1.md", "3.md"]]
    assert asked == [0, 1, 2, 3, 4]


def test_pages_of_groups_neither_repeat_nor_skip(tmp_path: Path) -> None:
    """Page by page it is the order of one long page, whatever is folded on the way."""
    texts = [" ".join(f"{name}{n}" for n in range(60)) + " apple" for name in ("p", "q", "r", "s", "t")]
    index = index_of(tmp_path, *(entry(f"{n:02}.md", texts[n % 5]) for n in range(30)))
    whole = [hit.path for hit in ask(index, "apple", limit=50).hits]
    assert len(whole) == 5
    for limit in (1, 2, 3):
        paged: list[str] = []
        more = True
        while more:
            answer = ask(index, "apple", start=len(paged), limit=limit)
            paged += [hit.path for hit in answer.hits]
            more = answer.more
        assert paged == whole
