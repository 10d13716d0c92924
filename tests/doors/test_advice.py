"""Every error that a newcomer meets says what to do next: what to write instead, or where to look."""

from __future__ import annotations

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

SETUP = """
CREATE DATABASE Advised
GO
USE Advised;
CREATE TABLE t (id int NOT NULL PRIMARY KEY, name varchar(5), n int); CREATE TABLE u (id int IDENTITY, t_id int REFERENCES t (id));
INSERT t VALUES (1, 'a', 1), (2, 'b', 2); CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]); CREATE MESSAGE TYPE m VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT c (m SENT BY TARGET, [DEFAULT] SENT BY INITIATOR); CREATE SERVICE sc ON QUEUE q (c)
GO
CREATE PROCEDURE p @a int AS RETURN
GO
CREATE FUNCTION dbo.f (@a int) RETURNS int AS BEGIN RETURN @a END
GO
CREATE VIEW v AS SELECT id, n + 1 AS m FROM t
GO
CREATE DATABASE Shut
GO
ALTER DATABASE Shut SET OFFLINE
"""

ADVISED = """
208 | RECEIVE * FROM t | dbo.t is a table, which cannot stand here
208 | EXEC ('USE master; SELECT * FROM v') | USE Advised first, or write Advised.dbo.v
102 | RAISERROR ('no stock') | RAISERROR ('no stock', 16, 1)
102 | RAISERROR ('no stock', 16) | message, severity, state
102 | THROW 50000, 'no stock' | THROW 50000, 'no stock', 1
102 | DECLARE @h uniqueidentifier; SEND ON CONVERSATION @h TYPE m ('x') | SEND ON CONVERSATION @handle MESSAGE TYPE name (body)
102 | CREATE QUEUE q2 ACTIVATION (PROCEDURE_NAME = p) | CREATE QUEUE name WITH STATUS = ON, ACTIVATION
102 | CREATE MESSAGE TYPE m2 WELL_FORMED_XML | VALIDATION = WELL_FORMED_XML
102 | CREATE CONTRACT c2 (m) | Expected SENT
102 | SELECT ‘a’ | Replace it in the whole text
102 | SELECT 1 – 1 | T-SQL wants the plain -
102 | SELECT id FORM t | Did you mean FROM
105 | SELECT 'a | is never closed
107 | SELECT x.* FROM t | FROM has to name that table
109 | INSERT t (id, n) VALUES (9) | of one length
110 | INSERT t (id) VALUES (9, 9) | of one length
111 | SELECT 1 CREATE PROCEDURE p2 AS SELECT 1 | GO on a line of its own
128 | PRINT hello | single quotation marks
134 | DECLARE @a int; DECLARE @a int | SET gives a variable another value
135 | BREAK | RETURN
137 | PRINT @nope | DECLARE it in this batch
141 | DECLARE @a int; SELECT @a = 1, id FROM t | two SELECT statements
145 | SELECT DISTINCT name FROM t ORDER BY id | Add them to the select list
147 | SELECT id FROM t WHERE COUNT(*) > 1 | HAVING
148 | WAITFOR DELAY 'soon' | 'hh:mm:ss'
155 | SELECT DATEADD(fortnight, 1, GETDATE()) | It takes year, quarter
156 | SELECT id FROM t WHERE n = FROM t | Expected an expression
174 | SELECT LEN() | requires 1 argument
178 | RETURN 5 | write RETURN alone
195 | SELECT LENN('a') | Did you mean LEN?
195 | SELECT qwertyuiop('a') | dbo.name(…)
195 | SET NOCONT ON | Did you mean NOCOUNT?
195 | SET qwertyuiop ON | SET @name = value
201 | EXEC p | @parameter = value
205 | SELECT id FROM t UNION SELECT id, n FROM t | NULL AS name
206 | SELECT CAST(NEWID() AS uniqueidentifier) + 1 | CONVERT
207 | SELECT qwertyuiop FROM t | sys.columns
207 | SELECT nmae FROM t | Did you mean name?
208 | SELECT * FROM [dbo.t] | write [dbo].[t]
208 | DELETE [dbo.t] | write [dbo].[t]
208 | SELECT * FROM qwertyuiop | USE changes it
208 | RECEIVE * FROM qwertyuiop | USE changes it
209 | SELECT id FROM t JOIN u ON t.id = u.t_id | alias.column
213 | INSERT t VALUES (9) | Name the columns
217 | EXEC ('CREATE PROCEDURE again AS EXEC again'); EXEC again | calls or fires itself
229 | CREATE USER visitor WITHOUT LOGIN; EXECUTE AS USER = 'visitor'; SELECT * FROM t; REVERT | GRANT
232 | SELECT POWER(10, 20) | type with room for it
241 | SELECT CAST('tomorrow' AS datetime) | yyyymmdd
242 | SELECT CAST('31/12/2026' AS datetime) | SET DATEFORMAT
243 | SELECT CAST(1 AS strin) | sys.types
245 | SELECT 'n: ' + 1 | CONCAT
248 | SELECT CAST('99999999999' AS int) | bigint
262 | EXECUTE AS USER = 'visitor'; EXEC ('CREATE TABLE w (a int)'); REVERT | GRANT
266 | EXEC ('CREATE PROCEDURE opens AS BEGIN TRAN'); EXEC opens; ROLLBACK | needs its COMMIT or ROLLBACK
281 | SELECT CONVERT(varchar(10), GETDATE(), 99) | 120, 121, 126
313 | SELECT dbo.f() | sp_help
319 | SELECT 1 WITH x AS (SELECT 1 AS a) SELECT a FROM x | semicolon
448 | SELECT 'a' COLLATE qwertyuiop | fn_helpcollations()
468 | SELECT 1 WHERE 'a' COLLATE Latin1_General_BIN = 'b' COLLATE Latin1_General_CI_AS | COLLATE DATABASE_DEFAULT
512 | SELECT (SELECT id FROM t) | TOP (1)
515 | INSERT t (name) VALUES ('c') | DEFAULT
530 | WITH r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r) SELECT i FROM r | MAXRECURSION
536 | SELECT LEFT('abc', CHARINDEX('x', 'abc') - 1) | CHARINDEX
544 | INSERT u (id) VALUES (1) | IDENTITY_INSERT
547 | INSERT u (t_id) VALUES (99) | has to be there first
911 | USE qwertyuiop | name is written correctly
942 | USE Shut | SET ONLINE
1046 | PRINT (SELECT 1) | variable first
1087 | SELECT * FROM @nope | DECLARE @name TABLE
1033 | SELECT * FROM (SELECT id FROM t ORDER BY id) AS d | unless TOP
1911 | CREATE INDEX i ON t (qwertyuiop) | sys.columns
2627 | INSERT t (id) VALUES (1) | UPDATE the row that is there
2628 | INSERT t (id, name) VALUES (7, 'too long') | LEFT
2705 | CREATE TABLE w (a int, a int) | Rename one
2714 | CREATE TABLE t (a int) | CREATE OR ALTER
2715 | CREATE TABLE w (a strin) | sys.types
2740 | SET LANGUAGE klingon | sys.syslanguages
2760 | CREATE TABLE nope.w (a int) | CREATE SCHEMA
2812 | EXEC qwertyuiop | USE changes it
2812 | EXEC sp_hepl | Did you mean sp_help?
3701 | DROP TABLE qwertyuiop | USE changes it
3726 | DROP TABLE t | sys.foreign_keys
3902 | COMMIT | BEGIN TRANSACTION begins one
3903 | ROLLBACK | @@TRANCOUNT
4104 | SELECT x.id FROM t AS y | the alias is the prefix
4108 | SELECT id FROM t WHERE ROW_NUMBER() OVER (ORDER BY id) = 1 | derived table
4121 | SELECT dbo.qwertyuiop(1) | called with its schema
4145 | IF 1 PRINT 'a' | = 1
4145 | SELECT id FROM t WHERE id | Compare it
4406 | UPDATE v SET m = 1 | computed from
4511 | EXEC ('CREATE VIEW w AS SELECT id + 1 FROM t') | AS name
4902 | ALTER TABLE qwertyuiop ADD a int | USE changes it
4924 | ALTER TABLE t DROP COLUMN qwertyuiop | sys.columns
6106 | KILL 9999 | sys.dm_exec_sessions
6401 | BEGIN TRAN; ROLLBACK TRAN qwertyuiop; ROLLBACK | SAVE TRANSACTION
8114 | EXEC p 'x' | TRY_CONVERT
8115 | SELECT 2147483647 + 1 | bigint or decimal
8116 | SELECT SUBSTRING(1, 1, 1) | CAST it
8117 | SELECT SUM(name) FROM t | CAST it
8120 | SELECT id, COUNT(*) FROM t | GROUP BY
8134 | SELECT 1 / 0 | NULLIF
8144 | EXEC p 1, 2 | sp_help
8145 | EXEC p @wrong = 1 | sp_help
8155 | SELECT * FROM (SELECT 1) AS d | AS name
8169 | SELECT CAST('x' AS uniqueidentifier) | 00000000-0000
8418 | DECLARE @h uniqueidentifier; SEND ON CONVERSATION @h (N'x') | BEGIN DIALOG puts one into its variable
8423 | DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE qwertyuiop TO SERVICE 's' | sys.services
8425 | DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT qwertyuiop | sys.service_contracts
8426 | DECLARE @h uniqueidentifier = NEWID(); END CONVERSATION @h | sys.conversation_endpoints
8428 | DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'; SEND ON CONVERSATION @h MESSAGE TYPE qwertyuiop | sys.service_message_types
8431 | DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's'; SEND ON CONVERSATION @h MESSAGE TYPE m (N'x') | another contract
8432 | DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE sc TO SERVICE 'sc' ON CONTRACT c; SEND ON CONVERSATION @h MESSAGE TYPE m (N'<a/>') | SENT BY ANY
8492 | CREATE CONTRACT c2 (m SENT BY TARGET) | SENT BY ANY
15151 | DROP CONTRACT qwertyuiop | sys.service_contracts
15581 | CREATE CERTIFICATE cert WITH SUBJECT = 'x' | CREATE MASTER KEY
"""


