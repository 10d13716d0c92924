-- sys.spt_values: dbo.spt_values of master: numbers to count with (P), and what bits and codes of old system tables and of sp_lock are called.
-- Differs: of the other types there are B, D, D2, I, L, LO, LR, LS, O, O9T, SOP, SRV and T.
-- column: name nvarchar(35)
-- column: number int not null
-- column: type nchar(3) not null
-- column: low int
-- column: high int
-- column: status int
WITH listed (type, first_number, names) AS (VALUES
    -- one number after the other, the first of them that of the heading
    ('B  ', -1, ['YES OR NO', 'no', 'yes', 'none']),
    ('L  ', 0, ['LOCK TYPES', 'NULL', 'Sch-S', 'Sch-M', 'S', 'U', 'X', 'IS', 'IU', 'IX', 'SIU', 'SIX', 'UIX', 'BU', 'RangeS-S', 'RangeS-U',
        'RangeIn-Null', 'RangeIn-S', 'RangeIn-U', 'RangeIn-X', 'RangeX-S', 'RangeX-U', 'RangeX-X']),
    ('LO ', 0, ['LOCK OWNER', 'Xact', 'Crsr', 'Sess', 'STWS', 'XTWS', 'WFR']),
    ('LR ', 0, ['LOCK RESOURCES', 'NUL', 'DB', 'FIL', NULL, 'TAB', 'PAG', 'KEY', 'EXT', 'RID', 'APP', 'MD', 'HBT', 'AU']),
    ('LS ', 0, ['LOCK REQ STATUS', 'GRANT', 'CNVT', 'WAIT', 'RELN', 'BLCKN']),
    ('O  ', 0, ['OBJECT TYPES', 'system table', 'view', 'user table', 'stored procedure', NULL, 'default', 'rule', 'trigger'])
), bits (type, status, heading, first_number, names) AS (VALUES
    -- each name has twice the number of the one before
    ('D  ', NULL, 'DATABASE STATUS', 1, ['autoclose', NULL, 'select into/bulkcopy', 'trunc. log on chkpt.', 'torn page detection', 'loading', 'pre recovery',
        'recovering', 'not recovered', 'offline', 'read only', 'dbo use only', 'single user', NULL, NULL, 'emergency mode', NULL, NULL, 'missing files',
        NULL, NULL, NULL, 'autoshrink', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'cleanly shutdown']),
    ('D2 ', NULL, 'DATABASE OPTIONS', 1024, ['db chaining', 'numeric roundabort', 'arithabort', 'ANSI padding', 'ANSI null default', NULL,
        'concat null yields null', 'recursive triggers', NULL, NULL, 'default to local cursor', NULL, NULL, 'quoted identifier',
        'auto create statistics', 'cursor close on commit', 'ANSI nulls', NULL, 'ANSI warnings', 'full text enabled', 'auto update statistics']),
    ('I  ', NULL, 'INDEX TYPES', 1, ['ignore duplicate keys', 'unique', 'ignore duplicate rows', NULL, 'clustered', 'hypothetical', 'statistics',
        NULL, NULL, NULL, NULL, 'primary key', 'unique key', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'auto create', 'stats no recompute']),
    ('SOP', 1, '@@OPTIONS', 1, ['disable_def_cnst_check', 'implicit_transactions', 'cursor_close_on_commit', 'ansi_warnings', 'ansi_padding', 'ansi_nulls',
        'arithabort', 'arithignore', 'quoted_identifier', 'nocount', 'ansi_null_dflt_on', 'ansi_null_dflt_off', 'concat_null_yields_null',
        'numeric_roundabort', 'xact_abort']),
    ('SRV', NULL, NULL, 16, ['sysadmin', 'securityadmin', 'serveradmin', 'setupadmin', 'processadmin', 'diskadmin', 'dbcreator', NULL, 'bulkadmin'])
), named (number, type, name, low, high, status) AS (
    SELECT first_number + unnest(range(len(names))), type, unnest(names), NULL, NULL, 0 FROM listed
    UNION ALL SELECT first_number * 2 ** unnest(range(len(names))), type, unnest(names), CASE type WHEN 'SRV' THEN 0 END, NULL, coalesce(status, 0) FROM bits
    UNION ALL SELECT 0, type, heading, NULL, NULL, 0 FROM bits
    UNION ALL VALUES (0, 'I  ', 'nonclustered', NULL, NULL, 0), (0, 'O9T', 'sysobjects.type, reports', 0, 0, 0),
        (12, 'O  ', 'replication filter stored procedure', NULL, NULL, 0)
    UNION ALL SELECT -1, 'O9T', unnest([
        'AF: aggregate function', 'AP: application', 'C : check cns', 'D : default (maybe cns)', 'EN: event notification', 'F : foreign key cns',
        'FN: scalar function', 'FS: assembly scalar function', 'FT: assembly table function', 'IF: inline function', 'IS: inline scalar function',
        'IT: internal table', 'L : log', 'P : stored procedure', 'PC : assembly stored procedure', 'PK: primary key cns', 'R : rule',
        'RF: replication filter proc', 'S : system table', 'SN: synonym', 'SQ: queue', 'TA: assembly trigger', 'TF: table function', 'TR: trigger',
        'U : user table', 'UQ: unique key cns', 'V : view', 'X : extended stored proc']), 0, 0, 0
    UNION ALL SELECT unnest([0, 26, 178, 193, 195, 196, 197, 198, 203, 204, 205, 206, 207, 222, 224, 228, 233, 235, 236]), 'T  ', unnest([
        'SYSPROTECTS.ACTION', 'References', 'Create Function', 'Select', 'Insert', 'Delete', 'Update', 'Create Table', 'Create Database', 'Grant_WGO',
        'Grant', 'Deny', 'Create View', 'Create Procedure', 'Execute', 'Backup Database', 'Create Default', 'Backup Transaction', 'Create Rule']), NULL, NULL, 0
)
SELECT CAST(NULL AS VARCHAR) AS name, CAST(n AS INTEGER) AS number, 'P  ' AS type, CAST(n // 8 + 1 AS INTEGER) AS low,
    CAST(1 << (n % 8) AS INTEGER) AS high, 0 AS status
FROM range(2048) AS numbers (n)
UNION ALL SELECT name, CAST(number AS INTEGER), type, CAST(low AS INTEGER), CAST(high AS INTEGER), status FROM named WHERE name IS NOT NULL
