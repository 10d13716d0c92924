"""Pictures: conversations as sequence diagrams, the topology of a database, the states of a conversation.

A pure model (`model`) of participants, messages, notes, boxes and edges; what draws it (`sequence_svg`,
`graph_svg`, `mermaid`, `text_art`) and what fills it: live state, asked for in T-SQL through whatever runs batches
(`live`, `topology`), a recorded trace (`recorded`, `timeline`), the broker's own table of states (`states`). It
must not know sessions, the broker's memory or who shows the pictures. Result sets as HTML (`html`) stand here too,
because notebooks and cursors share them.
"""

from sbql.engine.pictures.live import conversation
from sbql.engine.pictures.picture import Picture
from sbql.engine.pictures.recorded import recorded
from sbql.engine.pictures.states import conversation_states
from sbql.engine.pictures.timeline_page import recorded_timeline
from sbql.engine.pictures.topology import topology

__all__ = ["Picture", "conversation", "conversation_states", "recorded", "recorded_timeline", "topology"]
