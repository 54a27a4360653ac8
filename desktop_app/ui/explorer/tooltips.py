"""What is said of a name or a relation when the mouse rests on it.

Owns wording only. Text of documents is shown as text, never as markup.
"""

from __future__ import annotations

import re
from html import escape

from desktop_app.engine.types import EntityRow, RelationRow
from desktop_app.ui.widgets import plural

LONGEST = 240
TIED_WITH = "\u2013"


def first_sentence(text: str) -> str:
    """Return the first sentence of a description, cut where it is very long."""
    line = " ".join(text.split())
    found = re.match(r".*?(?:[。！？]|[.!?](?=\s|$))", line)
    return shorten(found.group(0) if found else line)


def shorten(text: str, longest: int = LONGEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def describe_entity(entity: EntityRow) -> str:
    """Return the tooltip of a disc: name, type and counts, first sentence."""
    facts = f"{entity.type} · {plural(entity.n_mentions, 'mention')}"
    lines = [f"<b>{escape(shorten(entity.name))}</b>", escape(facts)]
    if entity.description:
        lines.append(escape(first_sentence(entity.description)))
    return _sheet(lines)


def describe_relation(relation: RelationRow) -> str:
    """Return the tooltip of a line: both names and the sentence that shows it."""
    names = f"{shorten(relation.source, 80)} {TIED_WITH} {shorten(relation.target, 80)}"
    lines = [f"<b>{escape(names)}</b>"]
    said = relation.description or relation.sentence
    if said:
        lines.append(escape(shorten(said)))
    lines.append(escape(plural(relation.n_evidence, "passage")))
    return _sheet(lines)


def _sheet(lines: list[str]) -> str:
    return "<div style='max-width: 320px'>" + "<br>".join(lines) + "</div>"
