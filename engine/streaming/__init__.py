"""Streaming: what readers and writers outside of T-SQL ask of an owner, as operations.

`consumers` are the operations of the durable RECEIVE, `sink` those of a batch of messages that is sent once,
`idempotent_requests` those around a text that is run once. They must not know who asks (Spark, a test) nor through
which door: a request is plain values, messages travel as Arrow, which the catalog reads and writes. Data flows from a
request to the broker's rules and the store, and back as an answer that is given when it is on disk.
"""
