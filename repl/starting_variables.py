"""What $(name) stands for when a script starts: environment, sqlcmd's own variables, -v. It must not know scripts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sbql.grammar.batches import ScriptVariables

if TYPE_CHECKING:
    from sbql.repl.options import Options

__all__ = ["starting_variables"]


def starting_variables(options: Options, server: str) -> ScriptVariables:
    """What $(name) stands for at the start: the environment, sqlcmd's own variables, -v; the later ones win."""
    variables = ScriptVariables(os.environ if options.skips_programs is None else None)
    variables.update(
        {
            "SQLCMDSERVER": server,
            "SQLCMDDBNAME": options.database,
            "SQLCMDUSER": "",
            "SQLCMDHEADERS": str(options.headers),
            "SQLCMDCOLSEP": options.separator,
            "SQLCMDMAXVARTYPEWIDTH": str(options.variable_width),
            "SQLCMDMAXFIXEDTYPEWIDTH": str(options.fixed_width),
            "SQLCMDSTATTIMEOUT": str(int(options.batch_limit or 0)),
            "SQLCMDERRORLEVEL": str(options.shown_severity),
        }
    )
    variables.update(options.variables)
    return variables
