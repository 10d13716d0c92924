"""Tds: the bytes of the Tabular Data Stream, the protocol of SQL Server's clients. Pure functions
and parsers without input or output.

`packets` cuts messages; `prelogin` and `login` are how a connection begins; `requests` reads what clients ask,
`tokens` writes what they are answered; `types` says how a SqlType is announced, `encoding` and `decoding` how its
values look; `collations` are the five bytes of a collation; `reading` is a careful reader of bytes. It must not know
sockets, sessions, nor what a request does.

Every parser raises `ProtocolError` for bytes that are not what they should be, and nothing else.
"""
