"""`sbql` and `python -m sbql`: hands over to the command line, and ends the process quickly."""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line with the arguments of this process. Returns its exit code."""
    from sbql.repl.cli import main as run

    try:
        return run(sys.argv[1:])
    finally:
        gc.freeze()  # the process ends: Python would look through all that was loaded for garbage, for a tenth of its time


if __name__ == "__main__":
    sys.exit(main())