def test_what_to_do_next() -> None:
    """Each row: the number, a batch that a newcomer may write, and words of the cure that the message has to have."""
    instance = Instance.open(None)
    session = instance.connect()
    for batch in SETUP.split("GO\n"):
        assert not any(isinstance(one, ErrorOutcome) for one in session.run(batch)), batch
    failures = []
    for row in ADVISED.strip().splitlines():
        number, text, words = (part.strip() for part in row.split(" |"))
        assert words, row
        found = [one.error for one in session.run(text) if isinstance(one, ErrorOutcome)]
        told = next((error.message for error in found if error.number == int(number)), None)
        if told is None or words not in told:
            failures.append(f"{row}\n   {told or [str(error) for error in found]}")
        session.run("IF @@TRANCOUNT > 0 ROLLBACK")
    instance.close()
    assert not failures, "\n".join(failures)


_KINDS = {
    "CHECK": "what the CHECK asks for",
    "FOREIGN KEY": "has to be there first",
    "REFERENCE DELETE": "constraint ON DELETE CASCADE",
    "REFERENCE UPDATE": "constraint ON UPDATE CASCADE",
    "REFERENCE MERGE": "ON DELETE or ON UPDATE CASCADE",
}
_CONFLICTS = (
    ("CHECK", "INSERT k (id, n) VALUES (9, -1)"),
    ("CHECK", "UPDATE k SET n = -1 WHERE id = 1"),
    ("CHECK", "MERGE k USING (SELECT 1 AS i) AS s ON k.id = s.i WHEN MATCHED THEN UPDATE SET n = -1;"),
    ("CHECK", "ALTER TABLE k ADD CHECK (id < 0)"),
    ("CHECK", "ALTER TABLE k WITH CHECK ADD CONSTRAINT c CHECK (id < 0)"),
    ("FOREIGN KEY", "INSERT k (id, t_id) VALUES (9, 9)"),
    ("FOREIGN KEY", "UPDATE k SET t_id = 9 WHERE id = 1"),
    ("FOREIGN KEY", "MERGE k USING (SELECT 1 AS i) AS s ON k.id = s.i WHEN MATCHED THEN UPDATE SET t_id = 9;"),
    ("FOREIGN KEY", "UPDATE k SET boss = 99 WHERE id = 1"),
    ("FOREIGN KEY", "ALTER TABLE k ADD FOREIGN KEY (n) REFERENCES t (id)"),
    ("REFERENCE DELETE", "DELETE t WHERE id = 1"),
    ("REFERENCE DELETE", "DELETE k WHERE id = 1"),
    ("REFERENCE UPDATE", "UPDATE t SET id = 8 WHERE id = 1"),
    ("REFERENCE MERGE", "MERGE t USING (SELECT 1 AS i) AS s ON t.id = s.i WHEN MATCHED THEN DELETE;"),
)


