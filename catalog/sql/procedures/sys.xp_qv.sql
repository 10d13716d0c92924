-- xp_qv: whether an edition has a feature, by its number; it returns 2 for yes. The edition here is Developer, which has them all.
CREATE PROCEDURE sys.xp_qv @feature nvarchar(128), @instance sysname = NULL
AS
RETURN (2)
