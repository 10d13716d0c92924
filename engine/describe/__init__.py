"""Describe: what things are, told to catalog views, functions, procedures and drivers.

It decides

- which objects the system has of its own
- what a text depends on, and which rules bind it to its objects
- which columns a module, batch or function has
- which procedure a name means
- what a sequence gives next.

It must not
run statements; a query is asked for its columns through the registry `queries`.

Data flows from records and trees to names, types and rows of live relations.
"""
