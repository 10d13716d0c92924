"""`\\tour`: a newcomer's first dialog, step by step, on a database of its own.

It decides the steps. Each puts a batch into the input, to be read, changed and run; nothing runs by
itself. It must not know the terminal.
"""

from __future__ import annotations

from textwrap import fill
from typing import Final, NamedTuple

from sbql.repl.commands.command import CommandError, Desk

__all__ = ["END", "STEPS", "tour"]

_WIDTH: Final = 79


class Step(NamedTuple):
    told: str
    batch: str


STEPS: Final = (
    Step(
        "A dialog is a conversation between two services, with messages in order, each exactly once. First a database for it, which `\\tour end` drops.\n"
        "F5, or GO on a line of its own, runs what stands in the input; \\tour goes on.",
        "CREATE DATABASE Tour;\nALTER DATABASE Tour SET ENABLE_BROKER;",
    ),
    Step(
        "What is said, and who may say it: two message types, and a contract between the side that begins (INITIATOR) and the other (TARGET).",
        "USE Tour;\nCREATE MESSAGE TYPE [//tour/question] VALIDATION = WELL_FORMED_XML;\n"
        "CREATE MESSAGE TYPE [//tour/answer] VALIDATION = WELL_FORMED_XML;\n"
        "CREATE CONTRACT [//tour/contract] ([//tour/question] SENT BY INITIATOR, [//tour/answer] SENT BY TARGET);",
    ),
    Step(
        "Messages wait in queues; services are the addresses of queues. A target names the contracts that it accepts. \\services shows them afterwards.",
        "CREATE QUEUE AskingQueue;\nCREATE QUEUE AnsweringQueue;\nCREATE SERVICE [//tour/asking] ON QUEUE AskingQueue;\n"
        "CREATE SERVICE [//tour/answering] ON QUEUE AnsweringQueue ([//tour/contract]);",
    ),
    Step(
        "A dialog begins, and a first message goes. Try \\queues, \\peek AnsweringQueue and \\conversation when it has run.",
        "DECLARE @dialog uniqueidentifier;\n"
        "BEGIN DIALOG @dialog FROM SERVICE [//tour/asking] TO SERVICE '//tour/answering'\n    ON CONTRACT [//tour/contract] WITH ENCRYPTION = OFF;\n"
        "SEND ON CONVERSATION @dialog MESSAGE TYPE [//tour/question] (N'<question>Who is there?</question>');",
    ),
    Step(
        "The other side receives it, answers and ends its half, all in one transaction: were it rolled back, the question would be in the queue again.",
        "BEGIN TRANSACTION;\nDECLARE @dialog uniqueidentifier, @body xml;\n"
        "RECEIVE TOP (1) @dialog = conversation_handle, @body = CAST(message_body AS xml) FROM AnsweringQueue;\n"
        "SELECT @body.value('(/question)[1]', 'nvarchar(100)') AS question;\n"
        "SEND ON CONVERSATION @dialog MESSAGE TYPE [//tour/answer] (N'<answer>A queue.</answer>');\n"
        "END CONVERSATION @dialog;\nCOMMIT;",
    ),
    Step(
        "The answer is here, and the news that the other side has ended. A dialog is over when both have.",
        "DECLARE @dialog uniqueidentifier = (SELECT TOP (1) conversation_handle FROM AskingQueue);\n"
        "RECEIVE message_type_name, message_body FROM AskingQueue;\nEND CONVERSATION @dialog;",
    ),
    Step(
        "That was a dialog: \\conversation tells all of it once more. Activation, timers, priorities and networks are in the documents. \\tour end drops the database.",
        "",
    ),
)

END: Final = "USE master;\nALTER DATABASE Tour SET SINGLE_USER WITH ROLLBACK IMMEDIATE;\nDROP DATABASE Tour;"


def tour(desk: Desk, argument: str) -> None:
    """The next step; a number for another one; `end` for the batch that cleans up."""
    word = argument.strip().lower()
    if word == "end":
        desk.tour_step = 0
        desk.type(END)
        return
    if word and not (word.isdecimal() and 1 <= int(word[:4]) <= len(STEPS)):
        raise CommandError(f"Write \\tour for the next step, \\tour 1 to \\tour {len(STEPS)}, or \\tour end.")
    number = int(word) if word else desk.tour_step % len(STEPS) + 1
    desk.tour_step = number
    step = STEPS[number - 1]
    desk.say(fill(f"{number} of {len(STEPS)}. {step.told}", _WIDTH))
    if step.batch:
        desk.type(step.batch)
