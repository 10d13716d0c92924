-- sys.syscharsets: the character set and the sort order of the server.
-- column: type smallint not null
-- column: id tinyint not null
-- column: csid tinyint not null
-- column: status smallint
-- column: name sysname not null
-- column: description nvarchar(255)
-- column: binarydefinition varbinary(6000)
-- column: definition image
SELECT * FROM (VALUES
    (1001, 1, 0, 0, 'iso_1', 'ISO 8859-1 (Latin-1) - Western European 8-bit character set.', NULL, NULL),
    (2001, 52, 1, 0, 'nocase_iso',
    'Case-insensitive dictionary sort order for use with several Western-European languages including English, French,
    and German. Uses the ISO 8859-1 character set.', NULL, NULL))
    AS c(type, id, csid, status, name, description, binarydefinition, definition)
