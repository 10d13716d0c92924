"""What there is to say of each command of the prompt, with an example: `\\? NAME` shows
it, and docs/commands has it as pages.

It decides the words only; names, arguments and the short help are the registry's (`table`).
"""

from __future__ import annotations

from typing import Final

__all__ = ["PAGES"]

_LIKE = "With a pattern it shows those whose names are LIKE it, the system's own too; without one, yours."
_ON_OFF = "Without an argument it switches over."

PAGES: Final[dict[str, tuple[str, str]]] = {
    "?": ("Lists the commands; with the name of one, tells all about it. The beginning of a name will do for every command if only one begins so.", "\\? watch"),
    "databases": (f"Databases with the state of their brokers. {_LIKE}", "\\databases Shop%"),
    "types": (f"Message types of the current database and what they check of a body. {_LIKE}", "\\types //shop/%"),
    "contracts": (f"Contracts, a row for each message type in them, with the side that may send it. {_LIKE}", "\\contracts"),
    "queues": (f"Queues with the number of messages in them, their readers and whether they are on. {_LIKE}", "\\queues Order%"),
    "services": (f"Services with their queue and the contracts on which others may begin a dialog with them. {_LIKE}", "\\services"),
    "routes": (f"Routes: which services lead where, until when. {_LIKE}", "\\routes"),
    "procedures": (f"Procedures with their parameters and the queues that start them. {_LIKE}", "\\procedures Take%"),
    "tables": (f"Tables and views with their columns counted. {_LIKE}", "\\tables"),
    "describe": ("Tells what has this name in the current database, whatever it is: columns of a table, parameters and text of a module, the message types of a contract, the queue of a service.",
                 "\\describe //shop/contract"),
    "conversations": ("Endpoints of conversations with their state, services and role. The pattern is for the services.", "\\conversations //shop/%"),
    "groups": ("Conversation groups and how many conversations are in each. The pattern is for the services.", "\\groups"),
    "transmission": ("Messages that wait to be transmitted, with the status that says why. `\\why` says what repairs it.", "\\transmission"),
    "tasks": ("Activated procedures that run now, and the queue monitors that start them.", "\\tasks"),
    "peek": ("Shows the first messages of a queue, ten if no number is given, with their bodies; they stay there. A queue is named as in RECEIVE.", "\\peek OrderQueue 3"),
    "conversation": (("Shows one conversation on both sides, in whatever database: the endpoints, every event since the prompt began, and the messages that wait. It is named by the beginning of its id or of a handle; "
                     "without a name it is the last one that something happened to."), "\\conversation B6B0"),
    "diagram": ("Draws the services of the database; with an id, a conversation or conversation group as a sequence diagram; with `states`, the states of a conversation. A file name (.svg, .mmd, .txt) saves it.",
                "\\diagram B6B033CE dialog.svg"),
    "why": ("Says why messages are stuck: all of them, those of a conversation, of a queue, or between two services; with the evidence and the statements that repair it. `\\why repair` puts these into the input.",
            "\\why //shop/customer //shop/orders"),
    "watch": ("Runs the lines above it, or the last batch, every n seconds (2 if none is given) on an empty screen, until Ctrl-C.", "SELECT COUNT(*) AS waiting FROM OrderQueue\n\\watch 1"),
    "trace": (("Shows what the broker does as it happens, above the line being typed: all events, or those of a class of sys.trace_events. Over -S it needs ALTER TRACE, and a server of ours. "
              "`sbql --trace-file` records a trace, `sbql trace` shows the record."), "\\trace on Activation"),
    "session": ("Without an argument it lists the sessions of this prompt. `new` opens one and enters it, a number enters that one, `close n` ends one. The prompt says in which one is: `Shop[2]*>`, the star for an open transaction.",
                "\\session new"),
    "background": (("Runs the lines above it in the session that one is in, instead of their GO, and moves on to another session. What comes of it appears above the input, behind the number of its session. "
                   "Not on a virtual clock, where time goes on only while a batch runs."), "WAITFOR (RECEIVE * FROM OrderQueue)\n\\background"),
    "cancel": ("Stops the batch that runs in the background, in session n if several run. Its session goes on.", "\\cancel 1"),
    "clock": ("Says the server's time. A virtual clock moves on by what is given first (90s, 5m, 2h, 1d, hh:mm:ss), and what falls due on the way is done.", "\\clock 5m"),
    "e": ("Opens the lines above, or the last batch, in $VISUAL or $EDITOR. What is saved there stands in the input afterwards.", "\\e"),
    "tour": ("Walks through a first dialog, a batch a step, on a database of its own. A number goes to that step, `end` drops the database.", "\\tour"),
    "x": ("Whether rows stand upright, a line a column: always, never, or when they would be too wide (auto).", "\\x on"),
    "format": (("How results are written: table, vertical, csv, tsv, json, markdown, html, plain, or parquet and arrow, which need a file. With a file name, results go there until the next \\format."), "\\format csv orders.csv"),
    "bodies": ("Whether bodies of messages are shown as the text that they seem to be, with its encoding, or as bytes.", "\\bodies hex"),
    "limit": ("How many rows of a result are shown, 1000 at first; 0 shows all.", "\\limit 50"),
    "pager": (f"Whether a result that is longer than the screen goes through $PAGER. {_ON_OFF}", "\\pager off"),
    "status": (f"Whether the line below the input is there. {_ON_OFF}", "\\status off"),
    "timing": (f"Whether each batch says how long it took. {_ON_OFF}", "\\timing on"),
}  # fmt: skip
"""By name: what it does, in whole sentences, and an example as it is typed."""
