"""Subscriptions: whose queries are watched, and which change of which row concerns one.

- `options` reads where a client listens.
- `qualifying` says whether a query can be watched, and what of it.
- `relevance` says whether what a transaction has done to rows concerns it.
- `active_subscriptions` keeps those of an instance.
- `request` is what a client asks for with a batch or call, `kill` the statement.

It must not know how messages are sent (`query_notices` does), nor which door a client came through.

Data flows from a query's tree to the tables, columns and conditions that matter, and from the changes
of a commit to reasons for a message.
"""
