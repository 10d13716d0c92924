"""Query: a T-SQL query becomes one DuckDB statement with bound parameters, with types, collations and columns known.

It is the only translator of expressions over columns to SQL. It decides names inside a query, what is pushed to
DuckDB and what a registered Python function computes, and which locks a reader takes. It must not know what is
done with the rows, nor change any.

Data flows from a tree and a Scope to a TranslatedQuery (`translation`), and from there with a Frame to rows
(`running`). Inside, `queries` puts together what `sources`, `expressions`, `conditions`, `aggregates` and
`windows` translate in a `context`.

| module | decides |
|---|---|
| `translation`, `running`, `shown_rows` | what other rooms call: translate, run, hand out rows |
| `statement`, `context`, `names`, `query_text` | what a translation collects, and what names mean in it |
| `queries`, `set_operations`, `recursive_members`, `limits` | a SELECT as a whole |
| `row_assignment`, `joined_assignment` | SELECT into variables that it reads |
| `closures`, `for_clause` | queries inside of scalar expressions; FOR XML and FOR JSON |
| `binding_failures`, `unsupported_views` | what is said of names that do not bind |
| `reading_locks`, `lock_plans`, `lock_hints`, `index_hints`, `samples` | table hints and locks of readers |

What stands in FROM:

| module | decides |
|---|---|
| `sources`, `tables` | joins, derived tables; stored tables, views, queues, system views |
| `table_functions`, `list_functions`, `system_functions`, `rowsets`, `unnesting` | functions that give rows |
| `json_sources` | what OPENJSON lists |
| `few_rows` | sources of which a statement says that they have no more |
| `open_xml`, `bulk_columns`, `bulk_files`, `pivots` | OPENXML, OPENROWSET(BULK …), PIVOT and UNPIVOT |
| `writable_query`, `written_sources`, `joined_updates` | what only writes use |

Expressions:

| module | decides |
|---|---|
| `expressions`, `conditions`, `conversions`, `functions`, `call_labels` | scalar expressions and search conditions |
| `aggregates`, `ordered_aggregates`, `grouping`, `windows`, `named_windows` | groups and windows |
| `kept_keys` | keys of texts that are worked out below a join |
| `text_comparisons` | texts of one row, without keys |
| `extremes`, `json_constructors`, `parsed_texts`, `time_zones` | expressions with a form of their own |
| `partition_numbers`, `random_values`, `sequences`, `cut_off_dates` | more of them |
| `user_functions`, `only_expression`, `quick_bodies` | user functions |
| `inlined_functions`, `inlined_bodies`, `looked_up` | those that are part of the query that calls them |
| `modules_below` | the tables and modules below views and functions |
| `one_row`, `plain_expressions` | queries without FROM, and expressions, that need no DuckDB |
| `registered`, `row_functions` | Python functions that DuckDB calls |

Where DuckDB says the same as Python (the room `native` has the forms):

| module | decides |
|---|---|
| `native_calls` | calls of built-in functions |
| `native_for_json`, `native_for_xml`, `native_xml` | FOR JSON; FOR XML of rows and texts; value() and exist() of XML |
"""
