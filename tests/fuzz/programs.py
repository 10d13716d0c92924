"""Random programs from the grammar's own rules: each nonterminal is expanded at random, names come from the fuzz
database.

A program is mostly one that parses; whether it makes sense is left to chance, weighted towards names and types that
exist.
"""

from __future__ import annotations

import random
from functools import cache

from sbql.engine.scalars.function_registry import all_functions
from sbql.grammar.tables import START, grammar_text

__all__ = ["Programs"]

TABLES = "t u t u v #t ft(1) sys.objects sys.service_queues sys.conversation_endpoints q q2 dbo.t Fuzz.dbo.u @tab inserted nosuch".split()
COLUMNS = "a b c d e f g a b x.a t.a u.b h t_id name message_body conversation_handle status nosuch".split()
NAMES = 'a b c x y t u q q2 s s2 k m p fn v n tr dbo sys Fuzz master guest c1 [odd] "quoted"'.split()
VARIABLES = "@i @i @n @s @s @d @x @h @b @tab @f @money @v @c @none".split()
TYPES = (
    "int bigint smallint tinyint bit decimal(9,2) decimal(38,10) numeric money smallmoney float real date datetime datetime2(3) time(2) "
    "datetimeoffset smalldatetime char(5) varchar(20) varchar(max) nchar(3) nvarchar(50) nvarchar(max) text ntext binary(4) varbinary(8) "
    "varbinary(max) image uniqueidentifier xml sql_variant sysname dbo.y rowversion hierarchyid nosuch varchar(0) decimal(99,1)"
).split()  # fmt: skip
TERMINALS = {
    "INTEGER": "0 1 2 3 5 10 100 2147483647 2147483648 9223372036854775807 99999999999999999999999".split(),
    "NUMERIC": "0.0 1.5 .5 99.99 12345678901234567890123456789012345678 0.00000000000000000001".split(),
    "REAL": "1e0 1.5e3 1e308 1e-308 1e400 0e0".split(),
    "MONEY": "$1 $0.0001 $922337203685477.5807 $".split(),
    "STRING": (
        "'' 'a' N'x' N'ß✓𝄞' '1' '-1' '2026-01-01' '20260229' '12:30' '<a/>' '<a' '%[a-z]_%' 'yyyy-MM-dd' '$.a' '[1,{\"a\":null}]' "
        "'00000000-0000-0000-0000-000000000001' '(/r/x)[1]' 'it''s' 's2' '{' '00:00:01' 'int' 'SELECT/**/1'"
    ).split(),
    "BINARY": "0x 0x00 0xFF 0x0102030405060708".split(),
    "GLOBAL_VARIABLE": "@@ROWCOUNT @@ERROR @@TRANCOUNT @@IDENTITY @@FETCH_STATUS @@SPID @@VERSION @@NOSUCH".split(),
    "COMPARE": "= <> < > <= >= != !< !>".split(),
    "SHIFT": "<< >>".split(),
    "ASSIGN_OP": "= += -= *= /= %= &= |= ^=".split(),
    "LABEL": ["again:"],
    "UNSUPPORTED_SOURCE": ["OPENQUERY (a, 'SELECT 1')", "CHANGETABLE (CHANGES t, 1)", "CONTAINSTABLE (t, b, 'x')"],
    "UNSUPPORTED_PREDICATE": ["CONTAINS (b, 'x')", "FREETEXT (b, 'x')"],
    "UNSUPPORTED": "CHECKPOINT KILL BULK RECONFIGURE SHUTDOWN".split(),
    "_ADDED_IF_EXISTS": ["IF EXISTS"],
    "_AT_TIME_ZONE": ["AT TIME ZONE"],
    "_DATABASE_SCOPED_CREDENTIAL": ["DATABASE SCOPED CREDENTIAL"],
    "_DATABASE_SCOPED_CONFIGURATION": ["DATABASE SCOPED CONFIGURATION"],
    "DISABLE_TRIGGER": ["DISABLE TRIGGER"],
    "ENABLE_TRIGGER": ["ENABLE TRIGGER"],
    "_END_CONVERSATION": ["END CONVERSATION"],
    "_END_SUBSCRIPTION": ["END SUBSCRIPTION"],
    "FOR_XML": ["FOR XML"],
    "FOR_JSON": ["FOR JSON"],
    "_FOR_PATH": ["FOR PATH"],
    "_FOR_SYSTEM_TIME": ["FOR SYSTEM_TIME"],
    "FOR_BROWSE": ["FOR BROWSE"],
    "PERIOD_FOR_SYSTEM_TIME": ["PERIOD FOR SYSTEM_TIME"],
    "CREATE_TABLE": ["CREATE TABLE"],
    "CREATE_VIEW": ["CREATE VIEW"],
    "DENY_INSIDE": ["DENY"],
    "GRANT_INSIDE": ["GRANT"],
    "_REVOKE_INSIDE": ["REVOKE"],
    "TABLE_FEATURE": ["ENABLE CHANGE_TRACKING", "DISABLE FILETABLE_NAMESPACE"],
    "_GET_CONVERSATION_GROUP": ["GET CONVERSATION GROUP"],
    "_GROUPING_SETS": ["GROUPING SETS"],
    "_MOVE_CONVERSATION": ["MOVE CONVERSATION"],
    "PROCEDURE_NUMBER": [""],
    "_NOT_FOR_REPLICATION": ["NOT FOR REPLICATION"],
    "_NEXT_VALUE_FOR": ["NEXT VALUE FOR"],
    "_SEND_ON_CONVERSATION": ["SEND ON CONVERSATION"],
    "_WITH_CHECK_OPTION": ["WITH CHECK OPTION"],
    "_WITHIN_GROUP": ["WITHIN GROUP"],
    "IGNORE_NULLS": ["IGNORE NULLS"],
    "RESPECT_NULLS": ["RESPECT NULLS"],
    "NULL_ON_NULL": ["NULL ON NULL"],
    "ABSENT_ON_NULL": ["ABSENT ON NULL"],
}
COMMON = ("expression", "expression", "function_call", "function_call", "function_call", "condition", "select_statement", "select_statement", "insert", "update", "delete", "merge",
          "receive", "send", "begin_dialog", "begin_monolog", "begin_subscription", "declare", "set_statement", "create_table", "alter_table", "execute")  # fmt: skip
