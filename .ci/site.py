"""Hooks of MkDocs for `make docs`: the first pages of the repository become pages of the site, and
links between all of them lead there.

A link to a file that is no page (a script, a module) becomes its name: where the repository is, the site does not know.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security-policy.md",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that stand outside of docs."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links as the site has them."""
    names = {page: name for name, page in PAGES.items()}
    here = page.file.src_uri
    origin = names.get(here) or f"docs/{here}"

    def led(found: re.Match[str]) -> str:
        text, target = found.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return found.group()
        there = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        known = PAGES.get(there) or there.removeprefix("docs/")
        if files.get_file_from_path(known) is None or not (there in PAGES or there.startswith("docs/")):
            return text
        return f"[{text}]({posixpath.relpath(known, posixpath.dirname(here) or '.')}{mark}{anchor})"

    parts = re.split(r"(^```.*?^```)", markdown, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else LINK.sub(led, part) for part in parts)
