"""A person who changes their mind while the browser is open."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from readingroom.apps import exit_codes
from support.logins import world
from support.processes import PATIENCE


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c(tmp_path: Path) -> None:
    """The command ends at once, nobody listens any more, and nothing is kept."""
    place = tmp_path / "private" / "logins.json"
    with world() as at:
        words = [sys.executable, "-m", "readingroom", "login", "--no-browser", at.url]
        env = {"READINGROOM_LOGINS": str(place)}
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        ) as process:
            assert process.stdout is not None
            told = parse_qs(urlsplit(process.stdout.readline().strip()).query)
            port = urlsplit(told["redirect_uri"][0]).port
            assert port is not None
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == exit_codes.INTERRUPTED, err
    assert "Traceback" not in err
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0
    assert not place.exists()