HEAD = (
    "DECLARE @i int = 3, @n nvarchar(50) = N'x', @s varchar(max) = 'abc', @d datetime = '20260101', @x xml = N'<r><x i=\"1\"/></r>', "
    "@h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints), @b varbinary(max) = 0x01, "
    "@f float = 1.5, @money money = 2, @v sql_variant = 5, @c cursor\nDECLARE @tab TABLE (a int, b nvarchar(50))\n"
)


@cache
def _rules() -> tuple[dict[str, list[list[tuple[str, bool]]]], dict[str, str], dict[str, int]]:
    """Alternatives of each nonterminal as (name, is terminal), spelling of the terminals, least depth of each
    nonterminal."""
    from lark.load_grammar import load_grammar

    grammar, _ = load_grammar(grammar_text(), "sbql", [], False)
    terminals, compiled, _ = grammar.compile([START], "*")
    spelled = {t.name: str(t.pattern.value) for t in terminals if t.pattern is not None and t.pattern.type == "str"}
    rules: dict[str, list[list[tuple[str, bool]]]] = {}
    for rule in compiled:
        rules.setdefault(str(rule.origin.name), []).append([(str(s.name), s.is_term) for s in rule.expansion])
    depths: dict[str, int] = {}
    while len(depths) < len(rules):
        for name, choices in rules.items():
            known = [
                1 + max((depths[s] for s, term in c if not term), default=0) for c in choices if _is_known(c, depths)
            ]
            if known:
                depths[name] = min(known)
    return rules, spelled, depths


def _is_known(choice: list[tuple[str, bool]], depths: dict[str, int]) -> bool:
    return all(is_terminal or name in depths for name, is_terminal in choice)


