"""What a person or a pipe sees: the command line, the prompt, and the rendering of outcomes.

It knows sessions and outcomes; it must not know how a statement runs or where rows are stored.

| module | decides |
|---|---|
| `cli`, `subcommands` | from arguments to an exit code; which words are commands |
| `options`, `option_words`, `argument_types`, `command_parser` | what may stand on a command line |
| `opening`, `sessions`, `streams` | which instance a command line means; standard input, output and error |
| `script_run`, `script_place`, `starting_variables`, `runner` | scripts: their batches, directives and variables |

The commands of the command line, one a module or folder:

| module | decides |
|---|---|
| `serve` | `sbql serve` and `sbql ping` |
| `testing` | `sbql test` |
| `why`, `diagnose` | `sbql diagnose`, and the program ssbdiagnose |
| `diagram`, `trace_command` | pictures and traces |
| `pair`, `pair_scripts` | `sbql pair` |
| `starter_project` | `sbql init`; the files that it writes are in the folder starter |
| `activator` | `sbql external-activator` |
| `shell_completion` | `sbql completion` |

The prompt:

| module | decides |
|---|---|
| `loop`, `input`, `history`, `highlight` | lines until GO, and what was typed before |
| `commands`, `desk` | the commands that begin with a backslash, and what they work at |
| `completion`, `suggestions`, `places`, `known_names`, `unfinished` | what Tab offers |
| `status`, `side_session`, `background`, `recorder` | the line below, other sessions, what the broker has done |

How things look:

| module | decides |
|---|---|
| `presenter`, `view` | where outcomes go, and in which form |
| `render`, `screen`, `formats`, `bodies` | sqlcmd's tables, tables on a terminal, formats for programs, values |
| `progress`, `progress_line` | the line at the foot of the terminal |
"""
