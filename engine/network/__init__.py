"""The network of an instance: how it exchanges messages with other instances.

Three layers, of which the upper two touch no socket, no thread and no clock (events and the time go in, effects come
out; docs/protocol.md is their specification):

- the *dialog protocol*: `sending` (what of a dialog is sent when, and again when), `assembly` (fragments become
  messages), both in terms of `frames`;
- the *adjacent broker protocol*: `framing` (frames in a stream of bytes) and `adjacent` (one connection between two
  instances, from the first byte to the last; its states are the table in `connection_state`).

`transmitter` joins them to the broker: transmission queues and outbox -> `dialogs` -> frames -> `links`, and back
through `neighbours` and the `inbox` to one transaction. The room decides when something is sent, and to whom; it must
not know what a message does when it has arrived (the broker does), nor sessions and statements.
"""
