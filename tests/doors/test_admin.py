"""The dedicated administrator connection: one at a time, for members of sysadmin, from Python and from the command
line."""

from __future__ import annotations

import pytest

import sbql
from sbql.engine.instance import Instance
from sbql.grammar.errors import SqlError
from sbql.repl.cli import main


@pytest.mark.spec("BASE-1", "BASE-11")
def test_there_is_one_at_a_time() -> None:
    with sbql.connect(clock="virtual") as ordinary:
        with sbql.connect(instance=ordinary.instance, admin=True) as admin:
            assert admin.execute("SELECT COUNT(*) FROM sys.sysdesend").fetchone() == (0,)
            with pytest.raises(sbql.Error) as refused:
                sbql.connect(instance=ordinary.instance, admin=True)
            assert "17810" in str(refused.value)
            with pytest.raises(sbql.Error, match="sysdesend"):
                ordinary.execute("SELECT COUNT(*) FROM sys.sysdesend")
        sbql.connect(instance=ordinary.instance, admin=True).close()


@pytest.mark.spec("BASE-12")
def test_it_is_for_sysadmin() -> None:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    session.run(
        "CREATE LOGIN Ann WITH PASSWORD = 'x'; CREATE LOGIN Root WITH PASSWORD = 'x'; ALTER SERVER ROLE sysadmin ADD MEMBER Root"
    )
    with pytest.raises(SqlError) as refused:
        instance.connect(login="Ann", admin=True)
    assert refused.value.number == 18456
    assert instance.connect(login="Root", admin=True).is_admin
    assert not instance.connect(login="Ann").is_admin
    instance.close()


def test_the_command_line_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    query = "SET NOCOUNT ON; SELECT COUNT(*) FROM sys.sysxmitqueue"
    assert main(["-A", "-b", "-h", "-1", "-W", "-Q", query]) == 0
    assert capsys.readouterr().out.split() == ["0"]
    assert main(["-b", "-Q", query]) == 1
    assert "Msg 208" in capsys.readouterr().out
