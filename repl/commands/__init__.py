"""The commands of the prompt, which begin with a backslash: a registry with one row a command, and what each does.

`command` says what a command is and what it may use (its desk), `table` has the rows, and a module a topic does the
work. Commands ask in T-SQL, through catalog views, wherever that can be done, so that they work on a server too, and in
the session of whoever types, so that they show what its transaction has done. They must not know the terminal; a
command's text goes in, and what is to be seen goes to the desk.
"""
