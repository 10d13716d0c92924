"""`sbql` and `python -m sbql`: hands over to the command line and does nothing else."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line with the arguments of this process. Returns its exit code."""
    from sbql.repl.cli import main as run

    return run(sys.argv[1:], is_process=True)


if __name__ == "__main__":
    sys.exit(main())
