"""`sbql completion`: what makes a shell complete the command line, derived from its parsers.

It decides how bash, zsh and fish are told. Which options there are, and what they take, is read
from the parsers, which are handed in.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from sbql.repl.command_parser import command_parser

__all__ = ["SHELLS", "parser", "run", "script"]

SHELLS = ("bash", "zsh", "fish")

_EXAMPLES = """\
examples:
  source <(sbql completion bash)                                  this shell; the line goes into ~/.bashrc
  sbql completion zsh > ~/.zfunc/_sbql                            with fpath+=~/.zfunc before compinit
  sbql completion fish > ~/.config/fish/completions/sbql.fish
"""

_FILES = ("FILE", "PATH", "DIR", "script.sql")


class _Option(Struct, frozen=True):
    """`takes`: "" nothing, "file", "word" (what nobody can guess), or the choices with blanks between."""

    names: tuple[str, ...]
    takes: str
    help: str


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "completion", "Prints what makes a shell complete sbql's commands, options and files.", _EXAMPLES
    )
    made.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")
    return made


def run(arguments: Sequence[str], parsers: Mapping[str, argparse.ArgumentParser], helps: Mapping[str, str]) -> int:
    """`sbql completion`. `parsers`: by command, '' for sbql itself; `helps`: what
    commands do. Returns the exit code."""
    print(script(parser().parse_args(arguments).shell, parsers, helps), end="")
    return 0


def script(shell: str, parsers: Mapping[str, argparse.ArgumentParser], helps: Mapping[str, str]) -> str:
    """The text for a shell."""
    options = {name: list(_options(one)) for name, one in parsers.items()}
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](options, helps)


def _options(made: argparse.ArgumentParser) -> Iterator[_Option]:
    for action in made._actions:
        if not action.option_strings or action.help == argparse.SUPPRESS:
            continue
        takes = ""
        if action.nargs != 0:
            takes = "file" if action.metavar in _FILES else "word"
        if action.choices is not None:
            takes = " ".join(map(str, action.choices))
        yield _Option(tuple(action.option_strings), takes, " ".join((action.help or "").split()))


def _cases(options: Mapping[str, list[_Option]], kinds: Mapping[str, str], other: str) -> Iterator[tuple[str, str]]:
    """Patterns `command:option`, and what completes the value of these: `kinds` by
    what they take, `other` for choices."""
    by_kind: dict[str, list[str]] = {}
    for command, found in options.items():
        for option in found:
            if option.takes:
                by_kind.setdefault(option.takes, []).extend(f"{command}:{name}" for name in option.names)
    for takes, patterns in by_kind.items():
        yield "|".join(patterns), kinds.get(takes) or other.format(takes)


def _bash(options: Mapping[str, list[_Option]], helps: Mapping[str, str]) -> str:
    commands = " ".join(helps)
    values = _cases(
        options,
        {"file": 'COMPREPLY=($(compgen -f -- "$cur"))', "word": "COMPREPLY=()"},
        'COMPREPLY=($(compgen -W "{}" -- "$cur"))',
    )
    lines = [
        "# bash completion for sbql: made by `sbql completion bash`",
        "_sbql() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" words=""',
        '    if [ "$COMP_CWORD" -gt 1 ]; then',
        f'        case "${{COMP_WORDS[1]}}" in {"|".join(helps)}) command="${{COMP_WORDS[1]}}" ;; esac',
        "    fi",
        '    case "$command:$prev" in',
        *(f"        {patterns}) {action}; return ;;" for patterns, action in values),
        "    esac",
        '    case "$command" in',
        *(
            f'        {command or chr(39) * 2}) words="{" ".join(name for one in found for name in one.names)}" ;;'
            for command, found in options.items()
        ),
        "    esac",
        '    if [[ "$cur" == -* ]]; then',
        '        COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        '    elif [ "$COMP_CWORD" -eq 1 ]; then',
        f'        COMPREPLY=($(compgen -W "{commands}" -- "$cur") $(compgen -f -- "$cur"))',
        '    elif [ "$command" = completion ]; then',
        f'        COMPREPLY=($(compgen -W "{" ".join(SHELLS)}" -- "$cur"))',
        "    else",
        '        COMPREPLY=($(compgen -f -- "$cur"))',
        "    fi",
        "}",
        "complete -o filenames -F _sbql sbql",
    ]
    return "\n".join(lines) + "\n"


def _zsh(options: Mapping[str, list[_Option]], helps: Mapping[str, str]) -> str:
    values = _cases(options, {"file": "_files", "word": "_message value"}, "compadd -- {}")

    def told(pairs: Iterator[tuple[str, str]]) -> str:
        return " ".join(_quoted(f"{name.replace(':', chr(92) + ':')}:{text}") for name, text in pairs)

    lines = [
        "#compdef sbql",
        "# zsh completion for sbql: made by `sbql completion zsh`",
        "_sbql() {",
        '    local command="" options commands',
        f"    commands=({told(iter(helps.items()))})",
        "    if (( CURRENT > 2 )); then",
        f"        case ${{words[2]}} in ({'|'.join(helps)}) command=${{words[2]}} ;; esac",
        "    fi",
        "    case $command:${words[CURRENT-1]} in",
        *(f"        ({patterns}) {action}; return ;;" for patterns, action in values),
        "    esac",
        "    case $command in",
        *(
            f"        ({command or chr(39) * 2}) options=({told((name, one.help) for one in found for name in one.names)}) ;;"
            for command, found in options.items()
        ),
        "    esac",
        "    if [[ ${words[CURRENT]} == -* ]]; then _describe option options; return; fi",
        "    if (( CURRENT == 2 )); then _describe command commands; fi",
        f"    if [[ $command == completion ]]; then compadd -- {' '.join(SHELLS)}; return; fi",
        "    _files",
        "}",
        'if [[ ${funcstack[1]} == _sbql ]]; then _sbql "$@"; else compdef _sbql sbql; fi',
    ]
    return "\n".join(lines) + "\n"


def _fish(options: Mapping[str, list[_Option]], helps: Mapping[str, str]) -> str:
    lines = ["# fish completion for sbql: made by `sbql completion fish`"]
    lines += [f"complete -c sbql -n __fish_use_subcommand -a {name} -d {_quoted(text)}" for name, text in helps.items()]
    for command, found in options.items():
        where = (
            f"__fish_seen_subcommand_from {command}"
            if command
            else f"not __fish_seen_subcommand_from {' '.join(helps)}"
        )
        for option in found:
            flags = " ".join(_fish_flag(name) for name in option.names)
            takes = {"": "", "file": " -r -F", "word": " -x"}.get(option.takes, f" -x -a {_quoted(option.takes)}")
            lines.append(f"complete -c sbql -n {_quoted(where)} {flags}{takes} -d {_quoted(option.help)}")
    lines.append(f"complete -c sbql -n '__fish_seen_subcommand_from completion' -f -a {_quoted(' '.join(SHELLS))}")
    return "\n".join(lines) + "\n"


def _fish_flag(name: str) -> str:
    """-s for one letter, -l for two lines and a word, -o for one line and more letters, as -r1 of sqlcmd."""
    if name.startswith("--"):
        return f"-l {name[2:]}"
    return f"-s {_quoted(name[1:])}" if len(name) == 2 else f"-o {name[1:]}"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "'\\''") + "'"
