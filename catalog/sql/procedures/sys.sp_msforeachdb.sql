-- sp_msforeachdb: commands run for each database, its name in the place of a mark.
CREATE PROCEDURE sys.sp_msforeachdb @command1 nvarchar(2000), @replacechar nchar(1) = N'?', @command2 nvarchar(2000) = NULL, @command3 nvarchar(2000) = NULL,
    @precommand nvarchar(2000) = NULL, @postcommand nvarchar(2000) = NULL
AS EXTERNAL NAME sbql.command_loops.sp_msforeachdb
