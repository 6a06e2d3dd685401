"""Two worker processes behind nginx, which gives each its turn."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .serving import free_port

PATIENCE = 30.0

CONFIGURATION = """\
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream workers {{ server 127.0.0.1:{first}; server 127.0.0.1:{second}; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://workers;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host localhost;
            proxy_buffering off;
            proxy_read_timeout 1h;
            proxy_next_upstream off;
        }}
    }}
}}
"""


@contextmanager
def running(*commands: list[str]) -> Iterator[None]:
    """Run programs, and end them."""
    processes = [subprocess.Popen(command, stdin=subprocess.DEVNULL) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(PATIENCE)


def wait_for(port: int) -> None:
    """Wait until something listens there."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, f"nothing listens at {port}"
            time.sleep(0.05)
        else:
            return


@contextmanager
def proxied(folder: Path, *arguments: list[str]) -> Iterator[int]:
    """Start two workers, each with its port as the last argument, and a proxy before them; give the proxy's port."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert nginx, "install nginx first: scripts/install_peers.py nginx"
    first, second, port = free_port(), free_port(), free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(
        CONFIGURATION.format(folder=folder, first=first, second=second, port=port), "utf-8"
    )
    workers = [
        [argument.format(port=number) for argument in command]
        for number, command in zip((first, second), arguments, strict=True)
    ]
    with ExitStack() as started:
        started.enter_context(running(*workers))
        wait_for(first)
        wait_for(second)
        started.enter_context(
            running([nginx, "-p", str(folder), "-c", str(configuration), "-e", str(folder / "log")])
        )
        wait_for(port)
        yield port
