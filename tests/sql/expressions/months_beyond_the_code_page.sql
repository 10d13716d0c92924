-- Names of months that code page 1252 does not have become ? in char and varchar, as any text does that is narrowed; nvarchar keeps them.
CREATE TABLE moments (d datetime, e date)
INSERT moments VALUES ('20200304 15:06:07', '20200304')
DECLARE @d datetime = '20200304 15:06:07'
SELECT CONVERT(varchar(40), @d, 130), CONVERT(char(28), @d, 130), CONVERT(nvarchar(40), @d, 130), CONVERT(varchar(40), @d, 131)
SELECT CONVERT(varchar(40), d, 130), CONVERT(varchar(40), e, 130) FROM moments
SELECT CONVERT(varchar(40), d, 130) COLLATE Latin1_General_100_CI_AS_SC_UTF8, CAST(CONVERT(nvarchar(40), e, 130) AS varchar(40)) FROM moments
GO
--! rows
--! 10 ??? 1441  3:06:07:000PM | 10 ??? 1441  3:06:07:000PM   | 10 رجب 1441  3:06:07:000PM | 10/07/1441  3:06:07:000PM
--! rows
--! 10 ??? 1441  3:06:07:000PM | 10 ??? 1441
--! rows
--! 10 ??? 1441  3:06:07:000PM | 10 ??? 1441
SET LANGUAGE Russian
DECLARE @d datetime = '20200304 15:06:07'
SELECT CONVERT(varchar(40), @d, 106), CONVERT(nvarchar(40), @d, 106), CAST(@d AS varchar(20)), CONVERT(varchar(40), @d, 112)
SELECT CONVERT(varchar(40), d, 106), CONVERT(nvarchar(40), d, 106), CAST(d AS varchar(20)), CONVERT(varchar(40), d, 112) FROM moments
SET LANGUAGE French
SELECT CONVERT(varchar(40), DATEADD(month, -1, d), 106) FROM moments
SET LANGUAGE us_english
GO
--! rows
--! 04 ??? 2020 | 04 мар 2020 | ???  4 2020  3:06PM | 20200304
--! rows
--! 04 ??? 2020 | 04 мар 2020 | ???  4 2020  3:06PM | 20200304
--! rows
--! 04 févr 2020
