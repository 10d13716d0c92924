"""One handler a statement class, grouped by topic: a function `(node, compiler) -> Step` under `@handles(node class)`.

A handler module is imported when the first statement of its classes is compiled (`engine.wiring`), so
that a short script starts quickly.
"""
