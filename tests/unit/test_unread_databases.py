"""Whoever compiles a batch opens no database for what is not run, or not yet."""

from __future__ import annotations

from pathlib import Path

import pytest
from told import told

from sbql.engine.instance import Instance


@pytest.mark.parametrize("state", ["OFFLINE", "restoring", "no access"])
def test_what_is_not_run_may_name_a_database_that_cannot_be_opened(state: str, tmp_path: Path) -> None:
    """Names are looked up when a statement runs: the batch that opens the database may read it, too."""
    instance = Instance.open(str(tmp_path / "s.duckdb"))
    session = instance.connect()
    for batch in ("CREATE DATABASE closed", "CREATE TABLE closed.dbo.t (i int)", "INSERT closed.dbo.t VALUES (1)"):
        assert told(session, batch) == []
    reading = "SELECT i FROM closed.dbo.t; UPDATE x SET i = 1 FROM closed.dbo.t AS x; IF EXISTS (SELECT * FROM closed.dbo.t) SELECT 2"
    try:
        if state == "OFFLINE":
            told(session, "ALTER DATABASE closed SET OFFLINE")
            opening = "ALTER DATABASE closed SET ONLINE"
        elif state == "restoring":
            told(session, f"BACKUP LOG closed TO DISK = '{tmp_path}/no.bak'")
            told(session, f"BACKUP DATABASE closed TO DISK = '{tmp_path}/b.bak'")
            assert (
                told(session, f"RESTORE DATABASE closed FROM DISK = '{tmp_path}/b.bak' WITH REPLACE, NORECOVERY") == []
            )
            opening = "RESTORE DATABASE closed WITH RECOVERY"
        else:
            assert told(session, "CREATE USER u WITHOUT LOGIN") == []
            opening = "REVERT"
            assert told(session, f"EXECUTE AS USER = 'u'; IF 1 = 0 BEGIN {reading} END") == []
            assert told(session, "EXECUTE AS USER = 'u'") == []
        assert told(session, f"IF 1 = 0 BEGIN {reading} END; SELECT 3") == [(3,)]
        assert told(session, f"{opening}; IF USER_NAME() <> 'dbo' REVERT; {reading}") == [(1,), (2,)]
    finally:
        instance.close()
