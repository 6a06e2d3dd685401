"""What a request says of media types: the one its body has, and those its answer may have. Pure.

A missing `Accept`, and `*/*`, count as everything (HTTP-11); a missing or other `Content-Type` is refused (HTTP-12).
"""

from collections.abc import Mapping

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

_USUAL = frozenset((b"application/json, text/event-stream", b"application/json,text/event-stream", b"*/*"))


def is_json(fields: Mapping[bytes, bytes]) -> bool:
    """Say whether the body is declared to be JSON in UTF-8, as it is."""
    value = fields.get(b"content-type")
    if value == b"application/json":
        return fields.get(b"content-encoding", b"identity") == b"identity"
    if value is None or fields.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        return False
    media, *parameters = (part.strip() for part in value.decode("latin-1").lower().split(";"))
    named = dict(parameter.partition("=")[::2] for parameter in parameters if parameter)
    return media == JSON and named.get("charset", "utf-8").strip('"') in ("utf-8", "utf8")


def accepted(fields: Mapping[bytes, bytes]) -> tuple[bool, bool]:
    """Say whether the answer may be JSON, and whether it may be a stream of events."""
    value = fields.get(b"accept")
    if value is None or value in _USUAL:
        return True, True
    ranges = _ranges(value.decode("latin-1").lower())
    return _takes(ranges, JSON), _takes(ranges, EVENT_STREAM)


def _ranges(value: str) -> dict[str, bool]:
    """Read the media ranges, and whether each is wanted at all: a quality of 0 means that it is not."""
    found: dict[str, bool] = {}
    for part in value.split(","):
        media, *parameters = (piece.strip() for piece in part.split(";"))
        if not media:
            continue
        quality = next((p[2:] for p in parameters if p.startswith("q=")), "1")
        found[media] = quality.strip("0.") != ""
    return found


def _takes(ranges: Mapping[str, bool], media: str) -> bool:
    """Let the most exact range decide (RFC 9110 §12.5.1)."""
    for named in (media, f"{media.partition('/')[0]}/*", "*/*"):
        if named in ranges:
            return ranges[named]
    return not ranges
