-- sys.syslanguages: the languages of SET LANGUAGE.
-- column: langid smallint not null
-- column: dateformat nchar(3) not null
-- column: datefirst tinyint not null
-- column: upgrade int
-- column: name sysname not null
-- column: alias sysname not null
-- column: months nvarchar(372)
-- column: shortmonths nvarchar(132)
-- column: days nvarchar(217)
-- column: lcid int not null
-- column: msglangid smallint not null
SELECT langid, dateformat, datefirst, 0 AS upgrade, name, alias, months, shortmonths, days, lcid, lcid AS msglangid
FROM catalog_languages
