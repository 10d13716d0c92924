"""The application: it knows SQL Server's drivers, and nothing of sbql."""

from __future__ import annotations

from typing import Any

import pymssql
from sqlalchemy import Engine, text


class Payments:
    """The payment service: takes what the shop asks for, and says what was paid."""

    def __init__(self, **server: Any) -> None:
        self._connection = pymssql.connect(database="Shop", autocommit=True, **server)

    def pay_next(self) -> bool:
        """Pay for the order that has waited longest; False when none waits."""
        cursor = self._connection.cursor()
        while True:  # all that has come of one order
            cursor.execute(
                "RECEIVE CAST(conversation_handle AS varchar(36)), message_type_name, message_body FROM PaymentQueue"
            )
            found = cursor.fetchall()
            if not found:
                return False
            dialog, kind, body = found[-1]
            if kind == "DEFAULT":
                cursor.execute("SEND ON CONVERSATION %s (%s)", (dialog, body))
                return True
            cursor.execute("END CONVERSATION %s", (dialog,))  # the shop has ended it

    def close(self) -> None:
        self._connection.close()


def place_order(engine: Engine, number: int) -> None:
    with engine.begin() as connection:
        connection.execute(
            text("DECLARE @dialog uniqueidentifier; EXEC PlaceOrder :number, @dialog OUTPUT"), {"number": number}
        )


def status_of(engine: Engine, number: int) -> str | None:
    with engine.connect() as connection:
        return connection.execute(text("SELECT status FROM Orders WHERE id = :number"), {"number": number}).scalar()
