"""FOR XML: rows become one XML text, in the modes RAW, AUTO, PATH and EXPLICIT.

Pure functions of columns, options and rows of Python values. Decides the root, the namespace declarations and the
inline schema around what the modes make (docs: "FOR XML"). It must not know queries or sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sbql.engine.documents.for_xml_explicit import explicit_mode
from sbql.engine.documents.for_xml_names import check_name, check_prefix
from sbql.engine.documents.for_xml_parts import XSI, Build, Rows, XmlColumn, XmlOptions, escape_attribute
from sbql.engine.documents.for_xml_path import path_mode
from sbql.engine.documents.for_xml_rows import auto_mode, raw_mode
from sbql.engine.documents.for_xml_schema import inline_schema

__all__ = ["renderer"]

_MODES: dict[str, Callable[[Sequence[XmlColumn], XmlOptions], Build]] = {
    "RAW": raw_mode, "AUTO": auto_mode, "PATH": path_mode, "EXPLICIT": explicit_mode,
}  # fmt: skip


def renderer(columns: Sequence[XmlColumn], options: XmlOptions) -> Callable[[Rows, int], str | None]:
    """A function from rows to the document, NULL for no rows; its second argument numbers an inline schema. Raises
    6846, 6850, 6867 for names in quotes, and the errors of the modes."""
    for name, what in ((options.element, "row"), (options.root, "ROOT")):
        if name:
            check_prefix(name, what, name, options.namespaces, has_nil=options.with_nil)
            check_name(name, what, name)
    build = _MODES[options.mode](columns, options)
    schema = inline_schema(columns, options) if options.schema is not None else None
    names = "".join(
        f' xmlns:{prefix}="{escape_attribute(uri)}"' if prefix else f' xmlns="{escape_attribute(uri)}"'
        for prefix, uri in reversed(options.namespaces)
        if prefix != "xml"
    )
    if options.with_nil or (
        options.mode == "EXPLICIT" and any("elementxsinil" in c.name.lower().split("!")[3:] for c in columns)
    ):
        names = f' xmlns:xsi="{XSI}"' + names

    def render(rows: Rows, number: int = 0) -> str | None:
        if not rows:
            return None
        out: list[str] = []
        if options.root is not None:
            out.append(f"<{options.root}{names}>")
        inside = "" if options.root is not None else names
        if schema is not None:
            text, target = schema(number)
            out.append(text)
            inside = f' xmlns="{escape_attribute(target)}"' + inside
        for element in build(rows):
            element.write(out, inside)
        if options.root is not None:
            out.append(f"</{options.root}>")
        return "".join(out)

    return render
