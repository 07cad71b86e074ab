"""`python -m tools COMMAND`, run by `./dg COMMAND` at the root of the repository."""

import importlib
import sys

sys.exit(importlib.import_module(f"tools.{sys.argv.pop(1)}").main())
