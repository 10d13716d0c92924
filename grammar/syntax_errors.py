"""What to say about a token that the grammar cannot take: the number, the offending word, and what was expected.

Decides between 102 (incorrect syntax), 156 (a reserved word), 111 (not first in its batch), 319 (WITH after an
unfinished statement), 153 (a number behind FETCH NEXT), 4145 (an expression instead of a condition) and 10713 (a MERGE
without its semicolon), as SQL Server does. It must not know any rule: it asks the parse table what would have gone on.
"""

from __future__ import annotations

from collections.abc import Sequence

from sbql.grammar.ast import OrderItem
from sbql.grammar.ast.base import Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import RESERVED, STATEMENT_STARTS
from sbql.grammar.lexer import Source, Token
from sbql.grammar.statement_forms import FORM_FIRST, form_of
from sbql.grammar.tables import ParseTable

__all__ = ["LISTED_IN", "incorrect_syntax", "refuse_order", "semicolon_advice", "syntax_error"]

_MODULES = {"PROC": "PROCEDURE", "PROCEDURE": "PROCEDURE", "FUNCTION": "FUNCTION", "VIEW": "VIEW", "TRIGGER": "TRIGGER"}

_NAMES = {
    "IDENT": "a name",
    "VARIABLE": "a variable",
    "GLOBAL_VARIABLE": "",
    "STRING": "a string",
    "INTEGER": "a number",
    "NUMERIC": "",
    "REAL": "",
    "MONEY": "",
    "BINARY": "",
    "COMPARE": "a comparison",
    "ASSIGN_OP": "",
    "SHIFT": "",
    "LABEL": "",
    "UNSUPPORTED": "",
    "UNSUPPORTED_PREDICATE": "",
    "UNSUPPORTED_SOURCE": "",
    "$END": "the end of the batch",
}
_OPERATORS = frozenset("+-*/%&|^")
_NO_COUNT = frozenset({"NEXT", "PRIOR", "FIRST", "LAST"})
_FETCH_COUNT = "Of a cursor it takes no number. Behind a query stands ORDER BY … OFFSET n ROWS FETCH NEXT m ROWS ONLY."
_MANY = 7
"""More choices than this are summed up."""


def incorrect_syntax(word: str, hint: str, span: Span) -> SqlError:
    """Error 102 or 156 at `span` near `word`, with a sentence that tells how it is written."""
    return sql_error(156 if word.upper() in RESERVED else 102, word, span=span).advise(hint)


def refuse_order(order_by: Sequence[OrderItem]) -> None:
    """Raises 156 for an ORDER BY in the middle of a query."""
    if order_by:
        raise incorrect_syntax("ORDER", "ORDER BY belongs behind the whole set operation.", order_by[0].span)


def syntax_error(
    table: ParseTable,
    states: Sequence[int],
    source: Source,
    tokens: Sequence[Token],
    index: int,
    count: int,
) -> SqlError:
    """The error for token `index` (of `count` words) on the parser's stack `states`."""
    token = tokens[index]
    span = source.span(token.start, tokens[index + count - 1].end)
    module = index + 2 if token.key == "OR" and _follow(tokens, index, "ALTER") else index
    if _is_module(tokens, module) and not _in_block(table, states):
        return sql_error(111, f"{tokens[index - 1].key} {_MODULES[tokens[module].key]}", span=span)
    if _unfinished_with(tokens, index):
        return sql_error(319, span=span)
    if _unfinished_merge(table, states, tokens, index):
        return sql_error(10713, span=span)
    if index and token.kind == "word" and token.key not in RESERVED and "QUEUE" in table.actions[states[-1]]:
        if tokens[index - 1].key in ("CREATE", "ALTER", "DROP"):
            return sql_error(343, token.text, span=span)
    if (
        index > 1
        and tokens[index - 2].key == "FETCH"
        and tokens[index - 1].key in _NO_COUNT
        and token.kind == "INTEGER"
    ):
        return sql_error(153, tokens[index - 1].text, "FETCH", state=2, span=span).advise(_FETCH_COUNT)
    if _unfinished_condition(table, states):
        near = tokens[index - 1 if token.kind == "end" and index else index]
        return sql_error(4145, near.text, span=source.span(near.start, near.end)).advise(
            _unfinished_statement(tokens, index)
        )
    hint = _unfinished_statement(tokens, index) or _drop_if_exists(tokens, index)
    if not hint:
        hint, has_words = _expected(table, states)
        form = form_of(tokens, index)
        if form.startswith(FORM_FIRST):
            hint = form
        elif form and not has_words:
            hint = f"{hint} {form}".strip()
    if token.kind == "end":
        previous = tokens[index - 1] if index else token
        error = sql_error(102, previous.text, span=source.span(previous.start, previous.end))
        return error.advise(f"The batch ends too soon. {hint}" if hint else "The batch ends too soon.")
    word = " ".join(t.text for t in tokens[index : index + count])
    if token.kind == "word" and token.key in RESERVED:
        return sql_error(156, token.text, span=span).advise(hint)
    return _with_fetch(sql_error(102, word, span=span).advise(hint), source, tokens, index)


