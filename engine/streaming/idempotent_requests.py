"""The operations around a text that is to be run once: describe it, ask whether it was run, keep its answer.

    BEGIN TRANSACTION -> request.begin -> the text -> request.end -> COMMIT

all in one session. The note that a request is answered is committed with what its text has done. So a client that has
not heard the answer may ask again: it gets the same one, and nothing is done twice. In between the text cannot end
the transaction. What an answer is made of is the client's business.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from sbql.catalog.records import AnsweredRequest
from sbql.engine.broker.answered_requests import KNOWN, MOST_BYTES
from sbql.engine.describe.result_sets import describe_batch
from sbql.engine.operations import Call, argument, operation
from sbql.engine.security.similar_names import advise_name
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

_LONGEST_NAME: Final = 200


@operation("request.describe")
def describe(call: Call) -> dict[str, Any]:
    """The columns of the first result set of `text`, which is not run: (name, the parts of its SqlType, whether it
    may be NULL) of each, or None. `now` is the moment, for `request.begin`. Raises what compiling raises, and
    11509, 11513, 11514, 11520, 11525."""
    try:
        columns = describe_batch(call.session, argument(call, "text", str, required=True))
    except SqlError as error:
        advise_name(call.session, error)
        raise
    told = None
    if columns is not None:
        told = [
            [c.name, [c.type.name, c.type.length, c.type.precision, c.type.scale, c.type.collation], c.is_nullable]
            for c in columns
        ]
    return {"columns": told, "now": call.instance.host.now()}


@operation("request.begin")
def begin(call: Call) -> Work:
    """In an open transaction, before `text` is run under the name `request`. Another one that runs the same is
    waited for. Returns `is_new` and `answer`: not new is what was run, and that is its answer. `issued`: the moment
    when the client made the name, from `request.describe`; a name that is older than what is known here cannot be
    told from a new one, and is refused.

    Raises 49947 when the answer is not kept any more, 49948 when another text was run under
    this name, 3902 without a transaction.
    """
    session, state = call.session, call.instance.broker
    name = argument(call, "request", str, required=True)
    text_hash = _hash(argument(call, "text", str, required=True))
    issued = argument(call, "issued", float)
    if len(name) > _LONGEST_NAME:
        raise sql_error(8152).advise(f"A request's name has {_LONGEST_NAME} characters at most.")
    if session.trancount == 0:
        raise sql_error(3902)
    with session.statement() as transaction:
        yield from transaction.lock(("request", session.database_id, name))
    now = call.instance.host.now()
    with state.mutex:
        changes = state.requests.forget_old(now)
        if changes:
            session.note_commit(call.instance.store.submit(changes))
        known = state.requests.find(session.database_id, name)
    if known is None:
        if issued is not None and issued < now - KNOWN:
            raise sql_error(49947, name)
        session.keep_open(session.trancount)
        return {"is_new": True, "answer": None}
    if known.text_hash != text_hash:
        raise sql_error(49948, name)
    if known.answer is None:
        raise sql_error(49947, name)
    return {"is_new": False, "answer": known.answer}


@operation("request.end")
def end(call: Call) -> dict[str, Any]:
    """After the text: `answer` is kept when the transaction commits. Raises 49949 when the text has left a transaction
    open or an error has ended it, 49950 for an answer that is too large."""
    session, state = call.session, call.instance.broker
    name, text = argument(call, "request", str, required=True), argument(call, "text", str, required=True)
    answer = argument(call, "answer", bytes, required=True)
    if session.least_trancount is None or session.trancount != session.least_trancount:
        raise sql_error(49949)
    if len(answer) > MOST_BYTES // 4:
        raise sql_error(49950, len(answer), MOST_BYTES // 4)
    record = AnsweredRequest(session.database_id, name, _hash(text), call.instance.host.now(), answer)

    def remember() -> None:
        with state.mutex:
            state.requests.note(record)

    with session.statement() as transaction:
        with state.mutex:
            transaction.broker.deliveries.append(record)
        transaction.on_commit(remember)
    session.keep_open(None)
    return {}


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