class Programs:
    """Makes programs; the same `chance` makes the same ones."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.rules, self.spelled, self.depths = _rules()
        self.functions = sorted(all_functions())

    def program(self) -> str:
        """A batch of one to four statements over declared variables."""
        count = self.chance.choice((1, 1, 1, 2, 2, 3, 4))
        head = HEAD
        if self.chance.random() < 0.3:
            head += self.chance.choice(
                ("BEGIN TRAN\n", "SET XACT_ABORT ON\n", "BEGIN TRY\n", "WHILE @i < 5 BEGIN SET @i += 1\n")
            )
        body = ";\n".join(self._statement() for _ in range(count))
        if head.endswith("BEGIN TRY\n"):
            body += "\nEND TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_MESSAGE() END CATCH"
        elif "WHILE" in head:
            body += "\nEND"
        if self.chance.random() < 0.05:
            return self.text("batch", 25)
        return head + body

    def _statement(self) -> str:
        """Every kind of statement alike, or one of those that hold the most."""
        kind = "statement" if self.chance.random() < 0.4 else self.chance.choice(COMMON)
        if kind in ("expression", "function_call"):
            return f"SELECT {self.text(kind, self.chance.randrange(4, 16))} AS r" + self.chance.choice(
                ("", " FROM t", " FROM u")
            )
        if kind == "condition":
            return f"SELECT a FROM t WHERE {self.text(kind, self.chance.randrange(4, 16))}"
        return self.text(kind, self.chance.randrange(5, 20))

    def text(self, name: str, budget: int) -> str:
        words: list[str] = []
        self._expand(name, budget, words)
        return " ".join(word for word in words if word)

    def _expand(self, name: str, budget: int, words: list[str]) -> None:
        known = self._known(name)
        if known is not None:
            words.append(known)
            return
        choices = self.rules[name]
        fitting = [c for c in choices if all(t or self.depths[s] < budget for s, t in c)]
        if not fitting:
            least = min(max((self.depths[s] for s, t in c if not t), default=0) for c in choices)
            fitting = [c for c in choices if max((self.depths[s] for s, t in c if not t), default=0) == least]
        if name == "function_call" and self.chance.random() < 0.7:
            self._call(budget, words)
            return
        if name in ("_semicolons", "expression", "term", "unary", "postfix", "_dotted") and self.chance.random() < 0.6:
            fitting = fitting[:1] if (fitting[0][0][0] != name) else fitting
        choice = self.chance.choice(fitting)
        if name == "function_call" and choice[0][0] == "_dotted":
            words.append(self.chance.choice(self.functions) if self.chance.random() < 0.9 else "dbo.fn")
            choice = choice[1:]
        for symbol, is_terminal in choice:
            if is_terminal:
                words.append(self._terminal(symbol))
            else:
                self._expand(symbol, budget - 1, words)

    def _call(self, budget: int, words: list[str]) -> None:
        """A built-in function with some arguments, and now and then a window."""
        words += [self.chance.choice(self.functions), "("]
        for position in range(self.chance.choice((0, 1, 1, 1, 2, 2, 2, 3, 3, 4))):
            if position:
                words.append(",")
            self._expand("expression", min(budget - 2, 6), words)
        words.append(")")
        if self.chance.random() < 0.1:
            words.append("OVER (PARTITION BY b ORDER BY a)")

    def _known(self, name: str) -> str | None:
        """A name that probably exists, for nonterminals that are names."""
        chance = self.chance
        if name == "object_name":
            return chance.choice(TABLES if chance.random() < 0.6 else NAMES)
        if name == "column_reference":
            return chance.choice(COLUMNS)
        if name == "data_type":
            return chance.choice(TYPES)
        return None

    def _terminal(self, name: str) -> str:
        if name == "IDENT":
            return self.chance.choice(NAMES if self.chance.random() < 0.5 else COLUMNS[:8])
        if name == "VARIABLE":
            return self.chance.choice(VARIABLES)
        if name in TERMINALS:
            return self.chance.choice(TERMINALS[name])
        return self.spelled[name]
