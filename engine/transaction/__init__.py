"""Transaction: one T-SQL transaction over tables, messages and the catalog, and the scope of one statement in it.

It decides the order of a commit (messages prepared, everything one record of the store, then published), what a
savepoint and a failed statement undo, and when an autocommit transaction begins and ends. It must not know statements;
of the session and instance it knows the ports.

`transaction` is the whole of it, `own_transaction` that of a statement over a #temp table, `statement_scope` what
stands around a statement.

Data flows from the rooms above into the unit of work and the broker's transaction; from commit to the journal.
"""
