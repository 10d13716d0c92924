"""docs/commands: a page for each command of the command line and of the prompt, written from the parsers and the
registry that the program itself works by.

`python tests/house/test_command_pages.py` writes the pages anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from sbql.repl.commands.pages import PAGES
from sbql.repl.commands.table import COMMANDS, find, help_text, page_text
from sbql.repl.options import command_line_parser
from sbql.repl.subcommands import SUBCOMMANDS, parsers

FOLDER = Path(__file__).parents[2] / "docs" / "commands"
NOTE = "<!-- Written by tests/house/test_command_pages.py from what --help says. -->\n"
OF_PROMPT = {"?": "help"}
"""Names of pages of commands whose own name is none for a file."""

MORE = {
    "": "[The command line](../command-line.md) explains what they mean together.",
    "test": "[Test scripts](../test-scripts.md) has the format of the expectations.",
    "diagnose": "[Why is it stuck?](../stuck.md) has every cause, and what a finding says.",
    "diagram": "[Pictures](../pictures.md) says what they can tell.",
    "trace": "[Pictures](../pictures.md#from-a-trace) has the keys of a trace and the page with the timeline.",
    "init": "",
    "pair": "[The network](../network.md#sbql-pair) shows a whole run.",
    "serve": "[The server](../server.md) explains doors, tokens and the end.",
    "ping": "[The server](../server.md) explains endpoints and tokens.",
    "completion": "",
    "external-activator": "[External activation](../external-activation.md) shows the notification, the configuration and a run.",
}
"""Where a subcommand is explained."""


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def usage(parser: argparse.ArgumentParser) -> str:
    """As argparse would put it, which each version of Python does differently."""
    words = [parser.prog]
    for action in parser._actions:
        if action.option_strings or action.help == argparse.SUPPRESS:
            continue
        name = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest)
        words.append(f"[{name} …]" if action.nargs == "*" else name)
    return " ".join([words[0], "[options]", *words[1:]])


def rows(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        takes = ""
        if action.nargs != 0 and action.option_strings:
            takes = f" {action.metavar or '|'.join(map(str, action.choices or ())) or action.dest.upper()}"
        names = [f"`{name}{takes}`" for name in action.option_strings]
        yield (
            ", ".join(names) or f"`{action.metavar or action.dest}`",
            cell((action.help or "") % {"default": action.default, "prog": parser.prog}),
        )


def command_page(name: str, parser: argparse.ArgumentParser, short: str) -> str:
    title = f"sbql {name}".rstrip()
    table = "".join(f"| {option} | {text} |\n" for option, text in rows(parser))
    more = f"\n{MORE[name]}\n" if MORE[name] else ""
    return (
        f"{NOTE}# {title}\n\n{parser.description or short}\n\n```\n{usage(parser)}\n```\n{more}\n"
        f"| | |\n|---|---|\n{table}\n```\n{(parser.epilog or '').strip()}\n```\n"
    )


def prompt_page(name: str) -> str:
    command = find(name)
    about, example = PAGES[name]
    shown = f"\\{command.name} {command.arguments}".rstrip()
    return (
        f"{NOTE}# \\{command.name}\n\n{command.help[0].upper()}{command.help[1:]}.\n\n```\n{shown}\n```\n\n{about}\n\n"
        f"```\n{example}\n```\n\n[The prompt](../prompt.md) has all of them in one table.\n"
    )


def pages() -> dict[str, str]:
    """The text of each page, by its file's name."""
    helps = {one.name: one.help for one in SUBCOMMANDS}
    made = {"sbql.md": command_page("", command_line_parser(), "")}
    made |= {f"sbql-{name}.md": command_page(name, parser, helps[name]) for name, parser in parsers().items()}
    made |= {f"prompt-{OF_PROMPT.get(one.name, one.name)}.md": prompt_page(one.name) for one in COMMANDS}
    programs = "".join(f"| [sbql {name}](sbql-{name}.md) | {help} |\n" for name, help in helps.items())
    prompt = "".join(
        f"| [`\\{one.name}`](prompt-{OF_PROMPT.get(one.name, one.name)}.md) | {cell(one.help)} |\n" for one in COMMANDS
    )
    made["README.md"] = (
        f"{NOTE}# Commands\n\nA page a command, as `--help` and `\\? NAME` have it.\n\n## Of the command line\n\n| | |\n|---|---|\n"
        f"| [sbql](sbql.md) | run scripts, or open the prompt |\n{programs}\n## Of the prompt\n\n| | |\n|---|---|\n{prompt}"
    )
    return made


def test_the_pages_are_what_the_program_says() -> None:
    there = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert there == pages(), "python tests/house/test_command_pages.py writes them anew"


def test_every_command_of_the_prompt_has_its_page_and_an_example_that_uses_it() -> None:
    assert list(PAGES) == [one.name for one in COMMANDS]
    for name, (about, example) in PAGES.items():
        assert about.endswith("."), name
        assert example.splitlines()[-1].startswith(f"\\{name}"), name
        assert about in " ".join(page_text(name).split()), name


def test_the_list_and_the_page_of_a_command_say_the_same() -> None:
    for one in COMMANDS:
        assert one.help in help_text()
        assert page_text(one.name).startswith(f"\\{one.name} {one.arguments}".rstrip())
        assert one.help in page_text(one.name)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.md"):
        old.unlink()
    for file, text in made.items():
        (FOLDER / file).write_text(text, encoding="utf-8")
