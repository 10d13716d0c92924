"""Expressions for test_combinations: every scalar function and operator, over variables that stand for operands.

`@s @i @n @d @b @f @m @g @x @j @z` become columns, columns of a queue, or literals; a test holds the
list against the table of functions.
"""

from __future__ import annotations

__all__ = ["EXPRESSIONS", "UNTRIED", "VOLATILE"]

OPERATORS = """
@i + 1; @i - @n; @n * 2; @n / 3; @i % 2; @i & 1; @i | 4; @i ^ 7; ~@i; -@n; +@i; @s + N'!'; @s + @j; @i << 2; @i >> 1
@f * @n; @m + @n; @d + 1; @b + 0x01; -(-@i); (@i + 1) * (@i - 1); @z + 1
@s COLLATE Latin1_General_BIN2; @s COLLATE Latin1_General_CI_AS + N'x'
CAST(@d AS datetime2(3)) AT TIME ZONE 'UTC'; CAST(@d AS datetime2(3)) AT TIME ZONE N'W. Europe Standard Time'
CASE @i WHEN 1 THEN 'one' WHEN 3 THEN 'three' ELSE 'other' END; CASE WHEN @i > 2 AND @n < 100 THEN @s ELSE N'' END
CASE WHEN @z IS NULL THEN 1 ELSE 2 END; CASE WHEN @s LIKE N'A%' ESCAPE N'!' THEN 1 ELSE 0 END
CASE WHEN @i BETWEEN 1 AND 5 AND @i NOT BETWEEN 7 AND 9 THEN 'in' END; CASE WHEN @i IN (1, 2, 3) THEN 'in' END
CASE WHEN @i NOT IN (1, 2) OR NOT @i = 3 THEN 'out' END; CASE WHEN @z IS NOT DISTINCT FROM NULL THEN 'same' END
CASE WHEN @i IS DISTINCT FROM 4 THEN 'other' END; CASE WHEN @i <> 2 AND @i != 1 AND @i !< 3 AND @i !> 3 THEN 'three' END
IIF(@i >= 3, @s, N'small'); COALESCE(@z, @i); ISNULL(@z, 9); NULLIF(@i, 3); CHOOSE(@i, 'a', 'b', 'c'); GREATEST(@i, @n, 2); LEAST(@f, @i)
CAST(@n AS varchar(20)); CAST(@s AS varbinary(40)); TRY_CAST(@s AS int); CONVERT(varchar(30), @d, 126); CONVERT(nvarchar(40), @g)
TRY_CONVERT(date, @d); CONVERT(varchar(40), @b, 1); PARSE('12' AS int USING 'en-US'); TRY_PARSE(N'x' AS decimal(5, 2))
CAST(@i AS sql_variant); CAST(@f AS decimal(9, 3)); CAST(@x AS nvarchar(100)); CAST(@d AS date); CAST(@n AS money)
@x.value('(/a/@k)[1]', 'int'); @x.exist('/a[@k = 1]'); @x.query('/a/b'); @x.value('string(/a[1]/b[1])', 'nvarchar(20)')
{fn LENGTH(@s)}; {fn EXTRACT(YEAR FROM @d)}; {fn MOD(@i, 2)}; {fn DAYNAME(@d)}; {d '2026-01-02'}; {fn CONCAT(@s, N'!')}
0x0102; N'text'; 1.5; 1e3; $1.5; NULL + 1; @@LANGID; @@MAX_PRECISION
"""

