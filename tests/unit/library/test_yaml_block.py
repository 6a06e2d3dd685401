"""The YAML of front matter: texts, lists and mappings, and everything else refused."""

import pytest

from readingroom.library.yaml_block import Broken, load


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ("", None),
        ("\n# only a comment\n", None),
        ("~", "~"),
        ('""', ""),
        ("word", "word"),
        ("- a\n- b", ["a", "b"]),
        (
            "title: NO\nlang: no\non: 1.10\ntime: 12:30",
            {"title": "NO", "lang": "no", "on": "1.10", "time": "12:30"},
        ),
        ("date: 2026-11-30\nn: 010", {"date": "2026-11-30", "n": "010"}),
        ("a:\nb: ''\n", {"a": "", "b": ""}),
        ("tags: [x, 'y z', [n]]", {"tags": ["x", "y z", ["n"]]}),
        ("a: {b: {c: d}}", {"a": {"b": {"c": "d"}}}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("заголовок: 题名 🐘", {"заголовок": "题名 🐘"}),
        ("a: !!python/object:os.system x", {"a": "x"}),
        ("a: {b: c}\nd: {b: c}", {"a": {"b": "c"}, "d": {"b": "c"}}),
    ],
)
def test_everything_is_text(block: str, value: object) -> None:
    """Scalars stay the text they are written as, whatever their look or tag."""
    assert load(block) == value


@pytest.mark.parametrize(
    ("block", "reason", "line"),
    [
        ("title: a: b", "is not valid YAML", 0),
        ("a: b\n\tc: d", "is not valid YAML", 1),
        ("a: 'open", "is not valid YAML", 0),
        ("a: \x07", "is not valid YAML", None),
        ("a: &x b", "anchors or aliases", 0),
        ("a: b\nc: *x", "anchors or aliases", 1),
        ("a: &x [b]", "anchors or aliases", 0),
        ("a: b\n<<: {c: d}\na: e", "a key twice", 2),
        ("x: {a: b, a: c}", "a key twice", 0),
        ("? [a]\n: b", "a key that is not plain text", 0),
        ("a: b\n--- \nc: d", "more than one document", 1),
        ("a: " + "[" * 16 + "]" * 16, "nested too deeply", 0),
        ("a: b\n" * 14_000, "longer than 65,536", None),
        ("[" * 60_000, "is not valid YAML|nested too deeply", None),
    ],
)
def test_what_is_not_taken_is_refused(block: str, reason: str, line: int | None) -> None:
    """Broken YAML, references, doubled or odd keys, depth and length are Broken, with their place and no content."""
    with pytest.raises(Broken, match=reason) as caught:
        load(block)
    assert line is None or caught.value.line == line


def test_depth_within_reason_is_taken() -> None:
    """What people nest is no matter."""
    assert load("a: " + "[" * 15 + "]" * 15)
