"""System: the procedures and views that come with the server, where they touch the engine's memory.

It decides what sp_… procedures, DBCC, configuration options, performance counters and the live relations under sys.dm_…
views show and change. Procedures that are only queries are T-SQL in `catalog`. It must not change conversations or rows
but through the statements and rules of other rooms.

Data flows from a call with its arguments to outcomes, and from the engine's memory to rows of live relations.
"""
