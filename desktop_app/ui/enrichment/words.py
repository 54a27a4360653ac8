"""Texts about the progress and result of enrichment, and about an imported graph.

Pure functions; no widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from desktop_app.engine.model import ENTITY_TYPES

from ..translation import later, tr, tr_message, trn
from ..widgets.fields import WordFormat
from ..widgets.words import (
    KINDS,
    format_kind,
    format_left,
    format_number,
    format_type,
    join_sentences,
    join_words,
    shorten_list,
)

ORIGINS = {
    "LightRAG": later("LightRAG's graph in “{name}”"),  # not shown without it
    "GraphRAG": later("GraphRAG's tables in “{name}”"),  # not shown without it
}
THE_GRAPH = later("The graph in “{name}”")
MAX_NAMED = 5
MIN_RATE = 0.05  # passages a minute, below which no speed is named


def describe_work(progress: Any, title: str) -> tuple[str, str, str]:
    """Return the title, the progress and the speed, for the foot of the sidebar."""
    left = format_left(progress.left_s)
    if progress.stage == "graph":
        return tr("Building the graph"), "", ""
    if progress.stage == "summaries":
        done, total = format_number(progress.done), format_number(progress.total)
        message = tr("{done} of {total} descriptions", done=done, total=total)
        return tr("Summarizing"), message, left
    done, total = format_number(progress.done), format_number(progress.total)
    per_minute = 60 * progress.rate
    pace = ""
    if per_minute >= MIN_RATE:
        rate = format_number(round(per_minute)) if per_minute >= 10 else f"{per_minute:.1f}"
        pace = tr("{rate} passages a minute", rate=rate)
    if not progress.total:
        how_far = tr("starting the model")
    elif n_failed := getattr(progress, "n_failed", 0):
        how_far = tr(
            "{done} of {total}, {failed} failed",
            done=done,
            total=total,
            failed=format_number(n_failed),
        )
    else:
        how_far = tr("{done} of {total} passages", done=done, total=total)
    title = tr("Enriching {title}", title=title) if title else tr("Enriching")
    return title, how_far, " · ".join(part for part in (left, pace) if part)


def describe_paused(n_waiting: int) -> tuple[str, str]:
    """Return the title and the second line while enrichment is paused."""
    return tr("Enrichment paused"), trn("{n} passage left", "{n} passages left", n_waiting)


def describe_enrichment_run(result: Any) -> str:
    """Return the result of a completed run."""
    text = trn("Enriched {n} passage.", "Enriched {n} passages.", result.n_done - result.n_failed)
    if result.n_failed:
        failed = trn(
            "{n} failed; see the library for the reasons.",
            "{n} failed; see the library for the reasons.",
            result.n_failed,
        )
        text = join_sentences((text, failed))
    return text


def describe_import(imported: Any) -> tuple[str, list[str]]:
    """Return a sentence about what was imported, and additional facts."""
    what = tr(ORIGINS.get(imported.origin, THE_GRAPH), name=imported.name)
    n_new, n_updated = len(imported.documents), len(imported.updated)
    if not n_new and not n_updated:
        return tr("{graph}: nothing new.", graph=what), []
    names = (
        trn("{n} name", "{n} names", imported.n_entities),
        trn("{n} connection", "{n} connections", imported.n_relations),
    )
    parts = []
    if n_new:
        parts.append(trn("{n} new document", "{n} new documents", n_new))
    if n_updated:
        parts.append(
            trn(
                "{n} updated document",
                "{n} updated documents",
                n_updated,
            )
        )
    message = tr(
        "{graph}: {documents}; {names}.",
        graph=what,
        documents=join_words(parts),
        names=join_words(names),
    )
    return message, _besides(imported)


def _besides(imported: Any) -> list[str]:
    lines = []
    if imported.unchanged:
        lines.append(trn("{n} document unchanged", "{n} documents unchanged", imported.unchanged))
    if imported.n_claims:
        lines.append(trn("{n} claim", "{n} claims", imported.n_claims))
    if unseen := imported.unseen_names:
        lines.append(
            trn(
                "{n} name not found in the text, placed at the most similar sentence: {names}",
                "{n} names not found in the text, placed at the most similar sentence: {names}",
                len(unseen),
                names=shorten_list(unseen, MAX_NAMED),
            )
        )
    if imported.n_unseen_relations:
        lines.append(
            trn(
                "{n} connection without a passage that has both names, kept at the closest "
                "sentence",
                "{n} connections without a passage that has both names, kept at the closest "
                "sentence",
                imported.n_unseen_relations,
            )
        )
    if imported.n_attached:
        lines.append(
            trn(
                "{n} passage not literally in the text, placed at the most similar part",
                "{n} passages not literally in the text, placed at the most similar part",
                imported.n_attached,
            )
        )
    return lines + [
        f"{tr_message(reason)}: {format_number(n)}"
        for reason, n in sorted(imported.left_out.items())
    ]


# The types that tuning proposes. Their explanations are translated instead of the words,
# because a word such as "work" can be a relation too.
PROPOSED_TYPES = {
    "family": later("families, clans or houses"),
    "people": later("tribes, peoples or nations"),
    "god": later("gods, spirits or ghosts"),
    "animal": later("animals with names or a part in the story"),
    "ship": later("ships or vehicles"),
    "weapon": later("weapons"),
    "building": later("buildings"),
    "work": later("books, songs, laws or works of art"),
    "title": later("offices or ranks"),
    "method": later("methods or algorithms"),
    "dataset": later("data sets or benchmarks"),
    "measure": later("measures or scores"),
    "software": later("software or programming languages"),
    "gene": later("genes or proteins"),
    "disease": later("diseases or symptoms"),
    "drug": later("drugs or treatments"),
    "chemical": later("chemicals or materials"),
    "species": later("species of plants or animals"),
    "law": later("laws, cases or contracts"),
    "product": later("products or brands"),
}


def format_type_word(word: str) -> str:
    """Return a type in the window's language."""
    meaning = PROPOSED_TYPES.get(word)
    if meaning is None:
        return format_type(word)
    text = tr(meaning)
    return word if text == meaning else text


def format_kind_word(word: str) -> str:
    """Return a kind of relation in the window's language; kinds in English stay unchanged."""
    text = format_kind(word)
    return word if text.isascii() else text


def _parse(typed: str, known: Iterable[str], shown: Callable[[str], str]) -> str:
    return next((word for word in known if shown(word) == typed), typed)


# how types and kinds are shown in lists of words, and which one a typed word means
WORD_FORMATS = {
    "entity_types": WordFormat(
        format_type_word,
        lambda text: _parse(text, (*ENTITY_TYPES, *PROPOSED_TYPES), format_type_word),
    ),
    "kinds": WordFormat(format_kind_word, lambda text: _parse(text, KINDS, format_kind_word)),
}
