"""A shop whose queries are watched, on a virtual clock."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.subscriptions.request import QueryRequest

OPTIONS = "service=Told;local database=Shop"
SET_UP = (
    "CREATE DATABASE Shop",
    "CREATE TABLE dbo.Items (id int NOT NULL PRIMARY KEY, name nvarchar(20) NULL, qty int NOT NULL, price float NULL, note nvarchar(max) NULL)",
    "CREATE TABLE dbo.Orders (id int NOT NULL PRIMARY KEY, item_id int NULL REFERENCES dbo.Items ON DELETE CASCADE, amount int NOT NULL)",
    "INSERT dbo.Items (id, name, qty) VALUES (1, N'pen', 10), (2, N'ink', 20), (3, N'pad', 30); INSERT dbo.Orders VALUES (10, 1, 1), (20, 2, 2)",
    "CREATE QUEUE dbo.Told; CREATE SERVICE Told ON QUEUE dbo.Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])",
)


class Shop:
    def __init__(self, instance: Instance, *, is_new: bool = True) -> None:
        self.instance = instance
        self.session = instance.connect()
        for text in SET_UP if is_new else ():
            self.run(text)
            if text.startswith("CREATE DATABASE"):
                self.run("USE Shop")
        if not is_new:
            self.run("USE Shop")

    def run(self, text: str, request: QueryRequest | None = None, session: Any = None) -> list[tuple[Any, ...]]:
        """The rows of the last result. Raises the first error."""
        said: list[Any] = []
        used = session or self.session
        with used.subscribing_to(request):
            self.instance.driver.run(used.execute(text, said.append), used)
        for outcome in said:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
        results = [outcome for outcome in said if isinstance(outcome, ResultSet)]
        return list(results[-1].rows) if results else []

    def subscribe(
        self, text: str, message: str = "it", timeout: int | None = None, session: Any = None, options: str = OPTIONS
    ) -> Any:
        return self.run(text, QueryRequest(message, options, timeout), session)

    def settle(self) -> None:
        assert self.instance.loop is not None
        self.instance.loop.settle()

    def told(self) -> list[tuple[str, str, str, str]]:
        """type, source, info and message of what has come; each conversation has one message and is ended."""
        found = []
        self.settle()
        while rows := self.run(
            "RECEIVE conversation_handle, message_type_name, CAST(message_body AS xml) FROM dbo.Told"
        ):
            for handle, kind, body in rows:
                assert kind == "http://schemas.microsoft.com/SQL/Notifications/QueryNotification"
                root = ElementTree.fromstring(re.sub("^\ufeff", "", str(body)))
                assert root.tag == "{%s}QueryNotification" % kind  # noqa: UP031
                (message,) = root
                found.append((root.get("type"), root.get("source"), root.get("info"), message.text or ""))
                self.run(f"END CONVERSATION '{handle}'")
        self.settle()
        return found  # type: ignore[return-value]

    def infos(self) -> list[str]:
        return [info for _, _, info, _ in self.told()]

    def waiting(self) -> list[tuple[Any, ...]]:
        return self.run("SELECT id, timeout FROM sys.dm_qn_subscriptions ORDER BY id")
