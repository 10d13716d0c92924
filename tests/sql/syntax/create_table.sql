-- CREATE TABLE, every alternative of its syntax: what runs, what is accepted without effect, what error 40517
-- names, and the errors of wrong definitions.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE D.dbo.a1 (a int);
CREATE TABLE D..a2 (a int, b AS a + 1, c AS (a * 2) PERSISTED NOT NULL);
CREATE TABLE dbo.a3 (a int PRIMARY KEY, b AS a PERSISTED UNIQUE, c AS a PERSISTED CHECK (c > 0), d AS a PERSISTED
    REFERENCES dbo.a3 (a));
CREATE TABLE a4 (a int) ON [PRIMARY];
CREATE TABLE a5 (a int, b nvarchar(max)) ON "default" TEXTIMAGE_ON "default";
CREATE TABLE a6 (a int) ON [default] FILESTREAM_ON [default];
GO
CREATE TABLE a7 (a varbinary(max) FILESTREAM)
GO
--! error 5505
CREATE TABLE a8 (a int SPARSE NULL, b xml COLUMN_SET FOR ALL_SPARSE_COLUMNS)
GO
--! error 40517 text column … COLUMN_SET FOR ALL_SPARSE_COLUMNS
CREATE TABLE a9 (a varchar(10) MASKED WITH (FUNCTION = 'default()') NULL)
GO
--! error 40517 text column … MASKED
CREATE TABLE b1 (a int CONSTRAINT x NOT NULL CONSTRAINT df_b1 DEFAULT 1);
CREATE TABLE b2 (a int IDENTITY, b int);
CREATE TABLE b3 (a int IDENTITY (1, 1) NOT FOR REPLICATION, b int);
GO
CREATE TABLE b4 (a int NOT NULL, vf datetime2 GENERATED ALWAYS AS ROW START HIDDEN NOT NULL, vt datetime2 GENERATED
    ALWAYS AS ROW END NOT NULL, PERIOD FOR SYSTEM_TIME (vf, vt), PRIMARY KEY (a)) WITH (SYSTEM_VERSIONING = ON)
GO
--! error 40517 text CREATE TABLE … WITH (SYSTEM_VERSIONING)
CREATE TABLE b5 (a int NOT NULL PRIMARY KEY, vf datetime2 GENERATED ALWAYS AS ROW START, vt datetime2 GENERATED
    ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (vf, vt)) WITH (SYSTEM_VERSIONING = ON (HISTORY_TABLE = dbo.b5h,
    DATA_CONSISTENCY_CHECK = ON))
GO
--! error 40517 text CREATE TABLE … WITH (SYSTEM_VERSIONING)
CREATE TABLE b6 (a uniqueidentifier ROWGUIDCOL DEFAULT NEWID());
GO
CREATE TABLE b7 (a nvarchar(10) ENCRYPTED WITH (COLUMN_ENCRYPTION_KEY = k, ENCRYPTION_TYPE = DETERMINISTIC,
    ALGORITHM = 'AEAD_AES_256_CBC_HMAC_SHA_256'))
GO
--! error 40517 text column … ENCRYPTED WITH
CREATE TABLE b8 (a int, INDEX ix_a (a), INDEX ix_b UNIQUE NONCLUSTERED (a DESC) WITH (FILLFACTOR = 80), b int INDEX
    ix_c);
CREATE TABLE b9 (a int, INDEX ix CLUSTERED COLUMNSTORE);
CREATE TABLE c1 (a int, b int, INDEX ix NONCLUSTERED COLUMNSTORE (a, b));
CREATE TABLE c2 (a int, b int, INDEX ix (a) INCLUDE (b) WHERE a > 0);
GO
CREATE TABLE c3 (a xml (CONTENT dbo.nope))
GO
--! error 6314
CREATE TABLE c4 (a int NOT NULL PRIMARY KEY NONCLUSTERED HASH WITH (BUCKET_COUNT = 1024)) WITH (MEMORY_OPTIMIZED =
    ON, DURABILITY = SCHEMA_ONLY);
CREATE TABLE c5 (a int, CONSTRAINT pk PRIMARY KEY CLUSTERED (a ASC) WITH FILLFACTOR = 90 ON [PRIMARY]);
GO
CREATE TABLE c6 (a int, b int, CONSTRAINT u6 UNIQUE NONCLUSTERED (a, b DESC) WITH (PAD_INDEX = ON, FILLFACTOR = 50,
    IGNORE_DUP_KEY = ON, STATISTICS_NORECOMPUTE = OFF, STATISTICS_INCREMENTAL = OFF, ALLOW_ROW_LOCKS = ON,
    ALLOW_PAGE_LOCKS = ON, OPTIMIZE_FOR_SEQUENTIAL_KEY = ON, DATA_COMPRESSION = PAGE) ON [PRIMARY])
