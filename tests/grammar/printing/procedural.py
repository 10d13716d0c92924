"""Text of variables, control flow, errors, EXECUTE, transactions, cursors and SET options."""

from __future__ import annotations

from printing.blocks import INDENT, bare_name, block, lines_of, prints
from sbql.grammar.ast import (
    BeginEndBlock,
    BeginTransactionStatement,
    BreakStatement,
    CloseCursorStatement,
    CommitTransactionStatement,
    ContinueStatement,
    CursorDefinition,
    DeallocateCursorStatement,
    DeclareCursorStatement,
    DeclareStatement,
    DeclareTableStatement,
    ExecuteArgument,
    ExecuteAsStatement,
    ExecuteStatement,
    ExecuteStringStatement,
    FetchCursorStatement,
    GotoStatement,
    Identifier,
    IfStatement,
    LabelStatement,
    OpenCursorStatement,
    PrintStatement,
    RaiserrorStatement,
    ResultSetDefinition,
    ReturnStatement,
    RevertStatement,
    RollbackTransactionStatement,
    SaveTransactionStatement,
    SetCursorVariableStatement,
    SetIdentityInsertStatement,
    SetOptionStatement,
    SetVariableStatement,
    SetXmlStatement,
    Statement,
    ThrowStatement,
    TryCatchStatement,
    VariableDeclaration,
    VariableReference,
    WaitForDelayStatement,
    WaitForStatement,
    WhileStatement,
)
from sbql.grammar.printer.core import comma, name, quoted, text, words

__all__: list[str] = []

# --- variables ---------------------------------------------------------------------------------------------


@prints(DeclareStatement)
def _declare(node: DeclareStatement) -> str:
    return f"DECLARE {comma(node.declarations)}"


@prints(VariableDeclaration)
def _declaration(node: VariableDeclaration) -> str:
    value = f" = {text(node.value)}" if node.value is not None else ""
    return f"{node.name} {text(node.type)}{value}"


@prints(DeclareTableStatement)
def _declare_table(node: DeclareTableStatement) -> str:
    return f"DECLARE {node.name} TABLE ({comma(node.elements)})"


@prints(SetVariableStatement)
def _set_variable(node: SetVariableStatement) -> str:
    return f"SET {node.name} {node.op} {text(node.value)}"


@prints(SetXmlStatement)
def _set_xml(node: SetXmlStatement) -> str:
    return f"SET {text(node.call)}"


@prints(SetOptionStatement)
def _set_option(node: SetOptionStatement) -> str:
    value = node.value if isinstance(node.value, str) else text(node.value)
    if node.words and node.words[-1].value.upper() == value:
        value = node.words[-1].value  # as it was written
    names = [node.options[0], *(word.removeprefix("STATISTICS ") for word in node.options[1:])]
    return f"SET {', '.join(names)} {value}"


@prints(SetIdentityInsertStatement)
def _set_identity_insert(node: SetIdentityInsertStatement) -> str:
    return f"SET IDENTITY_INSERT {text(node.table)} {'ON' if node.on else 'OFF'}"


# --- flow --------------------------------------------------------------------------------------------------


@prints(BeginEndBlock)
def _begin_end(node: BeginEndBlock) -> list[str]:
    return ["BEGIN", *block(node.statements), "END"]


def _body(statement: Statement) -> list[str]:
    """The statement of an IF or WHILE: a block stands under its keyword, anything else is indented."""
    lines = lines_of(statement)
    return lines if isinstance(statement, BeginEndBlock) else [INDENT + line for line in lines]


@prints(IfStatement)
def _if(node: IfStatement) -> list[str]:
    lines = [f"IF {text(node.condition)}", *_body(node.then)]
    while isinstance(node.otherwise, IfStatement):
        node = node.otherwise
        lines[-1] += ";"
        lines += [f"ELSE IF {text(node.condition)}", *_body(node.then)]
    if node.otherwise is not None:
        lines[-1] += ";"
        lines += ["ELSE", *_body(node.otherwise)]
    return lines


@prints(WhileStatement)
def _while(node: WhileStatement) -> list[str]:
    return [f"WHILE {text(node.condition)}", *_body(node.body)]


@prints(BreakStatement)
def _break(node: BreakStatement) -> str:
    return "BREAK"


@prints(ContinueStatement)
def _continue(node: ContinueStatement) -> str:
    return "CONTINUE"


@prints(ReturnStatement)
def _return(node: ReturnStatement) -> str:
    return words("RETURN", text(node.value) if node.value is not None else None)


@prints(GotoStatement)
def _goto(node: GotoStatement) -> str:
    return f"GOTO {bare_name(node.label)}"


@prints(LabelStatement)
def _label(node: LabelStatement) -> str:
    return f"{bare_name(node.label)}:"


@prints(WaitForDelayStatement)
def _wait_for_delay(node: WaitForDelayStatement) -> str:
    return f"WAITFOR {node.kind} {text(node.value)}"


@prints(WaitForStatement)
def _wait_for(node: WaitForStatement) -> str:
    timeout = f", TIMEOUT {text(node.timeout)}" if node.timeout is not None else ""
    return f"WAITFOR ({text(node.statement)}){timeout}"


# --- errors and messages -----------------------------------------------------------------------------------


@prints(TryCatchStatement)
def _try_catch(node: TryCatchStatement) -> list[str]:
    return ["BEGIN TRY", *block(node.try_block), "END TRY", "BEGIN CATCH", *block(node.catch_block), "END CATCH"]


@prints(ThrowStatement)
def _throw(node: ThrowStatement) -> str:
    arguments = [text(a) for a in (node.number, node.message, node.state) if a is not None]
    return words("THROW", ", ".join(arguments))


