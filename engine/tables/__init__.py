"""Tables as whoever reads and writes them needs them: records bound to types, conversions, keys and images.

It decides which values a column takes and how they are stored and compared, what a definition makes of its elements,
what a row image is, and how rows of table variables and of other transactions' writes are seen. It must not know
statements, queries, locks of rows or when a constraint is checked.

Data flows from a Table record to a BoundTable, kept for a version of the catalog;
and from Python values to stored ones.
"""
