"""T-SQL scripts that are tests: expectations stand in them as comments (docs/test-scripts.md). `sbql test`
runs them, and so does our own suite.

`directives` reads what is expected, `expectations` holds it against what a batch has produced, `playing` runs one
script, `collecting` finds scripts, `results`, `report` and `junit` say how they went, `command` is `sbql test`. It
must not know how a statement runs.
"""

from __future__ import annotations

from sbql.repl.testing.directives import ScriptFailure
from sbql.repl.testing.playing import run_script

__all__ = ["ScriptFailure", "run_script"]
