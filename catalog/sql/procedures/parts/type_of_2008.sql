-- The number of a type b for drivers since SQL Server 2008, which know its dates and times; t is what older ones know.
    CASE WHEN b.name IN ('datetime', 'smalldatetime', 'datetime2') THEN IIF(@ODBCVer >= 3, 93, 11) WHEN b.name = 'date' THEN IIF(@ODBCVer >= 3, 91, 9)
        WHEN b.name = 'time' THEN -154 WHEN b.name = 'datetimeoffset' THEN -155 ELSE t.DATA_TYPE END
