"""Direct: queries and searches of writes that need no DuckDB, for their rows are in memory already.

It decides which of them do, where their rows come from, and when it gives up and DuckDB is asked. The translated query
stands beside such a form: it says what is wrong with a statement, what its columns are called and who may read them.
It must not know how a query is translated (`query`), nor what is done with the rows.

`query.translation` asks for the form of each statement that it has translated (the registry `DIRECT`). Data
flows from a source of rows through conditions to a shape, and from there to whoever runs the query.

| module | decides |
|---|---|
| `queries`, `searches` | which queries have such a form, and which searches of writes |
| `making`, `form` | how it is put together, and what one is |
| `sources`, `one_row`, `through` | sources of rows: tables, none, queries written through |
| `listed_keys` | some rows of a table by their keys |
| `nodes`, `lists` | documents and what table functions list |
| `endpoints`, `transmissions`, `queues` | rows of the broker's memory |
| `flattening`, `query_rows` | queries in FROM: said as conditions on tables, or as rows |
| `expanded` | views and inline functions as such queries |
| `joins`, `join_rows`, `semijoins` | joins, their rows, and conditions that ask for other rows |
| `unfailing` | which expressions raise nothing |
| `shape`, `aggregates`, `rendered` | what is made of rows: their order, groups, FOR clauses |
| `over_aggregates` | what is computed of aggregates |
"""
