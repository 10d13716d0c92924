-- DEFAULT_LANGUAGE of a login: what views show, and what its sessions speak, the order of dates and the first day of the week with it.
CREATE LOGIN Karl WITH PASSWORD = 'x', DEFAULT_LANGUAGE = [German];
CREATE LOGIN Ann WITH PASSWORD = 'x';
SELECT name, default_language_name FROM sys.sql_logins WHERE name IN ('Ann', 'Karl') ORDER BY name;
SELECT default_language_name FROM sys.server_principals WHERE name = 'Karl';
SELECT language FROM sys.syslogins WHERE name = 'Karl';
SELECT LOGINPROPERTY('Karl', 'DefaultLanguage') AS l;
GO
--! rows
--! Ann | us_english
--! Karl | Deutsch
--! rows
--! Deutsch
--! rows
--! Deutsch
--! rows
--! Deutsch
CREATE LOGIN Wrong WITH PASSWORD = 'x', DEFAULT_LANGUAGE = Klingon;
GO
--! error 15033
ALTER LOGIN Ann WITH DEFAULT_LANGUAGE = Klingon;
GO
--! error 15033
ALTER LOGIN Ann WITH DEFAULT_LANGUAGE = Français; EXEC sp_defaultlanguage 'Karl', 'Italian'; EXEC sp_addlogin 'Bo', 'x', 'master', 'Svenska';
SELECT name, default_language_name FROM sys.sql_logins WHERE name IN ('Ann', 'Bo', 'Karl') ORDER BY name;
EXEC sp_defaultlanguage 'Karl';
SELECT default_language_name FROM sys.sql_logins WHERE name = 'Karl';
EXEC sp_defaultlanguage 'Karl', 'Klingon';
GO
--! rows
--! Ann | Français
--! Bo | Svenska
--! Karl | Italiano
--! rows
--! us_english
--! error 15033
-- Who changes the context keeps his language.
ALTER LOGIN Karl WITH DEFAULT_LANGUAGE = Deutsch;
EXECUTE AS LOGIN = 'Karl';
SELECT @@LANGUAGE;
REVERT;
GO
--! rows
--! us_english
