"""Extended procedures: files, the error log, versions, printf and scanf."""

from __future__ import annotations

import os
import platform
import re
from typing import Final

from sbql.engine.describe.procedure_registry import ProcedureCall, procedure, show
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.checkpoints import checkpoint


@procedure("xp_fileexist")
def xp_fileexist(call: ProcedureCall) -> Work:
    """xp_fileexist 'path' [, @found OUTPUT]: whether it is a file, a directory, and whether its directory exists."""
    path = call.values()[0] or ""
    is_file, is_directory = os.path.isfile(path), os.path.isdir(path)
    if "@found" in call.outputs:
        call.give("@found", int(is_file))
        return 0
    has_parent = os.path.isdir(os.path.dirname(path) or ".")
    names = ("File Exists", "File is a Directory", "Parent Directory Exists")
    columns = [ResultColumn(name, SqlType("tinyint")) for name in names]
    call.session.emit(ResultSet(columns, [(int(is_file), int(is_directory), int(has_parent))]))
    return 0
    yield


@procedure("xp_logevent")
def xp_logevent(call: ProcedureCall) -> Work:
    """xp_logevent number, 'text' [, 'severity']: a line of the error log."""
    number, text, _ = call.values(required=2)
    call.session.instance.log(number, text, f"spid{call.session.spid}")
    return 0
    yield


_VERSION = """
SELECT CAST(n AS smallint) AS [Index], name AS Name, internal AS Internal_Value, text AS Character_Value
FROM (VALUES (1, N'ProductName', NULL, N'Microsoft SQL Server'),
    (2, N'ProductVersion', 1048576, CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(512))), (3, N'Language', 1033, N'English (United States)'),
    (4, N'Platform', NULL, @platform), (5, N'Comments', NULL, N'SQL'), (6, N'CompanyName', NULL, N'sbql'), (7, N'FileDescription', NULL, N'sbql'),
    (8, N'FileVersion', NULL, CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(512))), (9, N'InternalName', NULL, N'SQLSERVR'),
    (10, N'LegalCopyright', NULL, NULL), (11, N'LegalTrademarks', NULL, NULL), (12, N'OriginalFilename', NULL, N'SQLSERVR.EXE'),
    (13, N'PrivateBuild', NULL, NULL), (14, N'SpecialBuild', NULL, NULL), (15, N'WindowsVersion', NULL, @release),
    (16, N'ProcessorCount', CAST(@processors AS int), @processors), (17, N'ProcessorActiveMask', NULL, NULL), (18, N'ProcessorType', NULL, NULL),
    (19, N'PhysicalMemory', NULL, NULL), (20, N'Product ID', NULL, NULL)) AS v (n, name, internal, text)
WHERE @names IS NULL OR CHARINDEX(N',' + name + N',', N',' + @names + N',') > 0 ORDER BY n"""


@procedure("xp_msver")
def xp_msver(call: ProcedureCall) -> Work:
    """xp_msver ['name' …]: what the server and its machine are."""
    names = [str(a.value) for a in call.arguments if a.value is not None]
    return (
        yield from show(
            call,
            _VERSION,
            platform=platform.machine(),
            release=platform.release(),
            processors=os.cpu_count(),
            names=",".join(names) or None,
        )
    )


@procedure("xp_cmdshell")
def xp_cmdshell(call: ProcedureCall) -> Work:
    """Raises 15281 while it is turned off, and 40517 when it is on: there is no shell here."""
    if not call.session.instance.configuration.get("xp_cmdshell", 0):
        raise sql_error(15281, "procedure", "sys.xp_cmdshell", "xp_cmdshell")
    raise sql_error(40517, "xp_cmdshell")
    yield


_PLACE = re.compile(r"%(\d*)([%s])")


@procedure("xp_sprintf")
def xp_sprintf(call: ProcedureCall) -> Work:
    """xp_sprintf @string OUTPUT, 'format %s …' [, argument …]: the arguments in the places of %s."""
    if len(call.arguments) < 2:
        raise sql_error(201, call.name, "@format")
    target, pattern, *given = call.arguments
    values = iter([str(a.value) if a.value is not None else "" for a in given])
    text = _PLACE.sub(lambda found: "%" if found[2] == "%" else next(values, ""), str(pattern.value or ""))
    if target.assign is not None:
        target.assign(text, NVARCHAR_MAX)
    return 0
    yield


@procedure("xp_sscanf")
def xp_sscanf(call: ProcedureCall) -> Work:
    """xp_sscanf 'text', 'format %s …', @value OUTPUT …: the parts of the text that stand at %s."""
    if len(call.arguments) < 2:
        raise sql_error(201, call.name, "@format")
    text, pattern, *targets = call.arguments
    for value, target in zip(_scanned(str(text.value or ""), str(pattern.value or "")), targets, strict=False):
        if target.assign is not None:
            target.assign(value, NVARCHAR_MAX)
    return 0
    yield


_SCANNED: Final = re.compile(r"(%\d*+s|\s++)")


def _scanned(text: str, pattern: str) -> list[str]:
    """What stands at each %s, as far as the text follows the pattern: up to the first place where the text of the
    pattern behind it goes on, up to a blank, or as many characters as %5s says. It never goes back."""
    pieces = [piece for piece in _SCANNED.split(pattern) if piece]
    found: list[str] = []
    at = 0
    for piece, after in zip(pieces, [*pieces[1:], ""], strict=True):
        checkpoint()
        if piece.isspace():
            start, at = at, _skipped(text, at, blanks=True)
            if start == at:
                break
        elif _SCANNED.fullmatch(piece):
            end = _skipped(text, at, blanks=False)
            if piece != "%s":
                end = min(end, at + int(piece[1:-1][:9]))
            elif after and not _SCANNED.fullmatch(after):
                place = text.find(after, at + 1, end)
                end = place if place >= 0 else end
            if end == at:
                break
            found.append(text[at:end])
            at = end
        elif text.startswith(piece, at):
            at += len(piece)
        else:
            break
    return found


_BLANKS: Final = re.compile(r"\s*+")
_OTHERS: Final = re.compile(r"\S*+")


def _skipped(text: str, at: int, *, blanks: bool) -> int:
    """Where the run of blanks, or of anything else, ends."""
    found = (_BLANKS if blanks else _OTHERS).match(text, at)
    assert found is not None
    return found.end()
