"""Built-in functions: one registry for both evaluators.

Each function is registered once with its arguments, its result type and its Python implementation; a DuckDB template is
given only where DuckDB means exactly the same. `lookup` loads all topics on first use.
"""

from __future__ import annotations

from sbql.engine.execution.functions.registry import BoundFunction, FunctionSpec, bind, lookup

__all__ = ["BoundFunction", "FunctionSpec", "bind", "lookup"]