@prints(RaiserrorStatement)
def _raiserror(node: RaiserrorStatement) -> str:
    arguments = comma((node.message, node.severity, node.state, *node.arguments))
    return words(f"RAISERROR ({arguments})", f"WITH {', '.join(node.options)}" if node.options else None)


@prints(PrintStatement)
def _print(node: PrintStatement) -> str:
    return f"PRINT {text(node.value)}"


# --- EXECUTE -----------------------------------------------------------------------------------------------


@prints(ExecuteStatement)
def _execute(node: ExecuteStatement) -> str:
    procedure = node.procedure if isinstance(node.procedure, str) else text(node.procedure)
    result = f"{node.result} =" if node.result else None
    return words("EXEC", result, procedure, comma(node.arguments), _result_sets(node.result_sets))


def _result_sets(sets: tuple[ResultSetDefinition, ...] | None) -> str | None:
    if sets is None:
        return None
    return f"WITH RESULT SETS ({comma(sets)})" if sets else "WITH RESULT SETS NONE"


@prints(ResultSetDefinition)
def _result_set(node: ResultSetDefinition) -> str:
    if node.columns:
        return f"({comma(node.columns)})"
    return f"AS OBJECT {text(node.object)}" if node.object is not None else "AS FOR XML"


@prints(ExecuteArgument)
def _execute_argument(node: ExecuteArgument) -> str:
    return words(f"{node.name} =" if node.name else None, text(node.value), "OUTPUT" if node.output else None)


@prints(ExecuteStringStatement)
def _execute_string(node: ExecuteStringStatement) -> str:
    principal = f"AS {node.as_kind} = {quoted(node.as_name)}" if node.as_name is not None else None
    server = f"AT {bare_name(node.at_server)}" if node.at_server else None
    pieces = " + ".join(text(piece) for piece in node.pieces)
    return words(
        f"EXEC ({', '.join([pieces, *map(text, node.values)])})", principal, server, _result_sets(node.result_sets)
    )


@prints(ExecuteAsStatement)
def _execute_as(node: ExecuteAsStatement) -> str:
    who = f"{node.kind} = {text(node.name)}" if node.name is not None else node.kind
    cookie = f"WITH COOKIE INTO {node.cookie}" if node.cookie else None
    return words("EXECUTE AS", who, "WITH NO REVERT" if node.no_revert else None, cookie)


@prints(RevertStatement)
def _revert(node: RevertStatement) -> str:
    return words("REVERT", f"WITH COOKIE = {text(node.cookie)}" if node.cookie is not None else None)


# --- transactions ------------------------------------------------------------------------------------------


def _transaction(verb: str, transaction: Identifier | str | None) -> str:
    return words(verb, name(transaction) if isinstance(transaction, Identifier) else transaction)


@prints(BeginTransactionStatement)
def _begin_transaction(node: BeginTransactionStatement) -> str:
    verb = "BEGIN DISTRIBUTED TRANSACTION" if node.distributed else "BEGIN TRANSACTION"
    mark = None if node.mark is None else words("WITH MARK", quoted(node.mark) if node.mark else None)
    return words(_transaction(verb, node.name), mark)


@prints(CommitTransactionStatement)
def _commit(node: CommitTransactionStatement) -> str:
    delayed = node.delayed_durability
    tail = None if delayed is None else f"WITH (DELAYED_DURABILITY = {'ON' if delayed else 'OFF'})"
    return words(_transaction("COMMIT TRANSACTION", node.name), tail)


@prints(RollbackTransactionStatement)
def _rollback(node: RollbackTransactionStatement) -> str:
    return _transaction("ROLLBACK TRANSACTION", node.name)


@prints(SaveTransactionStatement)
def _save(node: SaveTransactionStatement) -> str:
    return _transaction("SAVE TRANSACTION", node.name)


# --- cursors -----------------------------------------------------------------------------------------------


@prints(CursorDefinition)
def _cursor(node: CursorDefinition) -> str:
    update = None
    if node.update_of is not None:
        update = words("FOR UPDATE", f"OF {comma(node.update_of)}" if node.update_of else None)
    return words("CURSOR", *node.options, "FOR", text(node.query), update)


@prints(DeclareCursorStatement)
def _declare_cursor(node: DeclareCursorStatement) -> str:
    return f"DECLARE {name(node.name)} {text(node.definition)}"


@prints(SetCursorVariableStatement)
def _set_cursor(node: SetCursorVariableStatement) -> str:
    return f"SET {node.name} = {text(node.definition)}"


def _cursor_name(cursor: Identifier | VariableReference, is_global: bool) -> str:
    spelled = text(cursor)
    return f"GLOBAL {spelled}" if is_global else spelled


@prints(OpenCursorStatement)
def _open(node: OpenCursorStatement) -> str:
    return f"OPEN {_cursor_name(node.cursor, node.is_global)}"


@prints(CloseCursorStatement)
def _close(node: CloseCursorStatement) -> str:
    return f"CLOSE {_cursor_name(node.cursor, node.is_global)}"


@prints(DeallocateCursorStatement)
def _deallocate(node: DeallocateCursorStatement) -> str:
    return f"DEALLOCATE {_cursor_name(node.cursor, node.is_global)}"


@prints(FetchCursorStatement)
def _fetch(node: FetchCursorStatement) -> str:
    offset = text(node.offset) if node.offset is not None else None
    into = f"INTO {', '.join(map(text, node.into))}" if node.into else None
    return words("FETCH", node.orientation, offset, "FROM", _cursor_name(node.cursor, node.is_global), into)
