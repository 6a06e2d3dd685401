"""What the figures of a run were taken on. Reads the system; measures nothing."""

import os
import platform
from pathlib import Path


def processor() -> str:
    """The processor's name, as the system tells it."""
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def load_average() -> str:
    """The load of the last minute, in words where the system does not tell."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def described() -> str:
    """One line: system, processor, cores, Python."""
    cores = os.cpu_count() or 1
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{platform.system()}, {processor()}, {cores} cores, {python}"
