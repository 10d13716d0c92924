"""Pictures: conversations as sequence diagrams, the topology of a database, the states of a conversation.

`model` is a pure model of participants, messages, notes, boxes and edges. It is filled with live state, which `live`
and `topology` ask for in T-SQL through whatever runs batches, with a recorded trace (`recorded`, `timeline`), or with
the broker's own table of states (`states`). `sequence_svg`, `graph_svg`, `mermaid` and `text_art` draw it. It must not
know sessions, the broker's memory or who shows the pictures.
"""

from sbql.engine.pictures.live import conversation
from sbql.engine.pictures.picture import Picture
from sbql.engine.pictures.recorded import recorded
from sbql.engine.pictures.states import conversation_states
from sbql.engine.pictures.timeline_page import recorded_timeline
from sbql.engine.pictures.topology import topology

__all__ = ["Picture", "conversation", "conversation_states", "recorded", "recorded_timeline", "topology"]
