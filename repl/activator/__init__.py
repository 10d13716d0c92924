"""`sbql external-activator`: programs outside of the server that are started when a queue has messages for them.

`configuration` reads what Microsoft's external activator reads, `programs` decides how many of a program run,
`notifications` hears of queues from one notification service, and `command` puts them together. Data flows in that
order backwards: a notification becomes a call of a program.
"""
