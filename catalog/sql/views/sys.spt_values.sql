-- sys.spt_values: dbo.spt_values of master. Differs: the numbers 0 to 2047 of type P are the only rows.
-- column: name nvarchar(35)
-- column: number int not null
-- column: type nchar(3) not null
-- column: low int
-- column: high int
-- column: status int
SELECT CAST(NULL AS VARCHAR) AS name, CAST(n AS INTEGER) AS number, 'P  ' AS type, CAST(n // 8 + 1 AS INTEGER) AS low,
    CAST(1 << (n % 8) AS INTEGER) AS high, 0 AS status
FROM range(2048) AS numbers (n)
