"""Programs that need a process of their own."""

import os
import subprocess
import sys


def in_a_process(program: str, **environment: str) -> str:
    """What a program prints. It sees the tests, and a warning is an error."""
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout
