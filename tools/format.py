"""`./dg format`: formats Python with Ruff, and the page's JavaScript and CSS with Biome."""

import subprocess
import sys

from tools import npm


def main() -> int:
    failed = subprocess.call([sys.executable, "-m", "ruff", "format", "."])
    if why := npm.why_not():
        print(f"NOT FORMATTED: the page, because {why}.")
    elif failure := npm.format_page():
        print(failure)
        failed = 1
    return failed
