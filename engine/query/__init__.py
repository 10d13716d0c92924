"""Query: a T-SQL query becomes one DuckDB statement with bound parameters, with types, collations and columns known.

It is the only translator of expressions over columns to SQL. It decides names inside a query, what is pushed to
DuckDB and what a registered Python function computes, and which locks a reader takes. It must not know what is
done with the rows, nor change any.

Data flows from a tree and a Scope to a TranslatedQuery (`translation`), and from there with a Frame to rows
(`running`). Inside, `queries` puts together what `sources`, `expressions`, `conditions`, `aggregates` and
`windows` translate in a `context`.
"""