CREATE TABLE c7 (a int) WITH (DATA_COMPRESSION = NONE);
GO
CREATE TABLE c8 (a int) ON ps(a) WITH (DATA_COMPRESSION = ROW ON PARTITIONS (1, 3 TO 5));
GO
--! error 1921
CREATE TABLE c9 (a int) WITH (DATA_COMPRESSION = PAGE ON PARTITIONS (1), XML_COMPRESSION = ON);
CREATE TABLE d1 (a int REFERENCES a3, b int CONSTRAINT fkd1 FOREIGN KEY REFERENCES dbo.a3 (a) ON DELETE NO ACTION ON
    UPDATE NO ACTION NOT FOR REPLICATION);
CREATE TABLE d2 (a int, b int, FOREIGN KEY (a) REFERENCES a3 (a) ON DELETE CASCADE ON UPDATE SET NULL);
CREATE TABLE d3 (a int CHECK NOT FOR REPLICATION (a > 0), CHECK (a < 100));
CREATE TABLE d4 (a int DEFAULT (1) WITH VALUES);
GO
CREATE TABLE d5 (a int) WITH (REMOTE_DATA_ARCHIVE = ON (MIGRATION_STATE = OUTBOUND))
GO
--! error 40517 text CREATE TABLE … WITH (REMOTE_DATA_ARCHIVE)
CREATE TABLE d6 (a int) WITH (LEDGER = ON)
GO
--! error 40517 text CREATE TABLE … WITH (LEDGER)
CREATE TABLE d7 (a int) WITH (DATA_DELETION = ON (FILTER_COLUMN = a, RETENTION_PERIOD = 1 WEEK))
GO
--! error 40517 text CREATE TABLE … WITH (DATA_DELETION)
CREATE TABLE d8 (a int) AS NODE
GO
--! error 40517 text CREATE TABLE … AS NODE
CREATE TABLE d9 (a int) AS EDGE
GO
--! error 40517 text CREATE TABLE … AS EDGE
CREATE TABLE ft AS FILETABLE
GO
--! error 40517 text CREATE TABLE … AS FILETABLE
CREATE TABLE ft AS FILETABLE WITH (FILETABLE_DIRECTORY = 'x')
GO
--! error 40517 text CREATE TABLE … AS FILETABLE
CREATE TABLE e1 (a timestamp, b int);
CREATE TABLE e2 (timestamp, b int);
GO
CREATE TABLE e3 (a rowversion NOT NULL, b rowversion)
GO
--! error 2738
CREATE TABLE e4 (a double precision, b national character varying(10), c character varying(max), d char varying(5),
    e national char(3), f dec(10,2), g integer, h binary varying(20), i national text, j character(3), k national
    char varying(3));
