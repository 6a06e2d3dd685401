"""Whatever a configuration holds, it is decoded or refused with faults; nothing else comes out of it."""

from hypothesis import given
from hypothesis import strategies as st

from readingroom.apps.config_keys import BY_NAME
from readingroom.apps.config_text import decoded
from readingroom.apps.prompt_text import Unfit, prompt_from
from readingroom.library import BadQuery, narrowing

MARKS = 'folders = [ ] [[ { } " """ \' , . # 1 -1.5 true nan "editor" "~/x" "/x" ["a/","!b"] 1979-05-27 \\ é \0 =1'
PARTS = st.sampled_from([*BY_NAME, *MARKS.split(), "\n", "\r\n", '[folders."/x"]\n'])
TEXTS = st.lists(PARTS, max_size=12).map("".join)


@given(st.one_of(st.binary(max_size=80), TEXTS.map(str.encode)))
def test_configurations(data: bytes) -> None:
    """Each fault is one line of text, and its line, where it is told, is one of the file's."""
    found = decoded(data)
    lines = data.count(b"\n") + 1
    for fault in found.faults:
        assert "\n" not in str(fault)
        assert fault.line is None or 1 <= fault.line <= lines
    assert set(found.general) <= set(BY_NAME)


@given(st.one_of(st.binary(max_size=80), TEXTS.map(str.encode)))
def test_what_a_folder_says(data: bytes) -> None:
    """It says two lists of patterns, or is refused."""
    try:
        found = narrowing.decoded(data)
    except BadQuery:
        return
    assert all(isinstance(pattern, str) for pattern in (*found.internal, *found.leave_out))


@given(
    st.lists(
        st.sampled_from(
            ["---\n", "title: x\n", "arguments:\n", "- name: a\n", "  - {name: b}\n", "{{a}}", "\n", "[", ":"]
        )
    )
    .map("".join)
    .map(str.encode)
    | st.binary(max_size=60),
    st.text(),
)
def test_prompts(data: bytes, value: str) -> None:
    """A text is a prompt or is refused; an argument that is put in comes out as it went in."""
    try:
        prompt = prompt_from("a", data)
    except Unfit:
        return
    names = [argument.name for argument in prompt.arguments]
    filled = prompt.filled(dict.fromkeys(names, value))
    assert filled.count(value) >= prompt.text.count("{{a}}") or not value
