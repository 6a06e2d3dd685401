"""Servers that keep the protocol until the tool `break` is called, and then break one rule: `breaking.py NAME`.

Standard library only. `discover` and the tool `echo` are always answered by the rules, unless the server has ended.
"""

import json
import os
import sys
import time

TEXT = {"resultType": "complete", "content": [{"type": "text", "text": "broken"}]}


def line(**members):
    """Encode a message."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"


def result(request_id, **members):
    """Encode an answer that is good but for `members`."""
    return line(id=request_id, result={**TEXT, **members})


def error(request_id, value):
    """Encode an error answer."""
    return line(id=request_id, error=value)


def progress(token, *steps):
    """Encode progress."""
    return b"".join(
        line(method="notifications/progress", params={"progressToken": token, "progress": step})
        for step in steps
    )


def deep(request_id):
    """Encode an answer that nests too deep."""
    return b'{"jsonrpc":"2.0","id":%d,"result":{"a":%b%b}}\n' % (request_id, b"[" * 100_000, b"]" * 100_000)


def long(request_id, length=3_000_000):
    """Encode an answer that is longer than the test's limit."""
    return result(request_id, content=[{"type": "text", "text": "x" * length}])


def long_id_last(request_id):
    """Encode a long answer whose id stands at its end."""
    return b'{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"%b"}]},"id":%d}\n' % (
        b"x" * 3_000_000,
        request_id,
    )


def pretty(request_id):
    """Encode a good answer over many lines."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": TEXT}, indent=2).encode() + b"\n"


FAULTS = {
    "not_utf8": lambda i: result(i).replace(b"broken", b"br\xffken"),
    "lone_surrogate": lambda i: result(i).replace(b"broken", b"\\ud800"),
    "not_json": lambda i: result(i)[:-4] + b"\n",
    "nan": lambda i: result(i).replace(b'"broken"', b"NaN"),
    "pretty": pretty,
    "batch": lambda i: b"[" + result(i)[:-1] + b"]\n",
    "no_jsonrpc": lambda i: json.dumps({"id": i, "result": TEXT}).encode() + b"\n",
    "jsonrpc_1": lambda i: result(i).replace(b'"2.0"', b'"1.0"'),
    "both": lambda i: line(id=i, result=TEXT, error={"code": 1, "message": "m"}),
    "neither": lambda i: line(id=i),
    "result_null": lambda i: line(id=i, result=None),
    "result_array": lambda i: line(id=i, result=[TEXT]),
    "unknown_id": lambda i: result(i + 1000),
    "id_as_text": lambda i: result(str(i)),
    "id_as_fraction": lambda i: result(float(i)),
    "id_true": lambda i: result(True),
    "id_null": lambda i: result(None),
    "no_id": lambda i: line(result=TEXT),
    "error_text": lambda i: error(i, "no"),
    "error_without_code": lambda i: error(i, {"message": "m"}),
    "error_code_text": lambda i: error(i, {"code": "1", "message": "m"}),
    "error_without_message": lambda i: error(i, {"code": 1}),
    "unknown_result_type": lambda i: result(i, resultType="deferred"),
    "task": lambda i: result(i, resultType="task"),
    "undeclared_input": lambda i: line(
        id=i, result={"resultType": "input_required", "inputRequests": {"k": {"method": "roots/list"}}}
    ),
    "empty_input_required": lambda i: line(id=i, result={"resultType": "input_required"}),
    "no_content": lambda i: line(id=i, result={"resultType": "complete"}),
    "unknown_block": lambda i: result(i, content=[{"type": "video"}]),
    "server_request": lambda i: line(id=1, method="roots/list") + result(i),
    "notification_with_id": lambda i: line(id="n", method="notifications/message", params={}) + result(i),
    "junk_before": lambda i: b"Loading model...\n" + result(i),
    "junk_json": lambda i: b'{"level":"info","msg":"called"}\n' + result(i),
    "junk_bytes": lambda i: b"\x00\xff\xfe\n" + result(i),
    "no_newline_before": lambda i: b"Loading... " + result(i),
    "two_on_a_line": lambda i: result(i)[:-1] + result(i),
    "too_deep": deep,
    "too_long": long,
    "too_long_id_last": long_id_last,
    "progress_repeats": lambda i: progress(i, 1, 1) + result(i),
    "progress_falls": lambda i: progress(i, 2, 1) + result(i),
    "progress_text": lambda i: progress(i, "half") + result(i),
    "cancels": lambda i: line(method="notifications/cancelled", params={"requestId": i}),
    # These cost no one an answer.
    "answers_twice": lambda i: result(i) * 2,
    "unasked_log": lambda i: (
        line(method="notifications/message", params={"level": "info", "data": 1}) + result(i)
    ),
    "unasked_change": lambda i: line(method="notifications/tools/list_changed") + result(i),
    # These break no rule.
    "good": result,
    "silent": lambda _: b"",
    "crlf": lambda i: result(i)[:-1] + b"\r\n",
    "blank_lines": lambda i: b"\n\r\n" + result(i) + b"\n",
    "unknown_token": lambda i: progress(i + 5, 1) + result(i),
    "unknown_members": lambda i: (
        json.dumps({"jsonrpc": "2.0", "id": i, "result": {**TEXT, "x": 1}, "y": 2}).encode() + b"\n"
    ),
    "id_last": lambda i: json.dumps({"result": TEXT, "jsonrpc": "2.0", "id": i}).encode() + b"\n",
    "byte_by_byte": lambda i: [bytes([byte]) for byte in result(i)],
    "error_without_id": lambda i: line(error={"code": -32700, "message": "Parse error"}),
    "error_with_null": lambda i: line(id=None, error={"code": -32700, "message": "Parse error"}),
}


def put(data):
    """Write bytes, or pieces of bytes one by one."""
    for piece in [data] if isinstance(data, bytes) else data:
        rest = piece
        while rest:
            rest = rest[os.write(1, rest) :]


def answer(message):
    """Give a good answer to a request."""
    body = {"resultType": "complete"}
    if message["method"] == "server/discover":
        body |= {
            "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}},
            "ttlMs": 0,
            "cacheScope": "private",
        }
    else:
        arguments = message["params"].get("arguments", {})
        time.sleep(arguments.get("seconds", 0))
        body |= {"content": [], "structuredContent": arguments}
    return line(id=message["id"], result=body)


def serve(name):
    """Answer one line at a time until the end of the input; `cancelled` tells which requests were cancelled."""
    cancelled = []
    for text in sys.stdin.buffer:
        message = json.loads(text)
        if "id" not in message:
            cancelled.append(message["params"]["requestId"])
            continue
        if message["params"].get("name") == "cancelled":
            message["params"]["arguments"] = {"ids": cancelled}
        if message["params"].get("name") == "break":
            put(FAULTS[name](message["id"]))
        else:
            put(answer(message))


if __name__ == "__main__":
    serve(sys.argv[1])
