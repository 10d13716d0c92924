"""Listings typed wrong as newcomers do: each error has its number and line, and names the next step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.scripts import read_script
from sbql.grammar.batches import BatchText
from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import UNCLOSED, Source, scan
from sbql.grammar.parser import parse_batch

LISTING = """CREATE MESSAGE TYPE [Ask] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [Answer] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [Asking] ([Ask] SENT BY INITIATOR, [Answer] SENT BY TARGET);
CREATE QUEUE AskQueue WITH STATUS = ON;
CREATE SERVICE [AskService] ON QUEUE AskQueue ([Asking]);
DECLARE @h uniqueidentifier, @body xml;
BEGIN DIALOG CONVERSATION @h FROM SERVICE [AskService] TO SERVICE 'AskService' ON CONTRACT [Asking] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [Ask] (N'<a/>');
WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @body = message_body FROM AskQueue), TIMEOUT 100;
END CONVERSATION @h;"""

SLIPS = [
    ("VALIDATION", "VALIDATON", 102, 1, "VALIDATION"),
    ("INITIATOR, ", "INITIATOR ", 102, 3, "Expected ','"),
    ("N'<a/>');", "N'<a/>);", 105, 8, "one is missing"),
    ("N'<a/>'", "N‘<a/>’", 102, 8, "wants the plain '"),
    ("FROM SERVICE [AskService]", "FROM SERVICE [askservice]", 8423, 7, "AskService? These names are case sensitive"),
    ("ON CONTRACT [Asking]", "ON CONTRACT [asking]", 8425, 7, "Asking? These names are case sensitive"),
    ("MESSAGE TYPE [Ask] (N", "MESSAGE TYPE [Answer] (N", 8432, 8, "lets this side send Ask"),
    ("MESSAGE TYPE [Ask] (N", "(N", 8431, 8, "without MESSAGE TYPE"),
    ("BEGIN DIALOG CONVERSATION @h", "-- @h", 8418, 8, "BEGIN DIALOG"),
    ("message_body FROM AskQueue", "message_body AskQueue", 102, 9, "FROM"),
    ("FROM AskQueue", "FROM AskQueu", 208, 9, "AskQueue?"),
    ("([Ask] SENT", "([ask] SENT", 15151, 3, "case sensitive"),
    ("RECEIVE TOP", "RECIEVE TOP", 102, 9, "RECEIVE instead"),
    ("CONVERSATION @h MESSAGE", "CONVERSTION @h MESSAGE", 102, 8, "CONVERSATION instead"),
    ("STATUS = ON", "STATUS = OFF", 9617, 9, "ALTER QUEUE"),
    ("'AskService'", "'AskService", 105, 8, "in a line before"),
    ("DECLARE @h", "CREATE PROCEDURE p AS SELECT 1; DECLARE @h", 111, 6, "Put GO"),
    ("WITH ENCRYPTION = OFF", "WITH ENCRYPTION OFF", 156, 7, "Expected '='"),
    ("END CONVERSATION @h;", "END CONVERSATION @h; END CONVERSATION @h;", 8427, 10, "ended it already"),
    ("END CONVERSATION @h;", "SELECT 1 WITH y AS (SELECT 2 AS b) SELECT * FROM y", 319, 10, "semicolon"),
    ("END CONVERSATION @h;", "END CONVERSATION @handle;", 137, 10, "DECLARE it"),
    ("END CONVERSATION @h;", "INSERT AskQueue VALUES (1)", 416, 10, "SEND puts"),
    ("END CONVERSATION @h;", "DROP QUEUE AskQueue", 3716, 10, "AskService"),
    ("END CONVERSATION @h;", "CREATE CERTIFICATE c WITH SUBJECT = 'x'", 15581, 10, "USE [Book]; CREATE MASTER KEY"),
]


def errors_of(text: str) -> list[tuple[int, int, str]]:
    instance = Instance.open(None)
    found: list[tuple[int, int, str]] = []

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.line, outcome.error.message))

    try:
        session = instance.connect()
        session.run("CREATE DATABASE Book", sink=sink)
        session.run("USE Book", sink=sink)
        session.run(text, sink=sink)
    finally:
        instance.close()
    return found


def test_the_listing_is_right() -> None:
    assert errors_of(LISTING) == []


@pytest.mark.parametrize(("right", "wrong", "number", "line", "advice"), SLIPS)
def test_a_slip_is_answered_with_the_next_step(right: str, wrong: str, number: int, line: int, advice: str) -> None:
    assert right in LISTING
    found = errors_of(LISTING.replace(right, wrong, 1))
    # Behind a quotation mark that is missing stands what that makes wrong: SQL Server tells of both, by their places.
    error = next((one for one in found if one[0] == number), None) if number == UNCLOSED else found[0]
    assert error is not None
    assert error[:2] == (number, line)
    assert advice in error[2]


# --- slips of the pen in the listings of the book ----------------------------------------------------------

BOOK = Path(__file__).parents[2] / "scripts" / "book"
BOOKED = (
    "listing-15-05", "listing-15-09", "listing-15-13", "listing-15-17-waiting", "listing-15-19", "listing-15-21",
    "scalability-activation", "scalability-dialogs", "snippet-conversation-group", "tutorial-endpoints",
)  # fmt: skip


def slips(text: str) -> Iterator[tuple[str, str]]:
    """The batch with one slip, and what the message must say then."""
    seen = set()
    for token in scan(Source(text, 1)):
        before, written, after = text[: token.start], text[token.start : token.end], text[token.end :]
        kind = "STRING" if token.kind == "STRING" else token.key
        if kind in seen:
            continue
        seen.add(kind)
        if token.kind == "STRING":
            sign, inside = written[: written.index("'")], written[written.index("'") + 1 : -1]
            yield f"{before}{sign}‘{inside}’{after}", "wants the plain '"
            yield f"{before}{sign}“{inside}”{after}", "wants the plain ' around a text"
            if not any(c in after for c in "'-/"):  # else the next one closes it, or a comment follows
                yield f"{before}{sign}'{inside}{after}", "is never closed"
        elif written == "-":
            yield f"{before}–{after}", "wants the plain -"
        elif token.kind == "word" and len(written) > 3 and written.isupper() and written.isalpha():
            middle = len(written) // 2
            wrong = written[: middle - 1] + written[middle] + written[middle - 1] + written[middle + 1 :]
            if wrong != written:
                yield f"{before}{wrong}{after}", f"Did you mean {written}"
    if "--" in text:
        yield text.replace("--", "—", 1), "wants the plain -"


def test_the_listings_with_slips() -> None:
    """A message that parsing gives names the word that was meant; nothing else is refused. Names of functions, of
    options of a database and the like are looked at when the statement runs."""
    failures, told = [], 0
    for name in BOOKED:
        for step in read_script(BOOK / f"{name}.sql", {}).steps():
            if not isinstance(step, BatchText):
                continue
            for text, advice in slips(step.text):
                try:
                    parse_batch(text)
                except SqlError as error:
                    told += 1
                    if not any(advice in one.message for one in error.with_causes()):
                        failures.append(f"{name}: {advice!r} is not in {error}")
    assert not failures, "\n".join(failures)
    assert told > 150


NAMED = [
    ("DROP TABLE Ordrs", 3701, "Did you mean Orders?"),
    ("ALTER TABLE Ordrs ADD b int", 4902, "Did you mean Orders?"),
    ("DROP QUEUE AskQuue", 3701, "Did you mean AskQueue?"),
    ("DROP DATABASE Boook", 3701, "Did you mean Book?"),
    ("USE Boook", 911, "Did you mean Book?"),
    ("SET LANGUAGE Grman", 2740, "Did you mean German?"),
    ("SET LANGUAGE klingon", 2740, "sys.syslanguages"),
    ("DECLARE rows_of CURSOR FOR SELECT 1; OPEN rows_off", 16916, "Did you mean rows_of?"),
    ("FETCH NEXT FROM nothing", 16916, "DECLARE … CURSOR"),
    ("EXEC sp_helptxt 'x'", 2812, "Did you mean sp_helptext?"),
    ("SELECT * FROM Ordrs", 208, "Did you mean Orders?"),
    ("SELECT nam FROM Orders", 207, "Did you mean name?"),
    ("USE master; SELECT * FROM Nothing", 208, "The session is in master: USE changes"),
    ("USE master; SELECT * FROM Orders", 208, "The database Book has one: USE Book first, or write Book.dbo.Orders."),
    ("USE master; EXEC nothing_at_all", 2812, "The session is in master: USE changes"),
]


@pytest.mark.parametrize(("text", "number", "advice"), NAMED)
def test_a_wrong_name_is_answered_with_the_next_step(text: str, number: int, advice: str) -> None:
    error = next(iter(errors_of(f"CREATE TABLE Orders (name int); CREATE QUEUE AskQueue; {text}")), None)
    assert error is not None
    assert error[0] == number
    assert advice in error[2]
