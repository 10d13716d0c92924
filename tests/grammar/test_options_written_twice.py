"""An option that is written twice is wrong syntax near the word that the statement has for it."""

from __future__ import annotations

import re

import pytest

from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch

_STATEMENTS = {
    "CREATE BROKER PRIORITY p FOR CONVERSATION SET ({})": (
        "PRIORITY_LEVEL = 4", "PRIORITY_LEVEL = DEFAULT", "CONTRACT_NAME = c", "CONTRACT_NAME = ANY", "LOCAL_SERVICE_NAME = s",
        "REMOTE_SERVICE_NAME = 's'", "REMOTE_SERVICE_NAME = ANY",
    ),
    "CREATE QUEUE q WITH {}": ("STATUS = ON", "RETENTION = ON", "POISON_MESSAGE_HANDLING (STATUS = ON)", "ACTIVATION (PROCEDURE_NAME = [p])"),
    "ALTER QUEUE q WITH ACTIVATION ({})": ("STATUS = ON", "PROCEDURE_NAME = [p]", "MAX_QUEUE_READERS = 1", "EXECUTE AS SELF", "EXECUTE AS 'u'"),
    "CREATE ROUTE r WITH {}": ("SERVICE_NAME = 'a'", "BROKER_INSTANCE = 'a'", "LIFETIME = 4", "ADDRESS = 'a'", "MIRROR_ADDRESS = 'a'"),
    "CREATE REMOTE SERVICE BINDING b TO SERVICE 's' WITH {}": ("USER = [u]", "ANONYMOUS = ON"),
    "BEGIN DIALOG @h FROM SERVICE s TO SERVICE 't' WITH {}": (
        "LIFETIME = 4", "ENCRYPTION = ON", "RELATED_CONVERSATION = @h", "RELATED_CONVERSATION_GROUP = @h",
    ),
    "CREATE ENDPOINT e STATE = STARTED AS TCP ({}) FOR SERVICE_BROKER ()": ("LISTENER_PORT = 4022", "LISTENER_IP = ALL"),
    "CREATE ENDPOINT e AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER ({})": (
        "AUTHENTICATION = WINDOWS", "ENCRYPTION = DISABLED", "MESSAGE_FORWARDING = ENABLED", "MESSAGE_FORWARD_SIZE = 4",
    ),
    "CREATE CERTIFICATE c WITH {}": ("SUBJECT = 'a'", "START_DATE = '20200101'", "EXPIRY_DATE = '20300101'"),
    "CREATE SYMMETRIC KEY k WITH {} ENCRYPTION BY PASSWORD = 'x'": ("ALGORITHM = AES_256", "KEY_SOURCE = 'a'", "IDENTITY_VALUE = 'a'"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "option"), [(text, option) for text, options in _STATEMENTS.items() for option in options]
)
def test_the_word_is_the_one_that_is_written(statement: str, option: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse_batch(statement.format(f"{option}, {option}"))
    near = re.search(r"near (?:the keyword )?'([^']*)'", caught.value.message)
    assert caught.value.number in (102, 156)
    assert near is not None and near[1].upper() == re.split(r"\W", option)[0]
