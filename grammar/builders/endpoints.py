"""Builders of CREATE and ALTER ENDPOINT, and which options stand behind AS TCP and behind FOR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.grammar.ast import CreateEndpointStatement, Identifier, ObjectName, Span, StringLiteral
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import merge_options, spelled, text_of
from sbql.grammar.option_forms import wrong_option

__all__: list[str] = []

_STATES: Final = ("STARTED", "STOPPED", "DISABLED")
_PAYLOADS: Final = ("SERVICE_BROKER", "DATABASE_MIRRORING", "TSQL")
_OF_PROTOCOL: Final[Sequence[str]] = ("LISTENER_PORT", "LISTENER_IP")
_OF_PAYLOAD: Final[Sequence[str]] = (
    "AUTHENTICATION",
    "ENCRYPTION",
    "MESSAGE_FORWARDING",
    "MESSAGE_FORWARD_SIZE",
    "ROLE",
)


@rule("create_endpoint")
def _create_endpoint(
    span: Span,
    verb: str,
    name: Identifier,
    owner: Identifier | None,
    state: Identifier | None,
    protocol: Identifier | None,
    protocol_options: Any,
    payload: Identifier | None,
    payload_options: Any = None,
) -> CreateEndpointStatement:
    checks: tuple[tuple[Identifier | None, Sequence[str]], ...]
    checks = ((state, _STATES), (protocol, ("TCP",)), (payload, _PAYLOADS))
    for word, words in checks:
        if word is not None and word.value.upper() not in words:
            raise wrong_option(word, words)
    for given, known in ((protocol_options, _OF_PROTOCOL), (payload_options, _OF_PAYLOAD)):
        for key, _ in given or ():
            if key not in known:
                raise wrong_option(Identifier(key, span=span), known)
    options = [("STATE", state.value.upper())] if state else []
    options += [*(protocol_options or ()), *(payload_options or ())]
    merge_options(span, tuple(options))
    return CreateEndpointStatement(
        verb, name, payload.value.upper() if payload else None, tuple(options), owner, span=span
    )


@rule("endpoint_option")
def _endpoint_option(span: Span, key: str, equals: str, *value: Any) -> tuple[str, str]:
    for part in value:
        if key == "LISTENER_IP" and isinstance(part, Identifier) and not part.quoted:
            raise wrong_option(part, ("ALL",))
    return key, _endpoint_text(value)


def _endpoint_text(value: Any) -> str:
    """The value as written: words in upper case but names as they are, so that a certificate keeps its name."""
    parts: list[str] = []
    after = ""
    for part in _flat(value):
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Identifier) and after == "CERTIFICATE":
            parts.append(spelled(ObjectName((part,))))
        elif isinstance(part, Identifier):
            parts.append(f'"{part.value}"' if part.quoted else part.value.upper())
        elif isinstance(part, StringLiteral):
            parts.append(f"'{part.value}'")
        else:
            parts.append(text_of(part))
        after = parts[-1]
    return "".join(parts) if parts[0] == "(" else " ".join(parts)


def _flat(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in (_flat(part) if isinstance(part, tuple) else [part]) if leaf is not None]
