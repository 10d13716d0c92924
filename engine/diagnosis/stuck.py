"""Why is my message stuck: every finding about everything, a conversation, a queue or a pair of services.

Decides the order (what stops most comes first) and that one cause of one thing is one
finding, however many messages wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sbql.engine.diagnosis.causes import LEVELS, Finding, Limits
from sbql.engine.diagnosis.reading import reading
from sbql.engine.diagnosis.refused import refused
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.upkeep import upkeep
from sbql.engine.diagnosis.waiting import waiting
from sbql.engine.diagnosis.world import World
from sbql.engine.ports import Instance

__all__ = ["merged", "stuck"]

_SHOWN = 5


def stuck(instance: Instance, scope: Scope | None = None, limits: Limits | None = None) -> list[Finding]:
    """The findings, errors first. Nothing is changed, and nothing waited for."""
    world, asked = World(instance, limits), scope or Scope()
    return merged(finding for look in (waiting, refused, reading, upkeep) for finding in look(world, asked))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """One for each cause of each thing, with the evidence of all."""
    kept: dict[tuple[str, int, str, str], Finding] = {}
    for finding in findings:
        key = (finding.name, finding.code, finding.database, finding.subject or finding.text)
        known = kept.get(key)
        if known is None:
            kept[key] = finding
        else:
            fresh = tuple(row for row in finding.evidence if row not in known.evidence)
            kept[key] = msgspec.structs.replace(
                known, evidence=(known.evidence + fresh)[:_SHOWN], repair=known.repair or finding.repair
            )
    return sorted(kept.values(), key=lambda finding: LEVELS.index(finding.level))
