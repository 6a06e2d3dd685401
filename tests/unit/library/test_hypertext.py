"""HTML: what people read of it, in blocks, with the lines it comes from."""

import pytest

from readingroom.library import hypertext
from readingroom.library.hypertext import Head
from readingroom.library.lines import Lines
from readingroom.library.model import Link


def shown(text: str) -> list[tuple[int, int, str]]:
    """First and last line of every block, and its rows; a heading's with its level before it."""
    found, _ = hypertext.structure(Lines(text), 1)
    return [
        (block.first, block.last, "#" * block.level + "\n".join(row.text for row in block.rows))
        for block in found.blocks
    ]


def texts(text: str) -> list[str]:
    """The blocks without their lines."""
    return [block for _, _, block in shown(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("<p>", []),
        ("plain", ["plain"]),
        ("<p>a<p>b", ["a", "b"]),
        ("<p>one <b>bold</b><i>italic</i>, two\n  three</p>", ["one bolditalic, two three"]),
        ("<p>a<br>b</p>", ["a\nb"]),
        ("<div>a<div>b</div>c</div>", ["a", "b", "c"]),
        ("<h1>A</h1>b<h2>C</h2>", ["#A", "b", "##C"]),
        ("<h1> A <em>b</em><br>\n c</h1>", ["#A b c"]),
        ("<h1><div>A</div></h1><p>b", ["#A", "b"]),
        ("<h1>A<p>b<h2>C<ul><li>d", ["#A", "b", "##C", "- d"]),
        ("<h1></h1><h2> </h2>a", ["a"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", ["- a\n- b\n- c", "d"]),
        ("<ol><li><p>a</p><p>b</p></li><li></li><li>c</ol>", ["- a\nb\n- c"]),
        ("<dl><dt>a<dd>b</dl>", ["a\nb"]),
        ("<table><tr><th>a<th>b<tr><td>c</td><td>d</td></tr></table>e", ["a | b\nc | d", "e"]),
        ("<table><caption>t</caption><tr><td></td><td>a</td></tr></table>", ["t\na"]),
        ("<pre>a\n  b\n\n c</pre>d", ["a\n  b\n c", "d"]),
        ("<pre>\r\na\r b</pre>", ["a\n b"]),
        ("<ul><li>a<h2>B</h2><li>c</ul>", ["- a", "##B", "- c"]),
        ("a<img src=x alt=' the  picture '>b <img src=y>", ["a the picture b"]),
        ("<img alt='only'>", ["only"]),
        ("a<script>b</script>c<style>d</style>e<template><p>f<img alt=g></template>h", ["aceh"]),
        ("a<template></p><h1>b</h1></template>c", ["ac"]),
        ("<h1>A</li>b</h1>", ["#Ab"]),
        ("<head><title>t</title></head>a", ["a"]),
        ("a &lt;b&gt; &amp;&nbsp;c", ["a <b> & c"]),
        ("<svg><title>t</title><text>a</text></svg>", ["a"]),
        ("</p></ul></pre></template></svg></h1>a", ["a"]),
        ("<a><h1>A</h1></a>", ["#A"]),
        ("<textarea>a</textarea><select><option>b<option>c</select>", ["a", "b\nc"]),
        ("<li>a", ["- a"]),
        ("<p>a</p><!-- b --> <p>c", ["a", "c"]),
    ],
)
def test_text_is_shown_as_it_is_read(text: str, expected: list[str]) -> None:
    """Blocks and rows are those that a browser shows; scripts, styles, templates and comments are never among them."""
    assert texts(text) == expected


def test_lines_are_those_of_the_source() -> None:
    """Blocks and rows stand on the lines of the first and the last word in them, a heading from its tag on."""
    text = "<html>\r\n<body>\r\n<p>a\r\nb\r\n</p>\r<h2\n>\nC\nd</h2>\n<ul>\n<li>e\n<li>f</ul>\n</body>"
    assert shown(text) == [(3, 4, "a b"), (6, 9, "##C d"), (11, 12, "- e\n- f")]
    found, _ = hypertext.structure(Lines(text), 1)
    assert [(row.first, row.last) for row in found.blocks[2].rows] == [(11, 11), (12, 12)]
    assert [block.characters for block in found.blocks] == [4, 4, 8]


def test_lines_above_are_not_read() -> None:
    """What stands above the first line, such as front matter, is not shown."""
    found, _ = hypertext.structure(Lines("---\nx: y\n---\n<p>a"), 4)
    assert [(block.first, block.rows[0].text) for block in found.blocks] == [(4, "a")]
    assert hypertext.structure(Lines("---\n---\n"), 3)[0].blocks == []


def test_a_very_long_row_is_cut_between_lines() -> None:
    """Text that goes on and on in one element is cut where the source has a line end, and nowhere else."""
    words = "word " * 20
    found, _ = hypertext.structure(Lines("<p>" + f"{words}\n" * 300), 1)
    rows = found.blocks[0].rows
    assert [row.first for row in rows] == [1, 81, 161, 241]
    assert " ".join(row.text for row in rows) == (words * 300).strip()
    one, _ = hypertext.structure(Lines("<h1>" + f"{words}\n" * 300), 1)
    assert len(one.blocks[0].rows) == 1
    assert len(one.blocks[0].title) < 310


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("<title> A &amp;\n b </title><title>c</title>", Head(title="A & b")),
        ("<svg><title>a</title></svg><title>b</title>", Head(title="b")),
        ("<title></title><title>b</title>", Head(title="b")),
        ("<title>open", Head(title="open")),
        ("<html lang=ru><html lang=de>", Head(language="ru")),
        ("<html xml:lang='zh-CN'>", Head(language="zh-CN")),
        ("<META NAME='Keywords' CONTENT='a, b'><meta name=keywords content=c>", Head(keywords=["a, b", "c"])),
        ("<p><meta name=' visibility ' content=internal>", Head(visibility=["internal"])),
        ("<template><meta name=visibility content=internal></template>", Head(visibility=["internal"])),
        ("<meta name=visibility><meta name=visibility content=public>", Head(visibility=["", "public"])),
        ("<meta name=description content=a><meta property=keywords content=b><meta charset=utf-8>", Head()),
        ("<!-- <meta name=visibility content=internal> -->", Head()),
    ],
)
def test_the_head_is_told(text: str, head: Head) -> None:
    """Title, language, keywords and visibility are told as they are written, wherever they stand."""
    assert hypertext.structure(Lines(text), 1)[1] == head


def test_links_are_told_with_text_and_line() -> None:
    """Links have their target with references resolved, their text on one line, and the line of their tag."""
    text = (
        "<p><a href='a.md?x=1&amp;y'>one\n <b>two</b></a> <a name=b>no</a> <a href=''>no</a>\n"
        "<a href=c.md>three<a href=d.md><img alt=pic></a>\n<h2><a href=#e>E</a></h2><a href=f>"
    )
    found, _ = hypertext.structure(Lines(text), 1)
    assert found.links == [
        Link("html", "a.md?x=1&y", "one two", 1),
        Link("html", "c.md", "three", 3),
        Link("html", "d.md", "", 3),
        Link("html", "#e", "E", 4),
        Link("html", "f", "", 4),
    ]
