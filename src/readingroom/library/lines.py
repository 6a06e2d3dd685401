"""The lines of a text: what ends one, where each begins, and the text from one to another.

A line ends at LF, CR LF or a lone CR, and at nothing else: not at a form feed, NEL or U+2028, where str.splitlines also
cuts. A text that ends with a line end has no empty line behind it. Lines are counted from 1.
"""

from array import array
from itertools import accumulate, chain, islice


def cut_lines(text: str) -> list[str]:
    """The text cut at every line end: one piece more than there are ends, none with its end."""
    if "\r" not in text:
        return text.split("\n")
    import re

    return re.split("\r\n|\n|\r", text)


class Lines:
    """The lines of one text. `contents` are the lines without their ends; `starts` where each begins, in characters."""

    __slots__ = ("contents", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" not in text:
            contents = cut_lines(text)
            lengths = [len(content) + 1 for content in contents]
        else:
            import re

            pieces = re.split("(\r\n|\n|\r)", text)
            contents = pieces[::2]
            lengths = [
                len(content) + len(end) for content, end in zip(contents, [*pieces[1::2], ""], strict=True)
            ]
        if not contents[-1]:
            del contents[-1], lengths[-1]
        self.contents: list[str] = contents
        # an array, for a file of nothing but line ends has millions
        self.starts = array("q", islice(chain((0,), accumulate(lengths)), len(contents)))

    def __len__(self) -> int:
        return len(self.contents)

    def between(self, first: int, last: int) -> str:
        """The text from the start of line `first` to the end of line `last`, whose line end is left off."""
        return self.text[self.starts[first - 1] : self.starts[last - 1] + len(self.contents[last - 1])]

    def size(self, first: int, last: int) -> int:
        """How many characters `between` has."""
        return self.starts[last - 1] + len(self.contents[last - 1]) - self.starts[first - 1]

    def is_blank(self, line: int) -> bool:
        """Whether nothing but white space stands on the line."""
        content = self.contents[line - 1]
        return not content or content.isspace()

    def normal(self, first: int) -> str:
        """The text from line `first` on with every line end as LF: what parsers that know only some ends are given."""
        return "\n".join(self.contents[first - 1 :])
