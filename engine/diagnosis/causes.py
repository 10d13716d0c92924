"""The inventory: every cause that a message is stuck for, with its level, its number, and what mends it.

Decides what findings are called. The number is ssbdiagnose's where that is known, else that of the message that
the broker gives, else one of our own (49971 and on). docs/stuck.md shows the table, and a test builds each cause,
so nothing may be added here alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from msgspec import Struct

from sbql.grammar.messages import message

__all__ = ["CAUSES", "ERROR", "INFO", "LEVELS", "Evidence", "Finding", "Limits", "found", "said"]

ERROR, WARNING, INFO = "ERROR", "WARNING", "INFO"
LEVELS: Final = (ERROR, WARNING, INFO)

_POINTER: Final = " EXEC sys.sp_sbql_diagnose says what repairs it."

Evidence = dict[str, Any]
"""A row that shows it, by column; `view` says where it stands."""


class Cause(NamedTuple):
    level: str
    code: int
    when: str
    repair: str


class Finding(Struct, frozen=True):
    """`code` is ssbdiagnose's number where it is known, else that of the broker's message, or of the event class.
    `kind` is Diagnosis, Event or Problem. `name` is the cause in the inventory, `subject` what it concerns, `repair`
    T-SQL that mends it: a batch, ready to run; empty when it is not a statement that is missing."""

    level: str
    code: int
    database: str
    text: str
    kind: str = "Diagnosis"
    name: str = ""
    subject: str = ""
    evidence: tuple[Evidence, ...] = ()
    repair: str = ""


class Limits(Struct, frozen=True):
    """From when on something is worth a finding. Times in seconds."""

    unread: float = 60.0
    """A message that is ready, and nobody is there to read it; a group that somebody holds."""
    unacknowledged: float = 130.0
    """A message sent to another instance that says nothing: after four repetitions."""
    ended: int = 1000
    """Conversations of one service that the other side has ended and this side has not."""
    retained: int = 10_000
    """Messages that RETENTION keeps in one queue."""
    expiry: float = 30 * 86400.0
    """Before a certificate in use ends."""


def found(
    name: str, database: str, text: str, subject: str = "", evidence: Iterable[Evidence] = (), repair: str = ""
) -> Finding:
    """A finding of the inventory."""
    cause = CAUSES[name]
    return Finding(cause.level, cause.code, database, text, "Diagnosis", name, subject, tuple(evidence), repair)


def said(number: int, *arguments: object) -> str:
    """What the broker's message says, without the sentence in it that points here."""
    return message(number).format(*arguments).removesuffix(_POINTER)