def test_a_conflict_is_advised_by_its_kind() -> None:
    """Error 547 of a CHECK says nothing of rows that are missing, and none says what another kind would."""
    instance = Instance.open(None)
    session = instance.connect()
    setup = """
        CREATE TABLE t (id int PRIMARY KEY); INSERT t VALUES (1), (2);
        CREATE TABLE k (id int PRIMARY KEY, n int CHECK (n > 0), t_id int REFERENCES t (id), boss int REFERENCES k (id));
        INSERT k VALUES (1, 5, 1, NULL), (2, 6, 1, 1)
    """
    assert not any(isinstance(one, ErrorOutcome) for one in session.run(setup))
    for kind, text in _CONFLICTS:
        (error,) = (one.error for one in session.run(text) if isinstance(one, ErrorOutcome))
        assert error.number == 547, text
        assert [name for name, words in _KINDS.items() if words in error.message] == [kind], (text, error.message)
    instance.close()


_THERE = {
    "Tab": "table", "Que": "queue", "Pro": "procedure", "Fun": "function", "Vie": "view", "Seq": "sequence object",
}  # fmt: skip
_TAKES = (
    "SELECT * FROM {}", "INSERT {} VALUES (1)", "UPDATE {} SET a = 1", "DELETE {}", "EXEC {}", "RECEIVE * FROM {}", "ALTER QUEUE {} WITH STATUS = ON",
    "CREATE SERVICE Ser ON QUEUE {}", "WAITFOR (RECEIVE * FROM {}), TIMEOUT 0", "GET CONVERSATION GROUP @g FROM {}", "SELECT NEXT VALUE FOR {}",
    "TRUNCATE TABLE {}", "MERGE {} AS m USING (SELECT 1 AS a) AS s ON m.a = s.a WHEN MATCHED THEN DELETE;",
)  # fmt: skip


