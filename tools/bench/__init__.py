"""`./dg bench NAME [--json]`: measurements, a module each, whose figures go to docs/performance.md. Not tests."""

import importlib
import pkgutil
import sys


def main() -> int:
    names = [module.name for module in pkgutil.iter_modules(__path__)]
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        print(f"usage: ./dg bench {'|'.join(names)} [--json] [--database]", file=sys.stderr)
        return 2
    module = importlib.import_module(f"tools.bench.{sys.argv[1]}")
    result: int = module.main("--json" in sys.argv)
    return result