GO
CREATE TABLE e5 (a [int], b [dbo].[nope])
GO
--! error 2715
CREATE TABLE e6 (a [sys].[int], b sys.sysname, c "varchar"(10));
GO
CREATE TABLE e7 (a int NULL NOT NULL)
GO
--! error 102
CREATE TABLE e8 (a int, a int)
GO
--! error 2705
CREATE TABLE #t (a int CONSTRAINT pk_tmp PRIMARY KEY);
CREATE TABLE ##t (a int);
GO
CREATE TABLE e9 (a int, CONSTRAINT pk9 PRIMARY KEY (a), CONSTRAINT pk9b PRIMARY KEY (a))
GO
--! error 8110
CREATE TABLE f1 (a int IDENTITY, b int IDENTITY)
GO
--! error 2744
CREATE TABLE f2 (a varchar(8001))
GO
--! error 131
CREATE TABLE f3 (a decimal(39,2))
GO
--! error 2750
CREATE TABLE f4 (a decimal(5,6))
GO
--! error 2751
CREATE TABLE f5 (a varchar(10) IDENTITY)
GO
--! error 2749
CREATE TABLE f6 (a int IDENTITY NULL)
GO
--! error 8147
CREATE TABLE f7 (a int IDENTITY DEFAULT 1)
GO
--! error 1754
CREATE TABLE f8 (a text PRIMARY KEY)
GO
--! error 1919
--! error 1750
CREATE TABLE f9 (a int NULL PRIMARY KEY)
GO
--! error 8111
--! error 1750
CREATE TABLE g1 (a int, b AS c, c AS a)
GO
--! error 1759
CREATE TABLE g2 (a int, CHECK (nope > 0))
GO
--! error 207
CREATE TABLE g3 (a int REFERENCES nope(a))
GO
--! error 1767
--! error 1750
CREATE TABLE g4 (a int, b int REFERENCES a4(a))
GO
--! error 1776
--! error 1750
CREATE TABLE g5 (a int CONSTRAINT q1 CHECK (a>0) CONSTRAINT q1 UNIQUE)
GO
--! error 2714
--! error 1750
CREATE TABLE a1 (a int)
GO
--! error 2714
CREATE TABLE nos.a1 (a int)
GO
--! error 2760
CREATE TABLE nodb.dbo.a1 (a int)
GO
--! error 911
CREATE TABLE srv.nodb.dbo.a1 (a int)
GO
--! error 7202
CREATE TABLE g6 (a int IDENTITY(1,0))
GO
--! error 2753
CREATE TABLE g7 (a int DEFAULT a)
GO
--! error 128
CREATE TABLE g8 (a int DEFAULT 1 DEFAULT 2)
GO
--! error 8148
CREATE TABLE g9 (a varchar(10) COLLATE nope)
GO
--! error 448
CREATE TABLE h1 (a int COLLATE Latin1_General_BIN);
GO
--! error 447
CREATE TABLE h2 (a time(8))
GO
--! error 1002
CREATE TABLE h3 (a int(4))
GO
--! error 2716
CREATE TABLE h4 (a uniqueidentifier ROWGUIDCOL, b uniqueidentifier ROWGUIDCOL)
GO
--! error 8196
CREATE TABLE h6 (a hierarchyid)
GO
--! error 40517 text data type hierarchyid
CREATE TABLE h7 (a geometry, b geography)
GO
--! error 40517 text data type geometry
CREATE TABLE h8 (a cursor)
GO
--! error 2715
CREATE TABLE h9 (a table)
GO
--! error 156
CREATE TABLE i1 (a int PRIMARY KEY CLUSTERED, b int UNIQUE CLUSTERED)
GO
--! error 8112
CREATE TABLE i2 ()
GO
--! error 102
CREATE TABLE i3 (a int SPARSE NOT NULL)
GO
--! error 1731
CREATE TABLE i4 (a int, b int, CONSTRAINT fk4 FOREIGN KEY (a, b) REFERENCES a3 (a))
GO
--! error 8139
CREATE TABLE i5 (a varchar(3) REFERENCES a3 (a))
GO
--! error 1778
--! error 1750
CREATE TABLE i6 (a int PRIMARY KEY, b int REFERENCES i6 (a) ON DELETE CASCADE)
GO
--! error 1785
--! error 1750
-- The effects of what is written inside the parentheses.
CREATE TABLE effects (a int, b int INDEX ix_b UNIQUE, INDEX ix_a UNIQUE (a) WHERE a > 10)
INSERT effects VALUES (1, 1), (1, 2), (11, 3)
INSERT effects VALUES (2, 2)
INSERT effects VALUES (11, 4)
SELECT name, is_unique, has_filter FROM sys.indexes WHERE object_id = OBJECT_ID('effects') AND index_id > 0 ORDER BY name
GO
--! error 2601
--! error 2601
--! rows
--! ix_a | 1 | 1
--! ix_b | 1 | 0
-- What one DELETE brings about has to be a tree.
CREATE TABLE top1 (a int PRIMARY KEY)
CREATE TABLE mid (a int PRIMARY KEY REFERENCES top1 ON DELETE CASCADE)
CREATE TABLE low (a int REFERENCES mid ON DELETE CASCADE, b int REFERENCES top1 ON UPDATE CASCADE)
GO
ALTER TABLE low ADD c int REFERENCES top1 ON DELETE SET NULL
GO
--! error 1785
--! error 1750
CREATE TABLE twice (a int REFERENCES top1 ON DELETE CASCADE, b int REFERENCES top1 ON DELETE CASCADE)
GO
--! error 1785
--! error 1750
-- table constraints one behind the other, with and without commas
CREATE TABLE apart (a int NOT NULL, b int, CONSTRAINT pk_apart PRIMARY KEY (a) CONSTRAINT ck_apart CHECK (a > 0) UNIQUE (b) FOREIGN KEY (b) REFERENCES apart (a), c int)
ALTER TABLE apart ADD CONSTRAINT one CHECK (b > 0) CONSTRAINT two CHECK (b > 1), CONSTRAINT three CHECK (b > 2)
DECLARE @t TABLE (a int, b int, PRIMARY KEY (a) CHECK (b > 0))
INSERT @t VALUES (1, 1)
SELECT (SELECT COUNT(*) FROM sys.check_constraints WHERE parent_object_id = OBJECT_ID('apart')), (SELECT COUNT(*) FROM sys.key_constraints WHERE parent_object_id = OBJECT_ID('apart')),
    (SELECT COUNT(*) FROM sys.foreign_keys WHERE parent_object_id = OBJECT_ID('apart')), (SELECT COUNT(*) FROM sys.columns WHERE object_id = OBJECT_ID('apart'))
GO
--! rows
--! 4 | 2 | 1 | 3
--! spec STAND-17
INSERT apart (a) VALUES (0)
GO
--! error 547
