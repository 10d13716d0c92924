"""An owner in the test's process, as a notebook has it: two services, a queue for
results, and a procedure that talks."""

from __future__ import annotations

from typing import Any

import sbql

SETUP = """
CREATE DATABASE d
GO
USE d
GO
CREATE QUEUE replies; CREATE QUEUE work; CREATE QUEUE results
CREATE SERVICE front ON QUEUE replies ([DEFAULT])
CREATE SERVICE back ON QUEUE work ([DEFAULT])
CREATE SERVICE [//results] ON QUEUE results ([DEFAULT])
GO
CREATE PROCEDURE talk @dialogs int, @times int AS
WHILE @dialogs > 0
BEGIN
    DECLARE @h uniqueidentifier, @i int = 0;
    BEGIN DIALOG @h FROM SERVICE front TO SERVICE 'back' WITH ENCRYPTION = OFF;
    WHILE @i < @times
    BEGIN
        DECLARE @text nvarchar(50) = CONCAT(@dialogs, ':', @i);
        SEND ON CONVERSATION @h (@text);
        SET @i += 1;
    END;
    SET @dialogs -= 1;
END
"""


class Owner:
    """A served store in this process, as a notebook has it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.connection = sbql.connect(path)
        for batch in SETUP.split("GO\n"):
            self.sql(batch)
        self.serve()

    def serve(self, **more: Any) -> None:
        """Let clients in; again after `server.stop()`."""
        self.server = sbql.serve(self.connection, **more)

    def sql(self, text: str) -> list[Any]:
        cursor = self.connection.cursor()
        cursor.execute(text)
        return list(cursor.fetchall()) if cursor.description else []

    def count(self, queue: str = "work") -> int:
        return int(self.sql(f"SELECT count(*) FROM d.dbo.{queue}")[0][0])

    def close(self) -> None:
        self.server.stop()
        self.connection.close()
