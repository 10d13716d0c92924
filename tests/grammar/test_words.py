"""One rule for words: the documented reserved words are reserved, every other word of the grammar is a name as well.

Each word that the grammar knows and T-SQL does not reserve stands in every place where a name may stand; the text must
then mean the same as with the word in brackets.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sbql.grammar.ast import Identifier, Node
from sbql.grammar.errors import SqlError
from sbql.grammar.keywords import PHRASES, RESERVED, UNSUPPORTED, UNSUPPORTED_CALLS
from sbql.grammar.parser import parse_batch
from sbql.grammar.tables import load_table


def _soft_words() -> list[str]:
    spelled = {word for word in load_table().literals if word[0].isalpha()}
    heads = PHRASES.keys() | UNSUPPORTED.keys()
    tails = {word for phrases in PHRASES.values() for words, _ in phrases for word in words}
    more = {word for phrases in UNSUPPORTED.values() for words in phrases for word in words}
    calls = set().union(*UNSUPPORTED_CALLS.values())
    return sorted((spelled | heads | tails | more | calls) - RESERVED)


PLACES = {
    "column": """
        SELECT {w} FROM t
        SELECT t.{w}, {w}.x, {w} + 1, -{w}, a + {w} FROM t WHERE {w} = 1 AND a > {w} GROUP BY {w} HAVING {w} > 1 ORDER BY {w}, a DESC, {w} ASC
        SELECT a FROM t ORDER BY {w} OFFSET 1 ROWS
        SELECT DISTINCT {w}, COUNT(*) FROM t WHERE {w} IS NULL OR {w} LIKE 'a' OR {w} BETWEEN 1 AND 2 OR {w} IN (1, {w})
        SELECT CASE {w} WHEN {w} THEN {w} ELSE {w} END, CASE WHEN {w} = 1 THEN {w} END, CAST({w} AS int), CONVERT(int, {w}), f({w}), f(1, {w})
        SELECT SUM({w}) OVER (PARTITION BY {w} ORDER BY {w} ROWS UNBOUNDED PRECEDING), {w} COLLATE Latin1_General_BIN FROM t
        SELECT TOP ({w}) a, ({w}), (SELECT {w}), {w} AS x, x = {w}, @v = {w} FROM t JOIN u ON t.{w} = u.{w}
        INSERT t ({w}) VALUES (1)
        INSERT t (a, {w}) SELECT {w}, {w} FROM u
        INSERT t (a, {w}) OUTPUT inserted.{w} INTO u ({w}) DEFAULT VALUES
        UPDATE t SET {w} = 1, a = {w}, {w} += {w}, t.{w} = DEFAULT OUTPUT deleted.{w} WHERE {w} = {w}
        DELETE t OUTPUT deleted.{w} WHERE {w} = 1
        MERGE t USING u ON t.{w} = u.{w} WHEN MATCHED AND {w} = 1 THEN UPDATE SET {w} = {w} WHEN NOT MATCHED THEN INSERT ({w}) VALUES ({w});
        CREATE TABLE t ({w} int)
        CREATE TABLE t ({w} int NOT NULL, a int, {w} varchar(10) DEFAULT 'x', CONSTRAINT c UNIQUE ({w}), CHECK ({w} > 1))
        CREATE TABLE t (a int, {w} AS a + 1, x AS {w}, PRIMARY KEY ({w} DESC), FOREIGN KEY ({w}) REFERENCES u ({w}))
        DECLARE @v TABLE ({w} int, a int)
        ALTER TABLE t ADD {w} int NULL
        ALTER TABLE t ALTER COLUMN {w} int
        ALTER TABLE t DROP COLUMN {w}
        CREATE INDEX i ON t ({w}) INCLUDE ({w}) WHERE {w} = 1
        WITH c ({w}) AS (SELECT 1) SELECT {w} FROM c
        SELECT {w} FROM (VALUES (1)) AS v ({w})
        SELECT * FROM t PIVOT (MAX(a) FOR {w} IN (x)) AS p
        SELECT * FROM OPENJSON(@j) WITH ({w} int '$.a')
        RECEIVE {w} FROM q
        RECEIVE a, {w} AS x FROM q
        DECLARE c CURSOR FOR SELECT {w} FROM t FOR UPDATE OF {w}
        CREATE PROCEDURE p AS RETURN {w}
        PRINT {w}
        IF {w} = 1 PRINT 'x'
        GRANT SELECT ON t ({w}) TO u
        SELECT a FROM t WHERE EXISTS (SELECT {w} FROM u) AND a = ALL (SELECT {w} FROM u)
        SELECT {w} UNION SELECT {w} EXCEPT SELECT {w}
        SELECT {w}; SELECT {w}
        SELECT {w} SELECT {w}
    """,
    "alias with AS": """
        SELECT 1 AS {w}
        SELECT 1 AS {w}, a AS {w} FROM t
        SELECT f(x) AS {w} INTO #t FROM t
        RECEIVE TOP (1) message_body AS {w}, status AS {w} FROM q
        DELETE t OUTPUT deleted.a AS {w} WHERE a = 1
        SELECT (SELECT 1 AS {w}) AS {w} FOR XML RAW
    """,
    "alias without AS": """
        SELECT 1 {w}
        SELECT 1 {w}, 'a' {w}, a {w}, t.a {w}, @v {w}, NULL {w}, -1 {w}, a + 1 {w}, f(x) {w}, (1) {w}, (SELECT 1) {w}, CAST(a AS int) {w} FROM t
        SELECT CASE WHEN 1 = 1 THEN 2 END {w}, @@ROWCOUNT {w}, COUNT(*) OVER (ORDER BY a) {w}, GETDATE() {w}, $1 {w}, 0x01 {w} INTO #t FROM t
        SELECT 1 {w} SELECT 2 {w}
        SELECT 1 {w}; SELECT 2 {w}
        SELECT 1 {w} UNION SELECT 2 {w} ORDER BY 1
        SELECT {w} = 1, a = 2
        IF 1 = 1 SELECT 1 {w} ELSE SELECT 2 {w}
        BEGIN SELECT 1 {w} END
        RECEIVE TOP (1) message_body {w}, status {w} FROM q
        SELECT x.y {w} FROM (SELECT 1 {w}) x
        DELETE t OUTPUT deleted.a {w} WHERE a = 1
        INSERT t SELECT a {w} FROM u
        SELECT @x.value('a', 'int') {w}, t.x.query('a') {w} FROM t
        SELECT NEXT VALUE FOR s {w}, LEFT(a, 1) {w}, CURRENT_TIMESTAMP {w}, CONVERT(int, a) {w} FROM t
    """,
    "table alias": """
        SELECT a FROM t AS {w}
        SELECT a FROM t {w}
        SELECT {w}.a, {w}.* FROM dbo.t {w} WHERE {w}.a = 1
        SELECT a FROM t {w} JOIN u AS {w} ON {w}.a = 1 LEFT JOIN v {w} ON 1 = 1 CROSS JOIN x {w} CROSS APPLY f(1) {w}
        SELECT a FROM t {w}, u {w}, (SELECT 1 AS a) {w}, (VALUES (1)) {w} (a), f(1) {w}, @t {w} ORDER BY a
        SELECT a FROM t {w} WITH (NOLOCK) WHERE a = 1 GROUP BY a
        SELECT a FROM t {w} SELECT a FROM t {w}
        SELECT a FROM t {w} UNION ALL SELECT a FROM u {w}
        SELECT a FROM t {w} FOR XML RAW
        SELECT a FROM t {w} OPTION (RECOMPILE)
        SELECT a FROM @x.nodes('a') AS {w} (c) CROSS APPLY c.nodes('b') {w} (d)
        SELECT a FROM OPENJSON(@j) {w}
        SELECT a FROM OPENJSON(@j) WITH (a int) AS {w}
        SELECT a FROM t PIVOT (MAX(a) FOR b IN (x)) {w}
        SELECT a FROM t UNPIVOT (a FOR b IN (x)) AS {w}
        UPDATE {w} SET a = 1 FROM t {w} WHERE {w}.a = 2
        UPDATE {w} SET {w}.a = 1 FROM t AS {w} JOIN u ON 1 = 1
        DELETE {w} FROM t {w}
        DELETE FROM {w} FROM t {w} WHERE 1 = 1
        MERGE t AS {w} USING u ON 1 = 1 WHEN MATCHED THEN DELETE;
        MERGE INTO dbo.t {w} USING u ON 1 = 1 WHEN MATCHED THEN DELETE;
        MERGE t USING u AS {w} ON {w}.a = t.a WHEN MATCHED THEN DELETE;
        MERGE t USING u {w} ON 1 = 1 WHEN MATCHED THEN DELETE;
        MERGE t USING (SELECT 1 AS a) {w} ON 1 = 1 WHEN MATCHED THEN DELETE;
        IF EXISTS (SELECT * FROM t {w}) PRINT 'x'
        WHILE 1 = 1 SELECT * FROM t {w}
        WITH c AS (SELECT 1 AS a FROM t {w}) SELECT a FROM c {w}
    """,
    "table": """
        SELECT a FROM {w}
        SELECT a FROM {w} x JOIN {w} ON 1 = 1, {w}
        SELECT a FROM dbo.{w} AS x, {w}.{w}, d..{w} WHERE 1 = 1
        SELECT a INTO {w} FROM {w} ORDER BY a
        INSERT {w} VALUES (1)
        INSERT INTO {w} (a) SELECT 1
        INSERT INTO {w} SELECT 1
        INSERT {w} DEFAULT VALUES
        INSERT {w} EXEC p
        UPDATE {w} SET a = 1
        DELETE {w}
        DELETE FROM {w} WHERE a = 1
        MERGE dbo.{w} USING {w} AS a ON 1 = 1 WHEN MATCHED THEN DELETE;
        MERGE INTO {w} AS a USING {w} AS b ON 1 = 1 WHEN MATCHED THEN DELETE;
        TRUNCATE TABLE {w}
        CREATE TABLE {w} (a int)
        CREATE TABLE dbo.{w} (a int REFERENCES {w} (a))
        ALTER TABLE {w} ADD a int
        DROP TABLE {w}
        DROP TABLE IF EXISTS {w}, dbo.{w}
        WITH {w} AS (SELECT 1 AS a) SELECT a FROM {w}
        WITH {w} (a) AS (SELECT 1), x AS (SELECT a FROM {w}) SELECT a FROM {w}
        CREATE INDEX {w} ON {w} (a)
        DROP INDEX {w} ON {w}
        GRANT SELECT ON {w} TO {w}
        BULK INSERT {w} FROM 'f'
        SET IDENTITY_INSERT {w} ON
    """,
    "variable": """
        DECLARE @{w} int
        DECLARE @{w} int = 1, @a varchar(10) = @{w}
        SET @{w} = @{w} + 1
        SELECT @{w} = @{w} FROM t WHERE a = @{w}
        EXEC p @{w}, @a = @{w}, @{w} = 1, @b = @{w} OUTPUT
        DECLARE @{w} TABLE (a int)
        RECEIVE * FROM q INTO @{w}
    """,
    "procedure": """
        CREATE PROCEDURE {w} AS RETURN 1
        CREATE OR ALTER PROC dbo.{w} @{w} int = 1 AS EXEC {w}
        EXEC {w}
        EXEC {w} 1, 'a', @a, @b = 2
        EXEC @r = {w} 1
        EXECUTE dbo.{w} @a OUTPUT
        EXEC {w}; EXEC {w} SELECT 1
        DROP PROCEDURE {w}
        DROP PROCEDURE IF EXISTS {w}
        INSERT t EXEC {w} 1
        GRANT EXECUTE ON {w} TO u
        CREATE FUNCTION {w} (@{w} int) RETURNS int AS BEGIN RETURN @{w} END
        CREATE VIEW {w} ({w}) AS SELECT 1 AS {w}
        CREATE VIEW {w} AS SELECT a {w} FROM t {w}
        CREATE TRIGGER {w} ON {w} AFTER INSERT AS PRINT 'x'
    """,
    "function": """
        SELECT dbo.{w}(1), a FROM dbo.{w}(2) x
    """,
    "name of a broker's object": """
        CREATE MESSAGE TYPE {w} VALIDATION = NONE
        CREATE MESSAGE TYPE {w}
        ALTER MESSAGE TYPE {w} VALIDATION = EMPTY
        CREATE MESSAGE TYPE {w} AUTHORIZATION {w}
        CREATE CONTRACT {w} ({w} SENT BY ANY, a SENT BY TARGET)
        CREATE QUEUE {w}
        CREATE QUEUE {w} WITH STATUS = ON, ACTIVATION (PROCEDURE_NAME = {w}, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)
        ALTER QUEUE dbo.{w} WITH RETENTION = ON
        CREATE SERVICE {w} ON QUEUE {w} ({w}, a)
        CREATE SERVICE {w} AUTHORIZATION {w} ON QUEUE dbo.{w}
        ALTER SERVICE {w} (ADD CONTRACT {w}, DROP CONTRACT {w})
        CREATE ROUTE {w} WITH SERVICE_NAME = 'a', ADDRESS = 'LOCAL'
        CREATE BROKER PRIORITY {w} FOR CONVERSATION SET (CONTRACT_NAME = {w}, LOCAL_SERVICE_NAME = {w})
        DROP MESSAGE TYPE {w}
        DROP CONTRACT {w}
        DROP SERVICE {w} DROP QUEUE {w} DROP ROUTE {w}
        BEGIN DIALOG @h FROM SERVICE {w} TO SERVICE 'a' ON CONTRACT {w}
        BEGIN DIALOG CONVERSATION @h FROM SERVICE {w} TO SERVICE 'a' WITH ENCRYPTION = OFF
        SEND ON CONVERSATION @h MESSAGE TYPE {w} ('x')
        SEND ON CONVERSATION @h MESSAGE TYPE {w}
        RECEIVE * FROM {w}
        RECEIVE * FROM dbo.{w} INTO @t WHERE conversation_handle = @h
        WAITFOR (RECEIVE * FROM {w}), TIMEOUT 1
        GET CONVERSATION GROUP @g FROM {w}
        SELECT * FROM {w}
    """,
    "other names": """
        USE {w}
        CREATE DATABASE {w}
        ALTER DATABASE {w} SET ENABLE_BROKER
        DROP DATABASE {w}
        CREATE SCHEMA {w}
        CREATE SCHEMA {w} AUTHORIZATION {w}
        CREATE USER {w} WITHOUT LOGIN
        CREATE USER {w}
        CREATE USER {w} FOR LOGIN {w}
        CREATE LOGIN {w} WITH PASSWORD = 'a'
        CREATE ROLE {w} AUTHORIZATION {w}
        ALTER ROLE {w} ADD MEMBER {w}
        CREATE SEQUENCE {w} START WITH 1
        SELECT NEXT VALUE FOR {w}, NEXT VALUE FOR dbo.{w}
        CREATE SYNONYM {w} FOR {w}
        CREATE TYPE {w} FROM int
        CREATE TYPE {w} AS TABLE ({w} int)
        DECLARE @v {w}
        DECLARE @v dbo.{w}, @x {w}
        CREATE CERTIFICATE {w} WITH SUBJECT = 'a'
        CREATE SYMMETRIC KEY {w} WITH ALGORITHM = AES_256 ENCRYPTION BY CERTIFICATE {w}
        OPEN SYMMETRIC KEY {w} DECRYPTION BY CERTIFICATE {w}
        CREATE TABLE t (a int CONSTRAINT {w} PRIMARY KEY, CONSTRAINT {w} CHECK (a > 1), INDEX {w} (a))
        ALTER TABLE t ADD CONSTRAINT {w} UNIQUE (a)
        ALTER TABLE t DROP CONSTRAINT {w}
        ALTER TABLE t DROP {w}
        SAVE TRANSACTION {w}
        BEGIN TRANSACTION {w}
        COMMIT TRANSACTION {w}
        ROLLBACK TRAN {w}
        BEGIN TRAN {w} SELECT 1
        DECLARE {w} CURSOR FOR SELECT 1
        DECLARE {w} CURSOR LOCAL FAST_FORWARD FOR SELECT 1
        OPEN {w}
        OPEN GLOBAL {w}
        CLOSE {w}
        DEALLOCATE {w}
        FETCH {w}
        FETCH {w} INTO @a
        FETCH NEXT FROM {w} INTO @a
        FETCH FROM {w}
        GOTO {w}
        {w}: SELECT 1
        GRANT SEND ON SERVICE::{w} TO {w}
        EXECUTE AS USER = 'a'; REVERT
        ALTER AUTHORIZATION ON SERVICE::{w} TO {w}
        SELECT SUM(a) OVER {w} FROM t WINDOW {w} AS (ORDER BY a)
        SELECT SUM(a) OVER ({w}) FROM t WINDOW {w} AS (PARTITION BY a)
        SELECT SUM(a) OVER ({w} ORDER BY b) FROM t WINDOW {w} AS (PARTITION BY a)
    """,
}
UNKNOWN = "zz9q"


def _shape(value: Any) -> Any:
    """A tree as tuples, without spans, and without how a name was quoted."""
    if isinstance(value, Identifier):
        return value.value
    if isinstance(value, Node):
        return (
            type(value).__name__,
            *(_shape(getattr(value, name)) for name in value.__dataclass_fields__ if name != "span"),
        )
    if isinstance(value, (tuple, list)):
        return tuple(_shape(item) for item in value)
    return value


@cache
def _expected(text: str) -> str:
    """The tree of a text with a word that the grammar does not know."""
    return repr(_shape(parse_batch(text.replace("{w}", UNKNOWN))))


XML_METHODS = {"modify", "query", "value"}  # dbo.value(1) is the method of a column dbo

NAMES = [
    (w.lower(), place) for place in PLACES for w in _soft_words() if place != "function" or w.lower() not in XML_METHODS
]


@pytest.mark.matrix
@pytest.mark.parametrize(("word", "place"), NAMES)
def test_word_is_a_name(word: str, place: str) -> None:
    for text in PLACES[place].strip().splitlines():
        bare = text.strip().replace("{w}", word)
        assert repr(_shape(parse_batch(bare))) == _expected(text.strip()).replace(UNKNOWN, word), bare


STATEMENTS = [
    "SEND ON CONVERSATION @h ('x')",
    "RECEIVE TOP (1) * FROM q",
    "RECEIVE * FROM q",
    "RECEIVE @h = conversation_handle FROM q",
    "GET CONVERSATION GROUP @g FROM q",
    "MOVE CONVERSATION @h TO @g",
    "THROW 50000, 'x', 1",
    "DISABLE TRIGGER r ON t",
    "ENABLE TRIGGER r ON t",
]
TAKES_A_NAME = [
    "SELECT 1",
    "SELECT a FROM t",
    "SELECT a, b + 1",
    "SELECT a FROM (SELECT 1) AS x, u",
    "BEGIN TRANSACTION",
    "COMMIT TRAN",
    "EXEC p",
]
TAKES_NONE = [
    "SELECT 1 AS a", "SELECT @v = 1", "SELECT a FROM t AS x", "SELECT a FROM t WHERE a = 1", "SELECT a FROM t ORDER BY a", "SET @v = 1",
    "EXEC p 1", "COMMIT", "BEGIN TRAN x", "PRINT 'a'", "INSERT t VALUES (1)", "UPDATE t SET a = 1", "DELETE t", "IF 1 = 1", "BEGIN TRY", "again:",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("before", TAKES_A_NAME)
def test_statement_behind_what_takes_a_name_needs_a_semicolon(before: str, statement: str) -> None:
    """The word is read as the name, and the error that follows tells the cure."""
    word = statement.split()[0]
    with pytest.raises(SqlError) as caught:
        parse_batch(f"{before} {statement}")
    assert caught.value.number in (102, 156)
    assert caught.value.column == len(f"{before} {word} ") + 1
    assert f"put ; before {word}." in caught.value.message
    assert len(parse_batch(f"{before}; {statement}").statements) == 2


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("before", TAKES_NONE)
def test_statement_behind_what_takes_no_name_needs_none(before: str, statement: str) -> None:
    end = " END TRY BEGIN CATCH END CATCH" if before == "BEGIN TRY" else ""
    joint = "" if end or before.startswith("IF") else ";"
    assert _shape(parse_batch(f"{before} {statement}{end}")) == _shape(parse_batch(f"{before}{joint} {statement}{end}"))


def test_a_word_alone_is_a_name_and_no_error() -> None:
    """As in SQL Server: the classical trap of a forgotten semicolon before THROW."""
    assert len(parse_batch("BEGIN TRAN THROW").statements) == 1
    assert len(parse_batch("ROLLBACK TRAN THROW").statements) == 1
    assert len(parse_batch("ROLLBACK THROW").statements) == 2


def test_the_same_word_twice_is_name_and_keyword() -> None:
    for word in ("using", "window"):
        assert _shape(parse_batch(f"MERGE t {word} USING u ON 1 = 1 WHEN MATCHED THEN DELETE;"))
    assert _shape(parse_batch("SELECT a FROM t window WINDOW window AS (ORDER BY a)"))
