"""Commands that a person is to type."""

from readingroom.apps.by_hand import command_lines


def plain(_style: str, text: str) -> str:
    """No colours."""
    return text


def test_a_plain_command_is_never_folded() -> None:
    """It can be copied as it stands, at every width."""
    commands = [
        "git -C /home/anna/articles add --all -- ./travel/moscow.md",
        "git -C /home/anna/articles commit",
    ]
    for columns in (None, 20, 40, 240):
        assert list(command_lines(commands, plain, columns)) == [f"  {command}" for command in commands]


def test_a_path_that_could_pass_for_our_words_is_folded() -> None:
    """So is one with what cannot be seen, which is made visible."""
    lines = list(command_lines(["git add -- './a              Published: b\u202e.md'"], plain, 30))
    assert len(lines) > 1
    assert all(line.startswith("  ") and len(line) <= 30 for line in lines)
    assert "⟨U+202E⟩" in "".join(lines)