FUNCTIONS = """
ABS(-@i); ACOS(@f / 10); ASIN(@f / 10); ATAN(@f); ATN2(@f, @i); CEILING(@n); COS(@f); COT(@f); DEGREES(@f); EXP(@f); FLOOR(@n); LOG(@f)
LOG(@f, 2); LOG10(@f); PI(); POWER(@i, 2); RADIANS(@f); RAND(@i); ROUND(@n, 1); ROUND(@n, 1, 1); SIGN(@n); SIN(@f); SQRT(@f); SQUARE(@f); TAN(@f)
BIT_COUNT(@i); GET_BIT(@i, 1); SET_BIT(@i, 3); LEFT_SHIFT(@i, 2); RIGHT_SHIFT(@i, 1)
ASCII(@s); CHAR(@i + 62); CHARINDEX(N'd', @s); CHARINDEX(N'b', @s, 1); CONCAT(@s, @i, @z); CONCAT_WS(N'-', @s, @z, @i); DIFFERENCE(@s, N'Abd')
FORMAT(@n, N'0.000'); FORMAT(@d, N'yyyy-MM-dd', N'de-de'); LEFT(@s, 2); LEN(@s); LOWER(@s); LTRIM(@s); LTRIM(@s, N'A'); NCHAR(@i + 62)
PATINDEX(N'%d%', @s); QUOTENAME(@s); QUOTENAME(@s, N'"'); REPLACE(@s, N'b', N'--'); REPLICATE(@s, 2); REVERSE(@s); RIGHT(@s, 3); RTRIM(@s)
SOUNDEX(@s); SPACE(@i); STR(@n, 8, 1); STRING_ESCAPE(@j, 'json'); STUFF(@s, 1, 1, N'zz'); SUBSTRING(@s, 2, @i); TRANSLATE(@s, N'bd', N'xy')
TRIM(@s); TRIM(N'f' FROM @s); TRIM(LEADING N'A' FROM @s); UNICODE(@s); UPPER(@s); DATALENGTH(@s); PARSENAME(N'a.b.c', @i); FORMATMESSAGE(N'%d of %s', @i, @s)
DATEADD(day, @i, @d); DATEADD(mi, 5, @d); DATEDIFF(hour, @d, '20260103'); DATEDIFF_BIG(ms, @d, '20260102'); DATENAME(weekday, @d); DATEPART(dayofyear, @d)
DATETRUNC(month, @d); DATE_BUCKET(week, @i, @d); DAY(@d); MONTH(@d); YEAR(@d); EOMONTH(@d, @i); DATEFROMPARTS(2026, @i, 1); ISDATE('20260101')
DATETIMEFROMPARTS(2026, @i, 1, 2, 3, 4, 5); DATETIME2FROMPARTS(2026, @i, 1, 2, 3, 4, 5, 3); TIMEFROMPARTS(@i, 1, 2, 3, 3)
SMALLDATETIMEFROMPARTS(2026, @i, 1, 2, 3); DATETIMEOFFSETFROMPARTS(2026, @i, 1, 2, 3, 4, 5, 1, 30, 3)
SWITCHOFFSET(CAST(@d AS datetimeoffset(3)), '+02:00'); TODATETIMEOFFSET(CAST(@d AS datetime2(3)), 60)
CHECKSUM(@s, @i); BINARY_CHECKSUM(@s); HASHBYTES('SHA2_256', @s); COMPRESS(@s); CAST(DECOMPRESS(COMPRESS(@s)) AS nvarchar(50)); ISNUMERIC(@s)
ISJSON(@j); ISJSON(@j, OBJECT); JSON_VALUE(@j, '$.b'); JSON_QUERY(@j, '$.a'); JSON_MODIFY(@j, '$.b', @s); JSON_PATH_EXISTS(@j, '$.a[1]')
JSON_OBJECT('k': @s, 'i': @i); JSON_ARRAY(@s, @i, @z NULL ON NULL)
SQL_VARIANT_PROPERTY(@i, 'BaseType'); CAST(DECRYPTBYPASSPHRASE(N'p', ENCRYPTBYPASSPHRASE(N'p', @s)) AS nvarchar(50))
OBJECT_ID(N'dbo.Vals'); OBJECT_NAME(OBJECT_ID(N'dbo.Vals')); OBJECT_SCHEMA_NAME(OBJECT_ID(N'dbo.Vals')); OBJECT_DEFINITION(OBJECT_ID(N'dbo.Echo'))
COL_LENGTH(N'dbo.Vals', N's'); COL_NAME(OBJECT_ID(N'dbo.Vals'), @i); COLUMNPROPERTY(OBJECT_ID(N'dbo.Vals'), N'i', 'AllowsNull')
OBJECTPROPERTY(OBJECT_ID(N'dbo.Vals'), 'IsTable'); OBJECTPROPERTYEX(OBJECT_ID(N'dbo.Vals'), 'BaseType'); INDEX_COL(N'dbo.Vals', 1, 1)
INDEXPROPERTY(OBJECT_ID(N'dbo.Vals'), N'none', 'IsUnique'); INDEXKEY_PROPERTY(OBJECT_ID(N'dbo.Vals'), 1, 1, 'ColumnId'); TYPE_ID(N'int'); TYPE_NAME(56)
TYPEPROPERTY(N'int', 'Precision'); SCHEMA_ID(N'dbo'); SCHEMA_NAME(1); DB_ID(); DB_NAME(); DATABASEPROPERTYEX(N'master', 'Status')
DATABASEPROPERTY(N'master', 'IsReadOnly'); SERVERPROPERTY('Edition'); SESSIONPROPERTY('ANSI_NULLS'); COLLATIONPROPERTY('Latin1_General_CI_AS', 'CodePage')
CONNECTIONPROPERTY('net_transport'); SESSION_CONTEXT(N'none'); CONTEXT_INFO(); APP_NAME(); HOST_NAME(); HOST_ID(); USER_NAME(); USER_ID(); SUSER_NAME()
SUSER_SNAME(); SUSER_ID(); SUSER_SID(); ORIGINAL_LOGIN(); ORIGINAL_DB_NAME(); CURRENT_USER; SESSION_USER; SYSTEM_USER; USER; DATABASE_PRINCIPAL_ID(N'dbo')
IS_MEMBER(N'db_owner'); IS_ROLEMEMBER(N'db_owner'); IS_SRVROLEMEMBER(N'sysadmin'); HAS_DBACCESS(N'master'); HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW ANY DATABASE')
PERMISSIONS(); LOGINPROPERTY(N'sa', 'IsLocked'); IDENT_CURRENT(N'dbo.Vals'); IDENT_SEED(N'dbo.Vals'); IDENT_INCR(N'dbo.Vals'); SCOPE_IDENTITY()
GETANSINULL(); TRIGGER_NESTLEVEL(); CURSOR_STATUS('global', 'none'); APPLOCK_MODE('public', 'r', 'Session')
APPLOCK_TEST('public', 'r', 'Shared', 'Session'); ERROR_NUMBER(); ERROR_LINE(); ERROR_MESSAGE(); ERROR_PROCEDURE(); ERROR_SEVERITY(); ERROR_STATE()
FILE_ID(N'none'); FILE_IDEX(N'none'); FILE_NAME(1); FILEGROUP_ID(N'PRIMARY'); FILEGROUP_NAME(1); FILEPROPERTY(N'none', 'SpaceUsed')
FILEGROUPPROPERTY(N'PRIMARY', 'IsDefault'); FULLTEXTCATALOGPROPERTY(N'none', 'ItemCount'); FULLTEXTSERVICEPROPERTY('IsFulltextInstalled')
STATS_DATE(OBJECT_ID(N'dbo.Vals'), 1); CURRENT_TIMEZONE(); CURRENT_TIMEZONE_ID(); GET_TRANSMISSION_STATUS(@g); CERT_ID(N'none'); CERTENCODED(1)
CERTPRIVATEKEY(1, 'Pa55word!'); CERTPROPERTY(1, 'Subject'); ASYMKEY_ID(N'none'); ASYMKEYPROPERTY(1, 'key_id'); KEY_ID(N'none'); KEY_GUID(N'none')
KEY_NAME(@g); SYMKEYPROPERTY(1, 'key_id'); DECRYPTBYKEY(@b); DECRYPTBYCERT(1, @b); DECRYPTBYASYMKEY(1, @b); IS_OBJECTSIGNED('OBJECT', 1, 'CERTIFICATE', 0x01)
sys.FN_VARBINTOHEXSTR(@b); sys.FN_SQLVARBASETOSTR(@i); sys.FN_VARBINTOHEXSUBSTRING(1, @b, 1, 2); PWDCOMPARE(N'x', @b); CURRENT_REQUEST_ID()
"""

