"""The game as a static site: the same program, in Python, in the browser of whoever plays."""
