-- A place in a pattern is one character; a letter that is equal to two is itself then, whatever else is in the text.
CREATE TABLE z (t nvarchar(20));
INSERT z VALUES (N'Łssu'), (N'Łßu'), (N'xssu'), (N'カssu'), (N'Łoeu'), (N'Łœu'), (N'σu'), (N'ςu');
GO
SELECT t FROM z WHERE t LIKE N'%ß_' ORDER BY t;
SELECT t FROM z WHERE t LIKE N'_œu' ORDER BY t;
SELECT COUNT(*) FROM z WHERE t LIKE N'ς_';
SELECT COUNT(*) FROM z WHERE t LIKE N'%ß%';
DECLARE @p nvarchar(9) = N'%ß_';
SELECT t FROM z WHERE t LIKE @p ORDER BY t;
GO
--! rows
--! Łßu
--! rows
--! Łœu
--! rows
--! 2
--! rows
--! 4
--! rows
--! Łßu