def test_what_is_there_as_another_kind_is_not_what_was_meant() -> None:
    """Every kind of object in every place: the advice says what the object is, and never
    proposes the very name that was written."""
    instance = Instance.open(None)
    session = instance.connect()
    setup = """
        CREATE TABLE Tab (a int); CREATE QUEUE Que; CREATE SEQUENCE Seq
        GO
        CREATE PROCEDURE Pro AS RETURN
        GO
        CREATE FUNCTION Fun () RETURNS int AS BEGIN RETURN 1 END
        GO
        CREATE VIEW Vie AS SELECT a FROM Tab
        GO
    """
    for batch in setup.split("GO\n"):
        assert not any(isinstance(one, ErrorOutcome) for one in session.run(batch)), batch
    told = set()
    for name, noun in _THERE.items():
        for place in _TAKES:
            for written in (name, f"dbo.{name}", f"[DBO].[{name.upper()}]", f"master.dbo.{name}"):
                text = f"DECLARE @g uniqueidentifier; {place.format(written)}"
                for error in (one.error for one in session.run(text) if isinstance(one, ErrorOutcome)):
                    assert f"Did you mean dbo.{name}?" not in error.message, (text, error.message)
                    if error.number in (208, 2812):
                        assert f"dbo.{name} is a {noun}, which cannot stand here" in error.message, (
                            text,
                            error.message,
                        )
                        told.add((name, place))
                session.run("IF @@TRANCOUNT > 0 ROLLBACK")
    assert {name for name, _ in told} == set(_THERE)
    assert {("Tab", "RECEIVE * FROM {}"), ("Que", "EXEC {}"), ("Pro", "SELECT * FROM {}")} <= told
    instance.close()
