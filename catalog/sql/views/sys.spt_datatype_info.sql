-- sys.spt_datatype_info: what ODBC 2 calls a type, for sp_columns and its like. A type with a `unit` counts its length in units of
-- so many bytes. PRECISION is `fixed_precision`, or the column's; LENGTH is `fixed_length`, or `length_a_digit` times the precision and
-- `length_more`, or the column's. SS_DATA_TYPE and NULLABLE_SS_DATA_TYPE are the codes of columns without and with NULL.
-- column: TYPE_NAME sysname not null
-- column: DATA_TYPE smallint not null
-- column: SQL_DATA_TYPE smallint not null
-- column: SQL_DATETIME_SUB smallint
-- column: RADIX smallint
-- column: SS_DATA_TYPE tinyint not null
-- column: NULLABLE_SS_DATA_TYPE tinyint not null
-- column: unit int
-- column: has_scale bit not null
-- column: fixed_precision int
-- column: fixed_length int
-- column: length_a_digit int
-- column: length_more int
-- column: octets int
SELECT * FROM (VALUES
    ('char', 1, 1, NULL, NULL, 47, 39, 1, false, NULL, NULL, NULL, NULL, NULL),
    ('numeric', 2, 2, NULL, 10, 63, 108, NULL, true, NULL, NULL, 1, 2, NULL),
    ('decimal', 3, 3, NULL, 10, 55, 106, NULL, true, NULL, NULL, 1, 2, NULL),
    ('money', 3, 3, NULL, 10, 60, 110, NULL, true, NULL, 21, NULL, NULL, NULL),
    ('smallmoney', 3, 3, NULL, 10, 122, 110, NULL, true, NULL, 12, NULL, NULL, NULL),
    ('int', 4, 4, NULL, 10, 56, 38, NULL, true, NULL, NULL, NULL, NULL, NULL),
    ('smallint', 5, 5, NULL, 10, 52, 38, NULL, true, NULL, NULL, NULL, NULL, NULL),
    ('float', 6, 6, NULL, 10, 62, 109, NULL, false, 15, NULL, NULL, NULL, NULL),
    ('real', 7, 7, NULL, 10, 59, 109, NULL, false, 7, NULL, NULL, NULL, NULL),
    ('datetime', 11, 9, 3, NULL, 61, 111, NULL, true, NULL, 16, NULL, NULL, NULL),
    ('smalldatetime', 11, 9, 3, NULL, 58, 111, NULL, true, NULL, 16, NULL, NULL, NULL),
    ('varchar', 12, 12, NULL, NULL, 39, 39, 1, false, NULL, NULL, NULL, NULL, NULL),
    ('text', -1, -1, NULL, NULL, 35, 35, NULL, false, 2147483647, 2147483647, NULL, NULL, 2147483647),
    ('binary', -2, -2, NULL, NULL, 45, 37, 1, false, NULL, NULL, NULL, NULL, NULL),
    ('timestamp', -2, -2, NULL, NULL, 45, 37, NULL, false, 8, NULL, NULL, NULL, NULL),
    ('varbinary', -3, -3, NULL, NULL, 37, 37, 1, false, NULL, NULL, NULL, NULL, NULL),
    ('image', -4, -4, NULL, NULL, 34, 34, NULL, false, 2147483647, 2147483647, NULL, NULL, 2147483647),
    ('bigint', -5, -5, NULL, 10, 63, 108, NULL, true, NULL, NULL, NULL, NULL, NULL),
    ('tinyint', -6, -6, NULL, 10, 48, 38, NULL, true, NULL, NULL, NULL, NULL, NULL),
    ('bit', -7, -7, NULL, NULL, 50, 50, NULL, false, NULL, NULL, NULL, NULL, NULL),
    ('nchar', -8, -8, NULL, NULL, 39, 39, 2, false, NULL, NULL, NULL, NULL, NULL),
    ('nvarchar', -9, -9, NULL, NULL, 39, 39, 2, false, NULL, NULL, NULL, NULL, NULL),
    ('sysname', -9, -9, NULL, NULL, 39, 39, NULL, false, NULL, NULL, NULL, NULL, NULL),
    ('ntext', -10, -10, NULL, NULL, 35, 35, NULL, false, 1073741823, 2147483646, NULL, NULL, 2147483646),
    ('uniqueidentifier', -11, -11, NULL, NULL, 37, 37, NULL, false, 36, NULL, NULL, NULL, NULL),
    ('sql_variant', -150, -150, NULL, 10, 39, 39, NULL, false, 8000, 8000, NULL, NULL, NULL),
    ('xml', -152, -152, NULL, NULL, 0, 0, NULL, false, NULL, NULL, NULL, NULL, NULL),
    ('date', -9, -9, NULL, NULL, 0, 0, NULL, false, NULL, NULL, 2, 0, NULL),
    ('time', -9, -9, NULL, NULL, 0, 0, NULL, true, NULL, NULL, 2, 0, NULL),
    ('datetime2', -9, -9, NULL, NULL, 0, 0, NULL, true, NULL, NULL, 2, 0, NULL),
    ('datetimeoffset', -9, -9, NULL, NULL, 0, 0, NULL, true, NULL, NULL, 2, 0, NULL))
    AS t (TYPE_NAME, DATA_TYPE, SQL_DATA_TYPE, SQL_DATETIME_SUB, RADIX, SS_DATA_TYPE, NULLABLE_SS_DATA_TYPE, unit, has_scale, fixed_precision,
        fixed_length, length_a_digit, length_more, octets)