def _with_fetch(error: SqlError, source: Source, tokens: Sequence[Token], index: int) -> SqlError:
    """OFFSET without ORDER BY: the FETCH behind it is read as the cursor's, and is wrong, too."""
    if not any(token.key == "OFFSET" for token in tokens[max(index - 1, 0) : index + 1]):
        return error
    for at in range(index, len(tokens) - 2):
        if tokens[at].text == ";":
            break
        option, behind = tokens[at + 1], tokens[at + 2]
        if tokens[at].key == "FETCH" and option.key in _NO_COUNT and behind.key != "FROM" and behind.kind != "end":
            second = sql_error(153, option.text, "FETCH", state=2, span=source.span(option.start, option.end))
            second.before = (error,)
            return second.advise(_FETCH_COUNT)
    return error


def _follow(tokens: Sequence[Token], index: int, *keys: str) -> bool:
    """Whether these words follow the token."""
    return [token.key for token in tokens[index + 1 : index + 1 + len(keys)]] == list(keys)


def _is_module(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token names a kind of module, behind CREATE, ALTER or CREATE OR ALTER."""
    if index >= len(tokens) or tokens[index].key not in _MODULES:
        return False
    return index > 0 and tokens[index - 1].key in ("CREATE", "ALTER")


def _in_block(table: ParseTable, states: Sequence[int]) -> bool:
    """Whether the statement stands inside BEGIN…END, IF or WHILE: SQL Server then calls it plain wrong syntax."""
    nearest = next((state for state in reversed(states) if "statement" in table.gotos[state]), states[0])
    return "$END" not in table.actions[nearest]


def _unfinished_with(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is, or stands right behind, a WITH that was meant to start a statement."""
    if tokens[index].key == "WITH":
        return True
    previous = tokens[index - 1] if index else None
    is_cte = tokens[index].key == "XMLNAMESPACES" or _is_table_expression(tokens, index)
    return previous is not None and previous.key == "WITH" and is_cte and tokens[index].kind in ("word", "quoted")


def _is_table_expression(tokens: Sequence[Token], index: int) -> bool:
    """Whether `name AS` or `name (columns) AS` is written here."""
    at = index + 1
    if at < len(tokens) and tokens[at].text == "(":
        at = next((place for place in range(at, len(tokens)) if tokens[place].text == ")"), len(tokens)) + 1
    return at < len(tokens) and tokens[at].key == "AS"


def _unfinished_merge(table: ParseTable, states: Sequence[int], tokens: Sequence[Token], index: int) -> bool:
    """Whether the token stands where a MERGE wants its semicolon: any other statement could end there without."""
    begin = next((i for i in range(index - 1, -1, -1) if tokens[i].text == ";"), -1)
    if not any(token.key == "MERGE" for token in tokens[begin + 1 : index]):
        return False
    return bool(table.shifted(states, table.literals[";"])) and not any(
        table.shifted(states, t) for t in ("$END", "PRINT")
    )


def _unfinished_condition(table: ParseTable, states: Sequence[int]) -> bool:
    """Whether an expression stands where a condition has to, and nothing compares it: BETWEEN and LIKE could follow."""
    return all(bool(table.shifted(states, table.literals[word])) for word in ("BETWEEN", "LIKE"))


_GOES_ON = {
    "SEND": "ON",
    "RECEIVE": "",
    "GET": "CONVERSATION",
    "MOVE": "CONVERSATION",
    "THROW": "",
    "ENABLE": "TRIGGER",
    "DISABLE": "TRIGGER",
}
"""The words that begin a statement and are not reserved, with the word that follows where it is always the same."""


def _unfinished_statement(tokens: Sequence[Token], index: int) -> str:
    """A sentence about the word before the token, if that was read as a name but
    looks like the start of a statement."""
    if index < 2 or tokens[index - 1].kind != "word":
        return ""
    before, word = tokens[index - 2], tokens[index - 1].key
    if before.key == "AS" or before.text in (";", ".", ",", "(", "="):
        return ""
    if _GOES_ON.get(word, "") not in ("", tokens[index].key):
        return ""
    return semicolon_advice(word)


def semicolon_advice(word: str) -> str:
    """What to say where this word, with which a statement begins, was read as a name ('' for other words)."""
    if word not in _GOES_ON:
        return ""
    return f"{word} is not reserved and was read as a name here. If it begins a statement, put ; before {word}."


LISTED_IN = {
    "MESSAGE TYPE": "sys.service_message_types",
    "CONTRACT": "sys.service_contracts",
    "QUEUE": "sys.service_queues",
    "SERVICE": "sys.services",
    "ROUTE": "sys.routes",
    "REMOTE SERVICE BINDING": "sys.remote_service_bindings",
    "BROKER PRIORITY": "sys.conversation_priorities",
    "ENDPOINT": "sys.endpoints",
    "LOGIN": "sys.server_principals",
    "APPLICATION ROLE": "sys.database_principals",
    "SERVER ROLE": "sys.server_principals",
    "CERTIFICATE": "sys.certificates",
    "SYMMETRIC KEY": "sys.symmetric_keys",
    "ASYMMETRIC KEY": "sys.asymmetric_keys",
    "XML SCHEMA COLLECTION": "sys.xml_schema_collections",
    "EVENT NOTIFICATION": "sys.event_notifications",
    "PARTITION FUNCTION": "sys.partition_functions",
    "CREDENTIAL": "sys.credentials",
    "PARTITION SCHEME": "sys.partition_schemes",
}
"""The kinds of objects whose DROP has no IF EXISTS, and the view that lists them."""


def _drop_if_exists(tokens: Sequence[Token], index: int) -> str:
    """What to write instead of DROP … IF EXISTS where SQL Server has no such thing."""
    if tokens[index].key != "IF" or not _follow(tokens, index, "EXISTS"):
        return ""
    kind = next(
        (
            k
            for k in LISTED_IN
            if [t.key for t in tokens[max(index - 4, 0) : index]][-len(k.split()) - 1 :] == ["DROP", *k.split()]
        ),
        None,
    )
    if kind is None:
        return ""
    return (
        f"DROP {kind} has no IF EXISTS. Write IF EXISTS (SELECT * FROM {LISTED_IN[kind]} WHERE name = N'…') DROP {kind} …; "
        "or allow it for sbql alone: --drop-if-exists, Instance.open(drop_if_exists=True)."
    )


def _expected(table: ParseTable, states: Sequence[int]) -> tuple[str, bool]:
    """A sentence with what could have followed, or '' when that would be a long list; and whether words are among it.
    That an expression can go on with an operator is not worth saying."""
    spelled = {terminal: text for text, terminal in table.literals.items()}
    choices = sorted(t for t in table.actions[states[-1]] if table.shifted(states, t))
    found: list[str] = []
    if sum(choice in STATEMENT_STARTS for choice in choices) > 10:
        choices = [c for c in choices if c not in STATEMENT_STARTS and c not in ("IDENT", "VARIABLE", "LABEL")]
        found.append("a statement")
    if "NUMERIC" in choices and "STRING" in choices:
        found.append("an expression")
        choices = [c for c in choices if c in ("$END", ";")]
    if {spelled.get(choice) for choice in choices} >= _OPERATORS:
        choices = [choice for choice in choices if spelled.get(choice) not in _OPERATORS]
    for choice in choices:
        name = _NAMES.get(choice, spelled.get(choice, choice.strip("_").replace("_", " ")))
        if name and name not in found:
            found.append(name)
    if not found or len(found) > _MANY:
        return "", False
    *most, last = (one if one[0].isalpha() else f"'{one}'" for one in found)
    has_words = any(one[0].isalpha() for one in found)
    return f"Expected {', '.join(most)} or {last}." if most else f"Expected {last}.", has_words
