"""HTML tokens: where tags end, what is raw, and what the end of a document cuts off."""

import pytest

from readingroom.library.html_tokens import attributes, said, tokens


def cut(text: str, begin: int = 0) -> list[str]:
    """The tokens as text: a text as it stands, a tag by its name between brackets."""
    marks = {"start": "<{}>", "end": "</{}>"}
    return [
        text[t.at : t.end] if t.kind == "text" else marks[t.kind].format(t.name) for t in tokens(text, begin)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", ["a"]),
        ("<p>a</p>", ["<p>", "a", "</p>"]),
        ("<P CLASS=x>a</P >", ["<p>", "a", "</p>"]),
        ("a < b <3 <- c", ["a < b <3 <- c"]),
        ("<br/><img src=a/>b", ["<br>", "<img>", "b"]),
        ('<a title="x > y">b', ["<a>", "b"]),
        ("<a title='x > y' b>c", ["<a>", "c"]),
        ('<a title=x"y>c', ["<a>", "c"]),
        ('<a "b>c">d', ["<a>", 'c">d']),
        ('<a b = "c>" d>e', ["<a>", "e"]),
        ("<a b=>c", ["<a>", "c"]),
        ("<a =b>c", ["<a>", "c"]),
        ("a<!-- <p> -->b", ["a", "b"]),
        ("a<!--->b<!-->c", ["a", "b", "c"]),
        ("a<!-- x --!>b", ["a", "b"]),
        ("a<!-- b", ["a"]),
        ("<!DOCTYPE html>a<?php x ?>b", ["a", "b"]),
        ("a<!x", ["a"]),
        ("a</>b</ c>d", ["a", "b", "d"]),
        ("a<b c", ["a"]),
        ('a<b c="d>', ["a", "<b>"]),
        ("<script>a < b; '<p>'</script>c", ["<script>", "</script>", "c"]),
        ("<style>p>a</STYLE\n>c", ["<style>", "</style>", "c"]),
        ("<script>a</scripted></script>b", ["<script>", "</script>", "b"]),
        ("<script>a", ["<script>"]),
        ("<title>a <b> &amp; c</title>d", ["<title>", "a <b> &amp; c", "</title>", "d"]),
        ("<textarea><p></textarea>", ["<textarea>", "<p>", "</textarea>"]),
        ("<script/>a</script>b", ["<script>", "</script>", "b"]),
        ("<html xmlns='x'><script src='y'/>a", ["<html>", "<script>", "a"]),
        ("<é>a", ["<é>a"]),
    ],
)
def test_tokens_are_those_of_a_browser(text: str, expected: list[str]) -> None:
    """Tags, texts, comments and raw elements are told apart as browsers do."""
    assert cut(text) == expected


def test_reading_begins_where_it_is_told() -> None:
    """What stands before the beginning is not read, and offsets are those of the whole text."""
    assert cut("<p>a<p>b", 4) == ["<p>", "b"]
    assert [token.at for token in tokens("<p>a<p>b", 4)] == [4, 7]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<a href=x>", {"href": "x"}),
        ("<a HREF='x y' title=\"z\" hidden>", {"href": "x y", "title": "z", "hidden": ""}),
        ("<a href = x href=y>", {"href": "x"}),
        ("<a href=x&amp;y/z>", {"href": "x&y/z"}),
        ("<a/href=x/>", {"href": "x/"}),
        ("<a>", {}),
        ("<a b=''c=d>", {"b": "", "c": "d"}),
    ],
)
def test_attributes_are_read_with_their_references(tag: str, expected: dict[str, str]) -> None:
    """Names in lower case, values without quotes and with references resolved; the first of a name counts."""
    (token,) = tokens(tag, 0)
    assert attributes(token) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("&eacute;&#233;&#xe9;", "ééé"),
        ("&nope; & &#", "&nope; & &#"),
        ("&#" + "9" * 50_000 + ";x", "\ufffdx"),
        ("&#1114112;", "\ufffd"),
    ],
)
def test_references_are_resolved(text: str, expected: str) -> None:
    """Named and numbered references become what they stand for; a number no character has is no error."""
    assert said(text) == expected