CAUSES: Final = {
    # databases and queues
    "BROKER_DISABLED": Cause(ERROR, 9791, "The broker of the sender's or the target's database is disabled.", "`ALTER DATABASE … SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE`, which does not wait for the sessions in it"),
    "BROKER_ID_TAKEN": Cause(ERROR, 9772, "It is disabled, and another database has its id: a copy that was restored or attached.", "`ALTER DATABASE … SET NEW_BROKER`; its conversations go"),
    "DATABASE_READ_ONLY": Cause(ERROR, 28014, "The database is read-only.", "`ALTER DATABASE … SET READ_WRITE`"),
    "DATABASE_SINGLE_USER": Cause(ERROR, 28015, "The database is in single-user mode.", "`ALTER DATABASE … SET MULTI_USER`"),
    "DATABASE_OFFLINE": Cause(ERROR, 942, "The database is offline.", "`ALTER DATABASE … SET ONLINE`"),
    "DATABASE_MISSING": Cause(ERROR, 911, "There is no such database.", "the right name"),
    "QUEUE_OFF": Cause(ERROR, 9617, "Somebody has switched the queue off.", "`ALTER QUEUE … WITH STATUS = ON`"),
    "POISON_MESSAGE": Cause(ERROR, 49971, "Five rollbacks in a row have switched the queue off.", "mend what reads it, then `ALTER QUEUE … WITH STATUS = ON`"),
    # names
    "SERVICE_MISSING": Cause(ERROR, 8423, "No service of the instance has the target's name, and no route leads elsewhere.", "`CREATE SERVICE`"),
    "SERVICE_MISSPELLED": Cause(ERROR, 9796, "A service has almost that name: names of services are case sensitive.", "a new dialog to the right name, with the messages that wait"),
    # routes
    "NO_ROUTE": Cause(ERROR, 29931, "The service is there, and no route of the sender's database leads to it. The way back of answers and acknowledgements is looked at, too.", "`CREATE ROUTE`"),
    "ROUTE_EXPIRED": Cause(ERROR, 49972, "The route that leads there is past its LIFETIME.", "`ALTER ROUTE … WITH LIFETIME`"),
    "WRONG_BROKER": Cause(ERROR, 9795, "The dialog asks for a broker id that no database here has.", "a new dialog without it, with the messages that wait"),
    "ROUTE_WRONG_BROKER": Cause(ERROR, 49973, "The route asks for a broker id that no database here has (NEW_BROKER, a restore).", "`ALTER ROUTE … WITH BROKER_INSTANCE`"),
    "WAITS_FOR_ROUTING": Cause(ERROR, 9770, "The service that finds routes was asked and has not answered.", "`CREATE ROUTE`"),
    # rights and keys between databases
    "NO_MASTER_KEY": Cause(ERROR, 1102, "A dialog between databases has ENCRYPTION = ON, and one of them has no master key.", "`CREATE MASTER KEY` there"),
    "MASTER_KEY_CLOSED": Cause(ERROR, 28054, "The service master key does not open the master key.", "`OPEN MASTER KEY`, `ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY`"),
    "NOT_TRUSTED": Cause(ERROR, 916, "The sender comes from a database that is not TRUSTWORTHY, or its owner is nobody in the target's, and public may not SEND.", "`GRANT SEND ON SERVICE::… TO public`"),
    "NO_RIGHT_TO_RECEIVE": Cause(ERROR, 8401, "The owner of the target service may not RECEIVE from its queue.", "`GRANT RECEIVE`"),
    "NO_RIGHT_TO_SEND": Cause(ERROR, 29975, "The sender may not SEND to the target service.", "`GRANT SEND`"),
    # conversations that failed
    "CONTRACT_MISSING": Cause(ERROR, 8425, "The target's database does not have the contract.", "`CREATE CONTRACT` as the sender has it, `ALTER SERVICE … (ADD CONTRACT …)`"),
    "CONTRACT_NOT_ACCEPTED": Cause(ERROR, 8408, "The target service does not list the contract.", "`ALTER SERVICE … (ADD CONTRACT …)`"),
    "CONTRACT_DIFFERS": Cause(ERROR, 8431, "The contract has other message types, or other senders, in the target's database.", "the contract anew, as the sender has it"),
    "TYPE_DIFFERS": Cause(WARNING, 8430, "A message type is validated otherwise in the target's database.", "`ALTER MESSAGE TYPE … VALIDATION`"),
    "BODY_REFUSED": Cause(ERROR, 9615, "A message did not pass the validation of its type.", "the right body, or `ALTER MESSAGE TYPE … VALIDATION = NONE`"),
    "LIFETIME_OVER": Cause(ERROR, 8489, "The conversation lived longer than its LIFETIME.", "`END CONVERSATION`, and a new dialog"),
    "CONVERSATION_FAILED": Cause(ERROR, 49974, "Another error of the broker or of the other side has ended the conversation, and nobody has read it.", "`RECEIVE` of the Error message, `END CONVERSATION`, and a new dialog"),
    "HELD_AFTER_ERROR": Cause(WARNING, 9784, "The conversation has failed, the program knows: what still waits will never go.", "`END CONVERSATION`, and a new dialog"),
    "HELD_AFTER_END": Cause(WARNING, 9779, "The other side has ended the conversation: what still waits will never go.", "`END CONVERSATION`, and a new dialog"),
    "END_PENDING": Cause(WARNING, 9749, "An open transaction has ended the other side.", "the end of that transaction, or `KILL`"),
    # queues that nobody empties
    "NOBODY_READS": Cause(WARNING, 49975, "Messages are ready, the queue has no activation, and no session waits in RECEIVE.", "`RECEIVE`, or activation"),
    "ACTIVATION_OFF": Cause(ERROR, 49976, "The queue has an activation procedure that is switched off.", "`ALTER QUEUE … WITH ACTIVATION (STATUS = ON)`"),
    "PROCEDURE_MISSING": Cause(ERROR, 303, "The activation procedure does not exist.", "the procedure of almost that name, or `ACTIVATION (DROP)`"),
    "ACTIVATION_USER_MISSING": Cause(ERROR, 304, "The user that the procedure is to run as does not exist.", "`ACTIVATION (EXECUTE AS OWNER)`"),
    "EXECUTE_DENIED": Cause(ERROR, 229, "The user that the procedure is to run as may not execute it.", "`GRANT EXECUTE`"),
    "NO_READERS": Cause(WARNING, 9648, "MAX_QUEUE_READERS is 0.", "`ACTIVATION (MAX_QUEUE_READERS = 1)`"),
    "ACTIVATION_STUCK": Cause(ERROR, 28087, "The procedure was started and ended without a RECEIVE from the queue: its monitor stays NOTIFIED.", "the procedure mended, then ACTIVATION off and on"),
    "ACTIVATION_FAILS": Cause(ERROR, 28088, "The procedure takes messages and gives them back, again and again.", "what the error log says"),
    "GROUP_LOCKED": Cause(WARNING, 49977, "An open transaction has the conversation group.", "the end of that transaction, or `KILL`"),
    "HELD_BY_CONSUMER": Cause(WARNING, 49978, "A consumer (Spark) was delivered the messages and has not acknowledged them.", "`EXEC sys.sp_sbql_release_consumer`"),
    # other instances
    "ENDPOINT_MISSING": Cause(ERROR, 29950, "The route leads to another instance, and this one has no endpoint.", "`CREATE ENDPOINT`"),
    "ENDPOINT_STOPPED": Cause(ERROR, 9666, "The endpoint is not started.", "`ALTER ENDPOINT … STATE = STARTED`"),
    "ENDPOINT_RC4": Cause(ERROR, 49980, "The endpoint asks for RC4 alone, which nothing here speaks.", "`ALTER ENDPOINT … ENCRYPTION = REQUIRED ALGORITHM AES`"),
    "NO_NETWORK": Cause(ERROR, 49979, "The endpoint is started, and this process has no network (a virtual clock).", "the system's clock, or a `Network`"),
    "BINDING_MISSING": Cause(ERROR, 9727, "A secure dialog to another instance, and no remote service binding for the service.", "`CREATE REMOTE SERVICE BINDING`, or a new dialog with ENCRYPTION = OFF"),
    "CERTIFICATE_MISSING": Cause(ERROR, 9731, "The user that stands for a service has no certificate.", "`CREATE CERTIFICATE`"),
    "CERTIFICATE_WITHOUT_KEY": Cause(ERROR, 9733, "The certificate of the own side has no private key.", "`CREATE CERTIFICATE`"),
    "CERTIFICATE_UNDER_PASSWORD": Cause(ERROR, 9737, "Its private key is under a password instead of the master key.", "`ALTER CERTIFICATE … WITH PRIVATE KEY (DECRYPTION BY PASSWORD = …)`"),
    "CERTIFICATE_TOO_SHORT": Cause(ERROR, 9735, "Its key has a length that is not supported.", "`CREATE CERTIFICATE`"),
    "CERTIFICATE_INACTIVE": Cause(ERROR, 9767, "It is not ACTIVE FOR BEGIN_DIALOG.", "`ALTER CERTIFICATE … WITH ACTIVE FOR BEGIN_DIALOG = ON`"),
    "CERTIFICATE_TOO_EARLY": Cause(ERROR, 28024, "It is not valid yet.", "`CREATE CERTIFICATE`"),
    "CERTIFICATE_EXPIRED": Cause(ERROR, 28025, "It has expired.", "`CREATE CERTIFICATE`"),
    "ENDPOINT_CERTIFICATE": Cause(ERROR, 28055, "The endpoint's certificate is missing, has no private key, or is not valid now.", "`CREATE CERTIFICATE` in master, `ALTER ENDPOINT`"),
    "ENDPOINTS_DIFFER": Cause(ERROR, 28027, "The endpoints of two instances have no way of authentication in common, or one demands the encryption that the other refuses (ssbdiagnose over both).", "`ALTER ENDPOINT`"),
    "ACCOUNT_REFUSED": Cause(ERROR, 28034, "The account that one instance runs as has no login, or no CONNECT on the endpoint, at the other (ssbdiagnose over both).", "`CREATE LOGIN … FROM WINDOWS`, `GRANT CONNECT ON ENDPOINT::…`"),
    "ROUTE_WRONG_PORT": Cause(WARNING, 49987, "The route leads to another port than the one of the endpoint there (ssbdiagnose over both).", "`ALTER ROUTE … WITH ADDRESS`"),
    "CERTIFICATE_DIFFERS": Cause(ERROR, 49988, "The user of the remote service binding has another certificate than the owner of the target service (ssbdiagnose over both).", "`CREATE CERTIFICATE … FROM FILE`"),
    "CERTIFICATE_UNKNOWN": Cause(ERROR, 49989, "The target's database does not have the certificate of the initiator (ssbdiagnose over both).", "`CREATE CERTIFICATE … FROM FILE`, `GRANT SEND`"),
    "UNREACHABLE": Cause(ERROR, 49981, "The other instance cannot be reached, or does not let this one in.", "what `transmission_status` says; the check on the other side"),
    "NOT_ACKNOWLEDGED": Cause(WARNING, 49982, "Sent again and again, and never acknowledged: the other side drops it, or has no route back.", "`CREATE ROUTE` for the way back, on the other side"),
    "MESSAGE_INCOMPLETE": Cause(WARNING, 49983, "A part of a message from another instance is missing.", "the sender's transmission queue"),
    # what will go wrong
    "CONVERSATIONS_LEFT_OPEN": Cause(WARNING, 49984, "Very many conversations that the other side has ended and this side has not.", "`END CONVERSATION` for each, in the program and once by hand"),
    "CERTIFICATE_EXPIRES": Cause(WARNING, 49985, "A certificate that conversations or the endpoint rest on ends within 30 days.", "`CREATE CERTIFICATE`"),
    "RETENTION_GROWS": Cause(WARNING, 49986, "RETENTION keeps very many messages.", "`ALTER QUEUE … WITH RETENTION = OFF`"),
}  # fmt: skip
