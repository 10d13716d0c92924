-- SET LANGUAGE: names of months and days, date order, first day of the week (pages "SET LANGUAGE", "sys.syslanguages", "SET DATEFORMAT").
DECLARE @today datetime = '20171105'
SET LANGUAGE Italian
SELECT DATENAME(month, @today), @@LANGUAGE, @@LANGID, @@DATEFIRST
SET LANGUAGE us_english
SELECT DATENAME(month, @today), @@LANGUAGE, @@LANGID, @@DATEFIRST
GO
--! print Italiano
--! print us_english
--! rows
--! novembre | Italiano | 6 | 1
--! rows
--! November | us_english | 0 | 7
CREATE TABLE t (d datetime, text varchar(20), day date)
INSERT t VALUES ('20240301', '5.3.2024', NULL)
SET LANGUAGE German
SELECT DATENAME(month, d), DATENAME(weekday, d), CAST(d AS varchar(30)), CONVERT(varchar(30), d, 106), CONVERT(varchar(30), d, 121), CAST(text AS date), DATEPART(weekday, d), ISDATE('31.12.2024'), FORMAT(d, 'D'), FORMAT(1234.5, 'N1') FROM t
DECLARE @d datetime = '20240301', @text varchar(20) = '5.3.2024', @named varchar(20) = '2. Mai 2024'
SELECT DATENAME(month, @d), DATENAME(weekday, @d), CAST(@d AS varchar(30)), CONVERT(varchar(30), @d, 106), CONVERT(varchar(30), @d, 121), CAST(@text AS date), DATEPART(weekday, @d), ISDATE('31.12.2024'), FORMAT(@d, 'D'), FORMAT(1234.5, 'N1')
INSERT t VALUES ('24.12.2024', '', '25.12.2024')
INSERT t (day) SELECT text FROM t WHERE text <> ''
UPDATE t SET day = '26.12.2024' WHERE day = '25.12.2024'
SELECT d, day FROM t WHERE day IS NOT NULL ORDER BY day
SELECT CAST(@named AS date), CAST('2 Mai 2024' AS date), TRY_CAST('2 May 2024' AS date)
GO
--! rows
--! März | Freitag | Mär  1 2024 12:00AM | 01 Mär 2024 | 2024-03-01 00:00:00.000 | 2024-03-05 | 5 | 1 | Freitag, 1. März 2024 | 1.234,5
--! rows
--! März | Freitag | Mär  1 2024 12:00AM | 01 Mär 2024 | 2024-03-01 00:00:00.000 | 2024-03-05 | 5 | 1 | Freitag, 1. März 2024 | 1.234,5
--! rows
--! NULL | 2024-03-05
--! 2024-12-24 00:00:00.000 | 2024-12-26
--! rows
--! 2024-05-02 | 2024-05-02 | NULL
-- the same statements mean something else in another language: nothing of the first run is remembered
SET LANGUAGE us_english
SELECT CAST(text AS date), CAST('5.3.2024' AS date), DATENAME(month, d) FROM t WHERE text <> ''
SET DATEFORMAT ymd
SELECT CAST(text AS date) FROM (SELECT '99.3.5' AS text) AS v
SET LANGUAGE British
SELECT CAST(text AS date), CAST('5.3.2024' AS date), DATENAME(month, d) FROM t WHERE text <> ''
GO
--! rows
--! 2024-05-03 | 2024-05-03 | March
--! rows
--! 1999-03-05
--! rows
--! 2024-03-05 | 2024-03-05 | March
CREATE PROCEDURE name_the_day @d date AS
    SET LANGUAGE Swedish
    SELECT DATENAME(weekday, @d), @@DATEFIRST
GO
EXEC name_the_day '2024-03-02'
SELECT @@LANGUAGE
GO
--! rows
--! lördag | 1
--! rows
--! British
SET LANGUAGE French
SELECT DATENAME(month, '20240801'), DATENAME(weekday, '20240801'), CONVERT(varchar(20), CAST('20240801' AS datetime), 107)
SET LANGUAGE Spanish
SELECT DATENAME(month, '20240801'), DATENAME(weekday, '20240801'), CONVERT(varchar(20), CAST('20240801' AS datetime), 107)
SET LANGUAGE Portuguese
SELECT DATENAME(month, '20240801'), DATENAME(weekday, '20240801'), CONVERT(varchar(20), CAST('20240801' AS datetime), 107)
SET LANGUAGE Dutch
SELECT DATENAME(month, '20240801'), DATENAME(weekday, '20240801'), CONVERT(varchar(20), CAST('20240801' AS datetime), 107)
GO
--! rows
--! août | jeudi | août 01, 2024
--! rows
--! Agosto | Jueves | Ago 01, 2024
--! rows
--! agosto | quinta-feira | ago 01, 2024
--! rows
--! augustus | donderdag | aug 01, 2024
SET LANGUAGE Klingon
GO
--! error 2740
SET LANGUAGE Turkish
SELECT DATENAME(month, '20240801'), DATENAME(weekday, '20240801'), @@LANGID, @@DATEFIRST
SET LANGUAGE Croatian
SELECT DATENAME(month, '20240801'), @@LANGID, CONVERT(nvarchar(20), CAST('2024-08-01' AS datetime), 107)
SET LANGUAGE N'ελληνικά'
SELECT DATENAME(weekday, '20240801'), @@LANGUAGE
SET LANGUAGE Thai
SELECT DATENAME(weekday, '20240801'), @@DATEFIRST
GO
--! rows
--! Ağustos | Perşembe | 22 | 1
--! rows
--! kolovoz | 16 | kol 01, 2024
--! rows
--! Πέμπτη | ελληνικά
--! rows
--! พฤหัสบดี | 7
