"""Scalars: expressions over variables become Python closures, and the registries of everything that expressions hold.

It decides types, conversions, the order of evaluation, what a scope of variables is, and what SET options
change in the meaning of an expression. What a single function computes is `functions`; what an XML method
does is `documents`; a query inside an expression is compiled by `query`, which registers itself. It must
not know tables, DuckDB or statements.

Data flows from a tree and a Scope to a Scalar; at run time from a Frame to a value. `expressions` is
the door; `operators`, `conditions` and `calls` register with it, and `compiling` is what a statement
may ask of the compiler of its batch.
"""
