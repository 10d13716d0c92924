"""Why is my message stuck? One answer for everybody who asks: ssbdiagnose,
`sbql diagnose`, `sys.sp_sbql_diagnose`, `\\why`.

`causes` is the inventory: each cause with its number and what mends it. `world` is what is looked at, `repairs` writes
the statements. Then one module for each place where a message can wait: `configuration` (two services and the way
between them), `waiting` (transmission queues), `refused` (conversations that ended with an error), `reading` (queues
that nobody empties), `upkeep` (what will go wrong). `stuck` asks them all, `watch` looks on while the broker runs.

It asks the broker's own rules and changes nothing. It must not know how findings are printed.
"""
