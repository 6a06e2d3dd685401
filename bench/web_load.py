"""Many connections at once to one HTTP server, driven so cheaply that the driver does not set the limit.

Each connection sends its next request when the one before is answered. Knows HTTP as far as a length in a header.
"""

import selectors
import socket
import time

READ = 1 << 16


class Failed(Exception):
    """A server answered with another status than 200, or closed a connection."""


def request_of(port: int, body: bytes, headers: dict[str, str]) -> bytes:
    """A whole request as bytes."""
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n{told}\r\n"
    return head.encode() + body


def load(port: int, request: bytes, connections: int, count: int) -> tuple[float, list[bytes]]:
    """Send `count` requests over `connections`. Returns the seconds it took and every answer's body. Raises Failed."""
    selector = selectors.DefaultSelector()
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, bytearray())
    held = [key.fileobj for key in selector.get_map().values()]
    answers: list[bytes] = []
    left = count
    began = time.perf_counter()
    for connection in held:
        connection.sendall(request)
        left -= 1
    while len(answers) < count:
        for key, _ in selector.select(30):
            body = _receive(key.fileobj, key.data)
            if body is None:
                continue
            answers.append(body)
            if left > 0:
                key.fileobj.sendall(request)
                left -= 1
    seconds = time.perf_counter() - began
    for connection in held:
        connection.close()
    selector.close()
    return seconds, answers


def _receive(connection: socket.socket, got: bytearray) -> bytes | None:
    """Take what has come; the body when the answer is whole."""
    chunk = connection.recv(READ)
    if not chunk:
        raise Failed("the server closed a connection")
    got += chunk
    end = got.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(got[:end]).lower()
    if not head.startswith(b"http/1.1 200"):
        raise Failed(head.decode("latin-1"))
    if b"transfer-encoding: chunked" in head:
        whole = got.endswith(b"0\r\n\r\n")
        body = bytes(got[end + 4 :])
    else:
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        whole = len(got) >= end + 4 + length
        body = bytes(got[end + 4 :])
    if not whole:
        return None
    got.clear()
    return body
