"""`%sbql` and `%%sbql`: T-SQL in a notebook.

They decide how a script's outcomes look. Result sets are tables; PRINT and row counts come as text, when they come. The
first error is the cell's own error, so that "run all" stops there, with a caret below the word that it is about. They
must not know how batches run, nor need Spark: a DataFrame is made when one is asked for.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from io import StringIO
from typing import Any, NoReturn

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.display import display

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.result_html import html_table
from sbql.engine.result_text import Style, caret, table
from sbql.grammar.batches import BatchText, ScriptVariables
from sbql.grammar.digits import is_whole
from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed
from sbql.spark_udfs.engines import engine_of, parameters_of, run_script, use

__all__ = ["SbqlMagics", "handed_over"]

_LIMIT = 100


class ResultTable:
    """A result set that shows itself: HTML in notebooks, text elsewhere."""

    def __init__(self, result: ResultSet, limit: int) -> None:
        self.result, self.limit = result, limit

    def _repr_html_(self) -> str:
        return html_table(self.result.columns, self.result.rows, self.limit)

    def __repr__(self) -> str:
        count = len(self.result.rows)
        shown = ResultSet(self.result.columns, self.result.rows[: self.limit])
        lines = list(table(shown, Style(cell_limit=60)))
        plural = "" if count == 1 else "s"
        rows = f"({count} row{plural})" if count <= self.limit else f"(the first {self.limit} of {count} row{plural})"
        return "\n".join([*lines, rows])


class ScriptFailed(SqlError):
    """The first error of a cell. IPython shows `Msg …` and the caret instead of a Python traceback."""

    def __init__(self, error: SqlError, text: str) -> None:
        super().__init__(
            error.number, error.message, severity=error.severity, state=error.state, line=error.line, column=error.column,
            column_line=error.column_line, procedure=error.procedure, call_line=error.call_line,
        )  # fmt: skip
        self.text = text

    def _render_traceback_(self) -> list[str]:
        return [error_lines(self, self.text)]


def error_lines(error: SqlError, text: str) -> str:
    """`Msg 208, Level 16, State 1, Line 3`, the text, and the line with a caret when
    the error is about a word of it."""
    if error.line == 0 and not text:
        return f"Msg {error.number}, Level {error.severity}, State {error.state}\n{error.message}"
    pointed = caret(text, error) if error.is_in_batch else None
    return "\n".join(filter(None, [str(error), pointed]))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%sbql: {message}\n{self.format_usage()}")


def _parser() -> _Parser:
    parser = _Parser(prog="%%sbql", add_help=False, allow_abbrev=False)
    add = parser.add_argument
    add("--store", metavar="FILE", help="open this DuckDB file")
    add("--endpoint", metavar="URL", help="talk to this server, grpc://host:port")
    add("--token", metavar="NAME", help="the token for it is in this variable")
    add("--connection", metavar="NAME", help="use the connection in this variable")
    add("--database", metavar="NAME", help="begin in this database")
    add("--out", metavar="NAME", help="put the last result set into this variable")
    add("--as", dest="form", choices=("spark", "arrow", "pandas", "rows"), default=None, help="what --out gets")
    add("--limit", type=_count, default=_LIMIT, metavar="N", help="show at most so many rows of each result set")
    add("--continue", dest="goes_on", action="store_true", help="go on after errors, and show them")
    add("--quiet", action="store_true", help="show no result sets and row counts")
    add("-p", "--parameter", action="append", default=[], metavar="NAME", help="@NAME is the value of this variable")
    add("-v", "--variable", action="append", default=[], metavar="NAME=VALUE", help="$(NAME) is this text")
    return parser


def _count(text: str) -> int:
    """Raises ArgumentTypeError for what is no number of rows."""
    if not is_whole(text):
        raise argparse.ArgumentTypeError(f"{text} is no number of rows")
    return int(text)


@magics_class
class SbqlMagics(Magics):  # type: ignore[misc]
    """`%sbql --store shop.duckdb --database Shop`, `%sbql SELECT 1`, and cells that begin with `%%sbql`."""

    @no_var_expand  # type: ignore[untyped-decorator]
    @line_cell_magic  # type: ignore[untyped-decorator]
    def sbql(self, line: str, cell: str | None = None) -> None:
        """Run T-SQL. The options stand in the first line; %sbql takes them in front of its statement."""
        words, statement = _options_of(line)
        if "--help" in words:
            print(_parser().format_help())
            return
        options, rest = _parser().parse_known_args(words)
        if rest:
            _parser().error(f"there is no option {rest[0]}")
        if cell is not None and statement:
            _parser().error(f"the script of %%sbql begins in the line below; {statement.split()[0]} is no option")
        for name, needed in (("form", "out"), ("token", "endpoint")):
            if getattr(options, name) is not None and getattr(options, needed) is None:
                _parser().error(f"--{'as' if name == 'form' else name} goes with --{needed}")
        self._bind(options)
        text = statement if cell is None else cell
        if text.strip():
            self._run(text, options)

    def _bind(self, options: argparse.Namespace) -> None:
        if all(option is None for option in (options.store, options.connection, options.endpoint, options.database)):
            return
        target = None if options.connection is None else self._variable(options.connection)
        token = "" if options.token is None else str(self._variable(options.token))
        try:
            if options.store is None and options.endpoint is None and target is None:
                run_script(engine_of().session, f"USE {bracketed(options.database)}")
                return
            use(
                target,
                store=options.store,
                endpoint=options.endpoint,
                token=token,
                database=options.database or "master",
            )
        except SqlError as error:
            error.line = 0
            raise ScriptFailed(error, "") from None
        except (ValueError, TypeError, ImportError) as error:
            raise UsageError(f"%sbql: {error}") from None

    def _variable(self, name: str) -> Any:
        if name not in self.shell.user_ns:
            raise UsageError(f"%sbql: the notebook has no variable {name}")
        return self.shell.user_ns[name]

    def _run(self, text: str, options: argparse.Namespace) -> None:
        try:
            given = parameters_of({name: self._variable(name.removeprefix("@")) for name in options.parameter})
        except (TypeError, ValueError) as error:
            raise UsageError(f"%sbql: {error}") from None
        variables = ScriptVariables(dict(_pair(item) for item in options.variable))
        show = _Shown(text, options)
        try:
            results, _ = run_script(
                engine_of().session, text, variables=variables, parameters=given, sink=show, goes_on=options.goes_on
            )
        except SqlError as error:
            raise ScriptFailed(error, text) from None
        if options.out is not None:
            if not results:
                raise UsageError("%sbql: --out asks for a result set, and the script has none")
            self.shell.user_ns[options.out] = handed_over(results[-1], options.form)


class _Shown:
    """Shows outcomes as they come, but the errors that end the script."""

    def __init__(self, text: str, options: argparse.Namespace) -> None:
        self.text, self.options = text, options

    def __call__(self, outcome: Outcome, batch: BatchText) -> None:
        match outcome:
            case ResultSet() if not self.options.quiet:
                display(ResultTable(outcome, self.options.limit))
            case RowsAffected(count) if not self.options.quiet:
                print(f"({count} row{'' if count == 1 else 's'} affected)")
            case InfoMessage(text):
                print(text)
            case ErrorOutcome(error) if self.options.goes_on:
                print(error_lines(error, batch.text))


def _options_of(line: str) -> tuple[list[str], str]:
    """The options in front of a line, and the statement behind them. A word that is no option, nor the value of one,
    begins the statement, which is kept as it is."""
    with_value = {
        "--store",
        "--endpoint",
        "--token",
        "--connection",
        "--database",
        "--out",
        "--as",
        "--limit",
        "-p",
        "--parameter",
        "-v",
        "--variable",
    }
    words: list[str] = []
    rest = line.strip()
    while rest.startswith("-") and not rest.startswith("-- ") and rest != "--":
        word, rest = _word(rest)
        words.append(word)
        if word in with_value:
            value, rest = _word(rest)
            words += [value] if value else []
    return words, rest


def _word(text: str) -> tuple[str, str]:
    """The first word, without its quotation marks, and what follows."""
    source = StringIO(text)
    lexer = shlex.shlex(source, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        word = lexer.get_token() or ""
    except ValueError as error:
        raise UsageError(f"%sbql: {error}") from None
    return word, source.read().lstrip()


def _pair(item: str) -> tuple[str, str]:
    name, sign, value = item.partition("=")
    if not sign:
        raise UsageError(f"%sbql: -v takes NAME=VALUE, not {item}")
    return name, value


_PACKAGES = {"arrow": ("pyarrow",), "pandas": ("pandas", "pyarrow")}


def handed_over(result: ResultSet, form: str | None) -> Any:
    """The result as `form`; None: a Spark DataFrame where a Spark session is active, else pandas
    where that is installed, else rows."""
    makers: dict[str, Callable[[ResultSet], Any]] = {"spark": _spark, "arrow": _arrow, "pandas": _pandas, "rows": _rows}
    if form is not None:
        missing = [name for name in _PACKAGES.get(form, ()) if find_spec(name) is None]
        if missing:
            raise UsageError(f"%sbql: --as {form} needs {' and '.join(missing)}: pip install {' '.join(missing)}")
        return makers[form](result)
    for name in ("spark", "pandas"):
        try:
            return makers[name](result)
        except (ImportError, UsageError):
            continue
    return result.rows


def _spark(result: ResultSet) -> Any:
    from pyspark.sql import SparkSession

    from sbql.spark_udfs.frames import frame_of

    session = SparkSession.getActiveSession()
    if session is None:
        raise UsageError("%sbql: --as spark needs a Spark session; begin one with SparkSession.builder.getOrCreate()")
    return frame_of(session, result)


def _arrow(result: ResultSet) -> Any:
    from sbql.spark_udfs.spark_types import arrow_table

    return arrow_table(result)


def _pandas(result: ResultSet) -> Any:
    from sbql.engine.result_arrow import frame_of_table

    return frame_of_table(_arrow(result))


def _rows(result: ResultSet) -> Sequence[tuple[Any, ...]]:
    return result.rows
