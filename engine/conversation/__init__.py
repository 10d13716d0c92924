"""Conversation: the statements of Service Broker: dialogs, SEND, RECEIVE, GET CONVERSATION GROUP, WAITFOR, monologs.

It decides what the arguments of these statements mean, what they wait for, and how messages become rows or variables.
The rules of conversations are `engine.broker`; a statement calls them under the mutex and waits outside. It must not
keep any state of a conversation, nor know how queues are stored.

Data flows from arguments to a broker rule; from received messages to a result set, variables or a table variable.
"""
