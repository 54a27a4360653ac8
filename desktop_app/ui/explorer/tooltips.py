"""Tooltips of nodes and relations, as plain text."""

from __future__ import annotations

import re
from dataclasses import replace

from desktop_app.engine.model import EntityRow, RelationRow
from desktop_app.engine.text.shown_text import show_text

from ..translation import tr, trn
from ..widgets.words import (
    format_ends,
    format_kind,
    format_statement,
    format_sureness,
    format_type,
    join_words,
    plain_tip,
)

LONGEST = 240


def first_sentence(text: str) -> str:
    """Return the first sentence of a description, cut where it is very long."""
    line = " ".join(text.split())
    found = re.match(r".*?(?:[。！？]|[.!?](?=\s|$))", line)
    return shorten_line(found.group(0) if found else line)


def shorten_line(text: str, longest: int = LONGEST) -> str:
    """Return a text in one line, cut before a word if it is too long."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    whole = cut.rpartition(" ")[0] if line[longest - 1] != " " else cut
    # texts without spaces, and very long words, are cut anywhere
    kept = whole if len(whole) > longest * 0.8 else cut
    return kept.rstrip(" ,;:—-") + "…"


def build_entity_tooltip(entity: EntityRow) -> str:
    """Return the tooltip of a node: name, type and counts, first sentence."""
    mentions = trn("{n} mention", "{n} mentions", entity.n_mentions)
    facts = f"{format_type(entity.type, capital=True)} · {mentions}"
    lines = [shorten_line(entity.name), *filter(None, (shorten_line(entity.story),)), facts]
    if entity.description:
        lines.append(first_sentence(entity.description))
    if entity.n_enriched:
        text = trn(
            "Confirmed by a model in {n} passage",
            "Confirmed by a model in {n} passages",
            entity.n_enriched,
        )
        lines.append(text)
    return plain_tip("\n".join(lines))


def build_relation_tooltip(relation: RelationRow) -> str:
    """Return the tooltip of a line: both names, their kind, and the sentence that shows it."""
    statement, ends = _format_names(relation, 80)
    lines = [statement or ends]
    if kind := describe_relation_kind(relation):
        lines.append(kind)
    if text := describe_joined(relation):
        lines.append(text)
    n = relation.n_evidence
    facts = trn("{n} passage", "{n} passages", n)
    if relation.n_enriched:
        facts = trn(
            "{n} passage, {k} confirmed by a model",
            "{n} passages, {k} confirmed by a model",
            n,
            k=relation.n_enriched,
        )
    lines.append(facts)
    return plain_tip("\n".join(lines))


def describe_drawn_relation(relation: RelationRow) -> str:
    """Return both names of a relation, its kind and its passages in one line."""
    statement, ends = _format_names(relation, 60)
    kind = "" if statement else describe_relation_kind(relation) or tr("named together")
    passages = trn("{n} passage", "{n} passages", relation.n_evidence)
    return " · ".join(filter(None, (statement or ends, kind, passages)))


def describe_joined(relation: RelationRow) -> str:
    """Return what joins two names: the description of a model, else the sentence in the text."""
    if relation.description:
        return shorten_line(relation.description)
    sentence = show_text(relation.sentence, one_line=True).with_closed_quotes().text
    return shorten_line(sentence)


def _format_names(relation: RelationRow, n_chars: int) -> tuple[str, str]:
    """Return what a relation states, "" if it has no direction, and both its names.

    Args:
        n_chars: the most of each name.
    """
    short = replace(
        relation,
        source=shorten_line(relation.source, n_chars),
        target=shorten_line(relation.target, n_chars),
    )
    return format_statement(short), format_ends(short.source, short.target, short.direction)


def describe_relation_kind(relation: RelationRow) -> str:
    """Return the kind of a relation and the confidence of the model; "" without a kind."""
    sure = format_sureness(relation.confidence) if relation.kind else ""
    return join_words([part for part in (format_kind(relation.kind), sure) if part])
