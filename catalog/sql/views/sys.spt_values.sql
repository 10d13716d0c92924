-- sys.spt_values: dbo.spt_values of master: numbers to count with (P), and what bits and codes of old system tables, of sp_lock,
-- of roles and of languages are called, as the script that installs it has them.
-- column: name nvarchar(35)
-- column: number int not null
-- column: type nchar(3) not null
-- column: low int
-- column: high int
-- column: status int
WITH listed (type, first_number, names) AS (VALUES
    -- one number after the other, the first of them that of the heading
    ('B  ', -1, ['YES OR NO', 'no', 'yes', 'none']),
    ('F  ', -1, ['SYSREMOTELOGINS TYPES', '', 'trusted']),
    ('G  ', 0, ['GENERAL MISC. STRINGS']),
    ('K  ', 0, ['SYSKEYS TYPES', 'primary', 'foreign', 'common']),
    ('L  ', 0, ['LOCK TYPES', 'NULL', 'Sch-S', 'Sch-M', 'S', 'U', 'X', 'IS', 'IU', 'IX', 'SIU', 'SIX', 'UIX', 'BU', 'RangeS-S', 'RangeS-U',
        'RangeIn-Null', 'RangeIn-S', 'RangeIn-U', 'RangeIn-X', 'RangeX-S', 'RangeX-U', 'RangeX-X']),
    ('LO ', 0, ['LOCK OWNER', 'Xact', 'Crsr', 'Sess', 'STWS', 'XTWS', 'WFR']),
    ('LR ', 0, ['LOCK RESOURCES', 'NUL', 'DB', 'FIL', NULL, 'TAB', 'PAG', 'KEY', 'EXT', 'RID', 'APP', 'MD', 'HBT', 'AU']),
    ('LS ', 0, ['LOCK REQ STATUS', 'GRANT', 'CNVT', 'WAIT', 'RELN', 'BLCKN']),
    ('O  ', 0, ['OBJECT TYPES', 'system table', 'view', 'user table', 'stored procedure', NULL, 'default', 'rule', 'trigger'])
), bits (type, status, heading, first_number, names) AS (VALUES
    -- each name has twice the number of the one before
    ('A  ', NULL, NULL, 1, ['rpc', 'pub', 'sub', 'dist', 'dpub', NULL, 'rpc out', 'data access', 'collation compatible', 'system', 'use remote collation',
        'lazy schema validation']),
    ('DC ', NULL, 'DATABASE CATEGORY', 1, ['published', 'subscribed', 'merge publish', NULL, 'Distributed']),
    ('V  ', NULL, 'SYSDEVICES STATUS', 1, ['default disk', 'physical disk', 'logical disk', NULL, 'backup device', 'serial writes', NULL, NULL, NULL, NULL,
        NULL, NULL, 'read only', 'deferred']),
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
    ('SRV', NULL, NULL, 16, ['sysadmin', 'securityadmin', 'serveradmin', 'setupadmin', 'processadmin', 'diskadmin', 'dbcreator', NULL, 'bulkadmin']),
    ('SRV', -1, NULL, 16, ['System Administrators', 'Security Administrators', 'Server Administrators', 'Setup Administrators', 'Process Administrators',
        'Disk Administrators', 'Database Creators', NULL, 'Bulk Insert Administrators'])
), compatible (number, codes, names) AS (VALUES
    -- types that compare with each other, and the codes of systypes
    (1, [45, 37], ['binary', 'varbinary']), (2, [50], ['bit']), (3, [47, 39], ['char', 'varchar']), (4, [61, 111, 58], ['datetime', 'datetimn', 'smalldatetime']),
    (5, [62, 109, 59], ['float', 'floatn', 'real']), (6, [56, 38, 52, 48], ['int', 'intn', 'smallint', 'tinyint']),
    (7, [60, 110, 122], ['money', 'moneyn', 'smallmoney'])
), named (number, type, name, low, high, status) AS (
    SELECT first_number + unnest(range(len(names))), type, unnest(names), NULL, NULL, 0 FROM listed
    UNION ALL SELECT first_number * 2 ** unnest(range(len(names))), type, unnest(names), CASE type WHEN 'SRV' THEN coalesce(status, 0) END, NULL,
        CASE type WHEN 'SOP' THEN status ELSE 0 END FROM bits
    UNION ALL SELECT 0, type, heading, NULL, NULL, 0 FROM bits
    UNION ALL SELECT number, 'J  ', unnest(names), unnest(codes), NULL, 0 FROM compatible
    UNION ALL VALUES (4202013, 'D  ', 'ALL SETTABLE OPTIONS', NULL, NULL, 0), (1469283328, 'D2 ', 'ALL SETTABLE OPTIONS', NULL, NULL, 0),
        (7, 'DC ', 'ALL SETTABLE OPTIONS', NULL, NULL, 0), (0, 'E  ', 'SQLSERVER HOST TYPE', 0, NULL, 0), (1, 'E  ', 'WINDOWS/NT', 8192, NULL, 0),
        (2, 'E  ', 'int high bit', -2147483648, NULL, 0), (3, 'E  ', 'int4 high byte', 1, NULL, 0), (0, 'J  ', 'COMPATIBLE TYPES', NULL, NULL, 0),
        (-1, 'F_U', 'SYSREMOTELOGINS TYPES (UPDATE)', NULL, NULL, 0), (0, 'F_U', '', NULL, NULL, 0), (16, 'F_U', 'trusted', NULL, NULL, 0),
        (0, 'G  ', 'SQL Server Internal Table', NULL, NULL, 0), (0, 'R  ', 'REPORT TYPES', NULL, NULL, 0), (0, 'R  ', '', NULL, NULL, 0),
        (-32768, 'R  ', ' (rpt)', NULL, NULL, 0), (0, 'SFL', 'SF LOCK TYPES', NULL, NULL, 0)
    UNION ALL SELECT unnest([8, 9, 11, 12]), 'SFL', 'Extent Lock - ' || unnest(['Exclusive', 'Update', 'Next', 'Previous']), NULL, NULL, 0
    UNION ALL SELECT unnest([16384, 16385, 16386, 16387, 16389, 16390, 16391, 16392, 16393]), 'DBR', 'DB ' || unnest([
        'Owners', 'Access Administrators', 'Security Administrators', 'DDL Administrators', 'Backup Operator', 'Data Reader', 'Data Writer',
        'Deny Data Reader', 'Deny Data Writer']), -1, NULL, 0
    UNION ALL SELECT unnest([1026, 1029, 1030, 1031, 1032, 1033, 3082, 1035, 1036, 1038, 1040, 1041, 1043, 1045, 1048, 1049, 1050, 1051, 1053, 1055, 1060,
        2068, 2070, 1061, 1062, 1063, 1046, 1028, 1042, 2052, 1025, 1054]), 'LNG', unnest([
        'Bulgarian', 'Czech', 'Danish', 'German', 'Greek', 'English', 'Spanish', 'Finnish', 'French', 'Hungarian', 'Italian', 'japanese', 'Dutch', 'Polish',
        'Romanian', 'Russian', 'Croatian', 'Slovak', 'Swedish', 'Turkish', 'Slovenian', 'Norwegian', 'Portuguese', 'Estonian', 'Latvian', 'Lithuanian',
        'Brazilian', 'Traditional Chinese', 'Korean', 'Simplified Chinese', 'Arabic', 'Thai']), NULL, NULL, 0
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
UNION ALL SELECT name, CAST(number AS INTEGER), type, CAST(CASE WHEN is_switch THEN 0 ELSE low END AS INTEGER), CAST(CASE WHEN is_switch THEN 1 ELSE high END AS INTEGER),
    status
FROM (SELECT *, (type, number) IN (('D  ', 512), ('I  ', 2048), ('I  ', 4096), ('V  ', 4096), ('V  ', 8192)) AS is_switch FROM named WHERE name IS NOT NULL)
