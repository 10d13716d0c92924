-- sql_variant as a key: values of one family are equal when they are equal as numbers, texts, dates.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE T (K sql_variant CONSTRAINT pk PRIMARY KEY, N int);
CREATE TABLE Child (K sql_variant REFERENCES T);
INSERT T VALUES (1, 1), ('a', 2), (N'b', 3), (2.5, 4), (CAST('2020-01-01' AS date), 5), (0x01, 6);
GO
INSERT T VALUES (CAST(1 AS bigint), 9);
GO
--! error 2627 line 1 text (1)
INSERT T VALUES (N'A', 9);
GO
--! error 2627 line 1 text (A)
UPDATE T SET K = CAST('2020-01-01' AS datetime2) WHERE N = 4;
GO
--! error 2627 line 1
INSERT T VALUES ('1', 7), (CAST(1 AS float), 8);
UPDATE T SET K = 3 WHERE K = 2.5;
DELETE T WHERE K = 'B';
SELECT N FROM T ORDER BY N;
GO
--! rows
--! 1
--! 2
--! 4
--! 5
--! 6
--! 7
--! 8
INSERT Child VALUES (CAST(1 AS smallint)), (NULL);
INSERT Child VALUES ('x');
GO
--! error 547 line 2
DELETE T WHERE N = 1;
GO
--! error 547 line 1
MERGE T USING (VALUES (CAST(9 AS sql_variant), 9), (CAST(3 AS sql_variant), 10)) AS n (K, N) ON T.K = n.K
    WHEN MATCHED THEN UPDATE SET N = n.N WHEN NOT MATCHED THEN INSERT VALUES (n.K, n.N);
CREATE UNIQUE INDEX ux ON T (K, N);
SELECT N FROM T WHERE K IN (3, 9) ORDER BY N;
GO
--! rows
--! 9
--! 10
