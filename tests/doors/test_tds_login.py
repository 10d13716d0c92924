"""The door of TDS, seen token by token: who is let in, and what the others learn."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import in_session
from tds_wire import PASSWORD, WireClient, of

import sbql
from sbql.engine.server.entry import Entry
from sbql.engine.server.owner import Server
from sbql.grammar.errors import SqlError


def test_the_answer_to_a_login(client: WireClient) -> None:
    kinds = [token[:2] for token in client.greeting]
    assert kinds == [
        ("change", 1), ("info", 5701), ("change", 7), ("change", 2), ("info", 5703), ("login", 0x74000004), ("change", 4), ("done", 0),
    ]  # fmt: skip
    assert of("login", client.greeting)[0][1] == "Microsoft SQL Server"


@pytest.mark.parametrize(
    ("login", "numbers"),
    [
        ({"password": "wrong"}, [18456]),
        ({"user": "nobody", "password": PASSWORD}, [18456]),
        ({"user": "public", "password": ""}, [18456]),
        ({"password": PASSWORD, "database": "nowhere"}, [4060, 18456]),
        ({"password": PASSWORD, "options2": 0x80}, [18452]),
    ],
)
def test_who_is_not_let_in(served: Server, port: int, login: dict[str, Any], numbers: list[int]) -> None:
    with WireClient(port, **login) as client:
        errors = of("error", client.greeting)
        assert [(number, severity) for number, severity, *_ in errors] == [
            (n, 11 if n == 4060 else 14) for n in numbers
        ]
        assert client.greeting[-1][0] == "done"
        with pytest.raises(ConnectionError):
            client.message()


def test_the_log_says_why_and_the_client_does_not_learn_it(served: Server, port: int) -> None:
    in_session(
        served,
        "CREATE LOGIN keyless WITH PASSWORD = 'x'; CREATE LOGIN shut WITH PASSWORD = 'Right-1234'; ALTER LOGIN shut DISABLE;",
    )
    said: list[str] = []
    lines: list[str] = []
    stop = served.instance.listen_log(lambda record: lines.append(record.text))
    for user, password in (("sa", "no"), ("nobody", "no"), ("shut", "Right-1234")):
        with WireClient(port, user=user, password=password) as client:
            said.append(of("error", client.greeting)[0][3].replace(user, "…"))
    assert len(set(said)) == 1
    stop()
    for word in ("password is wrong", "no login", "disabled"):
        assert sum(word in line for line in lines) == 1
    assert all("[CLIENT: 127.0.0.1]" in line for line in lines)


def test_a_login_without_a_password_has_no_way_in_by_network() -> None:
    connection = sbql.connect()
    with sbql.serve(connection, listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        connection.execute("CREATE LOGIN [PC\\me] FROM WINDOWS")
        with WireClient(server.endpoints[1].port, user="PC\\me", password="") as client:
            assert of("error", client.greeting)[0][0] == 18456
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    connection.close()


@pytest.mark.parametrize(
    ("made", "password"),
    [
        # sha1 and sha512 of "Letmein-1" in UTF-16 and the salt 01020304, as SQL Server 2008 and 2012 keep it
        ("0x0100", "Letmein-1"),
        ("0x0200", "Letmein-1"),
    ],
)
def test_hashes_that_sql_server_has_made(served: Server, port: int, made: str, password: str) -> None:
    digest = (hashlib.sha1 if made == "0x0100" else hashlib.sha512)(
        password.encode("utf-16-le") + bytes([1, 2, 3, 4])
    ).hexdigest()
    name = f"old{made}"
    in_session(served, f"CREATE LOGIN [{name}] WITH PASSWORD = {made}01020304{digest} HASHED")
    with WireClient(port, user=name, password=password) as client:
        assert of("error", client.greeting) == []
        assert of("row", client.batch("SELECT SUSER_SNAME()")) == [((name,),)]
    with WireClient(port, user=name, password="letmein-1") as client:
        assert of("error", client.greeting)[0][0] == 18456


def test_many_wrong_passwords_take_longer_and_longer(served: Server) -> None:
    waits: list[float] = []

    class Closed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(round(timeout or 0, 2))
            return False

    entry = Entry(served.instance, Closed())
    for _ in range(12):
        with pytest.raises(SqlError, match="Login failed"):
            entry.check("sa", "wrong", "10.0.0.1")
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]
    waits.clear()
    assert entry.check("SA", PASSWORD, "10.0.0.2") == "sa"
    assert entry.check("sa", PASSWORD, "10.0.0.1") == "sa"
    assert entry.check("sa", PASSWORD, "10.0.0.1") == "sa"
    assert waits == [3.0]
