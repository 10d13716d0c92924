-- The characters of TRIM may be an expression behind LEADING, TRAILING and BOTH, which are names elsewhere ("TRIM (Transact-SQL)").
CREATE TABLE dbo.t (a varchar(20), b varchar(5), leading varchar(3));
INSERT dbo.t VALUES ('xxabxyx', 'x', 'y');
GO
SELECT TRIM(LEADING b FROM a), TRIM(TRAILING t.b FROM t.a), TRIM(BOTH b FROM a) FROM dbo.t;
SELECT TRIM(LEADING LEFT(b, 1) FROM a), TRIM(BOTH 'x' + 'y' FROM a), TRIM(TRAILING UPPER(b) COLLATE Latin1_General_CS_AS FROM a) FROM dbo.t;
SELECT TRIM(BOTH CASE WHEN b = 'x' THEN 'x' END FROM a), TRIM(LEADING CAST('x' AS char(1)) FROM a), TRIM(BOTH NULL FROM a) FROM dbo.t;
SELECT TRIM(leading + 'x' FROM a), TRIM(LEADING leading FROM a) FROM dbo.t;
GO
--! rows
--! abxyx | xxabxy | abxy
--! rows
--! abxyx | ab | xxabxyx
--! rows
--! abxy | abxyx | NULL
--! rows
--! ab | xxabxyx
SELECT TRIM(BESIDE b FROM a) FROM dbo.t;
GO
--! error 102
