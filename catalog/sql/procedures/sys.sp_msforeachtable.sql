-- sp_msforeachtable: commands run for each table, its name in the place of a mark.
CREATE PROCEDURE sys.sp_msforeachtable @command1 nvarchar(2000), @replacechar nchar(1) = N'?', @command2 nvarchar(2000) = NULL, @command3 nvarchar(2000) = NULL,
    @whereand nvarchar(2000) = NULL, @precommand nvarchar(2000) = NULL, @postcommand nvarchar(2000) = NULL
AS EXTERNAL NAME sbql.command_loops.sp_msforeachtable
