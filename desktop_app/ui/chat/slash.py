"""Commands typed at the beginning of a question, such as /local or /new. No Qt here.

Owns their names and words, and cutting one off the question behind it. What they do is the
screen's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_app.engine.query import LIST_FORM, LONG_FORM, SHORT_FORM, QueryParam
from desktop_app.ui.language import later, tr

from .modes import all_modes
from .wishes import FORMS

MODE, FORM, DO = "mode", "form", "do"


@dataclass(frozen=True, slots=True)
class Command:
    """`kind` is "mode", "form" or "do"; a mode or form before a question is for it alone."""

    name: str
    kind: str
    value: str
    words: str


_FORM_NAMES = {SHORT_FORM: "short", "": "medium", LONG_FORM: "long", LIST_FORM: "points"}
_DO = (
    ("new", later("Begin a new chat")),
    ("again", later("Answer the last question again")),
    ("find", later("Search in all chats")),
    ("export", later("Save this chat as a file")),
    ("rename", later("Give this chat another title")),
)
COMMANDS = (
    *(Command(m.key, MODE, m.key, m.title) for m in all_modes()),
    *(Command(_FORM_NAMES[form], FORM, form, hint) for form, _, hint in FORMS),
    *(Command(name, DO, name, words) for name, words in _DO),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def match_commands(text: str) -> list[Command]:
    """Return the commands that may be meant while one is being typed; none for anything else."""
    if not text.startswith("/") or any(c.isspace() for c in text):
        return []
    wanted = text[1:].casefold()
    begin = [c for c in COMMANDS if c.name.startswith(wanted)]
    told = [c for c in COMMANDS if len(wanted) > 1 and wanted in tr(c.words).casefold()]
    inside = [c for c in told if c not in begin]
    return begin + inside


def split_commands(text: str) -> tuple[list[Command], str]:
    """Return the commands a question begins with and the rest; an unknown one stays text."""
    found: list[Command] = []
    rest = text.strip()
    while rest.startswith("/"):
        name, _, behind = rest.partition(" ")
        if "\n" in name:
            name, _, behind = rest.partition("\n")
        command = _BY_NAME.get(name[1:].casefold())
        if command is None:
            break
        found.append(command)
        rest = behind.strip()
    return found, rest


def apply_commands(commands: Sequence[Command], param: QueryParam) -> QueryParam:
    """Return how one question is asked that these commands stand before."""
    for command in commands:
        if command.kind == MODE:
            param = replace(param, mode=command.value)
        elif command.kind == FORM:
            param = replace(param, response_type=command.value)
    return param
