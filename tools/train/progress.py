"""A bar that says how far something has come, and how long it will take."""

import sys
import time

WIDTH = 30


class Progress:
    """In a terminal a line that changes; elsewhere a line now and then."""

    def __init__(self, title: str, total: int, done: int = 0) -> None:
        self.title, self.total, self.begin, self.start = title, total, done, time.monotonic()
        self.is_live, self.told = sys.stderr.isatty(), 0.0

    def show(self, done: int, more: str = "") -> None:
        now = time.monotonic()
        if done < self.total and now - self.told < (0.2 if self.is_live else 30):
            return
        self.told = now
        full = WIDTH * done // max(1, self.total)
        left = (now - self.start) / max(1, done - self.begin) * (self.total - done)
        line = f"{self.title} {'█' * full}{'·' * (WIDTH - full)} {done:,} of {self.total:,}, {left:.0f} s left {more}"
        end = "" if self.is_live and done < self.total else "\n"
        print(f"\r\033[K{line}" if self.is_live else line, end=end, file=sys.stderr, flush=True)