CHANGING = """
NEWID(); RAND(); CRYPT_GEN_RANDOM(4); GETDATE(); GETUTCDATE(); SYSDATETIME(); SYSUTCDATETIME(); SYSDATETIMEOFFSET(); CURRENT_TIMESTAMP; CURRENT_DATE
@@ROWCOUNT; ROWCOUNT_BIG(); XACT_STATE(); @@ERROR; @@TRANCOUNT; CURRENT_TRANSACTION_ID(); MIN_ACTIVE_ROWVERSION(); ENCRYPTBYPASSPHRASE(N'p', @s); PWDENCRYPT(@s)
"""


def _read(text: str) -> list[str]:
    return [part.strip() for line in text.strip().splitlines() for part in line.split("; ") if part.strip()]


VOLATILE = frozenset(_read(CHANGING))
"""Whose values differ from one statement to the next: only that they work is looked at."""
EXPRESSIONS = [*_read(OPERATORS), *_read(FUNCTIONS), *sorted(VOLATILE)]

UNTRIED = {
    **dict.fromkeys(
        ("ENCRYPTBYKEY", "ENCRYPTBYCERT", "ENCRYPTBYASYMKEY", "DECRYPTBYKEYAUTOCERT", "DECRYPTBYKEYAUTOASYMKEY", "SIGNBYCERT",
         "SIGNBYASYMKEY", "VERIFYSIGNEDBYCERT", "VERIFYSIGNEDBYASYMKEY"),
        "needs keys: tests/sql/security",
    ),
    **dict.fromkeys(("COLUMNS_UPDATED", "EVENTDATA"), "only in triggers"),
    "IDENTITY": "only in SELECT INTO",
    "XML_SCHEMA_NAMESPACE": "needs a schema collection: tests/sql/xml",
    "NEWSEQUENTIALID": "only as a DEFAULT (302)",
}  # fmt: skip
