"""What is said of enrichment while it runs and when it ends, and of a graph that came in.

Pure functions; no widgets.
"""

from __future__ import annotations

from typing import Any

from desktop_app.ui.language import later, tr, tr_said, trn
from desktop_app.ui.widgets.words import format_left, format_number, join_words, shorten_list

ORIGINS = {
    "LightRAG": later("LightRAG's graph in “{name}”"),  # not shown without it
    "GraphRAG": later("GraphRAG's tables in “{name}”"),  # not shown without it
}
THE_GRAPH = later("The graph in “{name}”")
MAX_NAMED = 5


def describe_work(progress: Any, title: str) -> tuple[str, str, str]:
    """Return the title, how far it is, and how fast, for the foot of the sidebar."""
    left = format_left(progress.left_s)
    if progress.stage == "graph":
        return tr("Building the graph"), tr("with what was found"), ""
    if progress.stage == "summaries":
        done, total = format_number(progress.done), format_number(progress.total)
        told = tr("{done} of {total} descriptions", done=done, total=total)
        return tr("Summing up"), told, left
    done, total = format_number(progress.done), format_number(progress.total)
    rate = getattr(progress, "chars_per_s", 0.0)
    pace = tr("{n} characters/s", n=format_number(round(rate))) if rate >= 1 else ""
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
    """Return the title and the line below while enrichment is paused."""
    return tr("Enriching is paused"), trn("{n} passage left", "{n} passages left", n_waiting)


def describe_run(result: Any) -> str:
    """Return what a run did that came to its end."""
    text = trn("Enriched {n} passage.", "Enriched {n} passages.", result.n_done - result.n_failed)
    if result.n_failed:
        failed = trn(
            "{n} failed; the library says why.",
            "{n} failed; the library says why.",
            result.n_failed,
        )
        text = f"{text} {failed}"
    return text


def describe_import(imported: Any) -> tuple[str, list[str]]:
    """Return what came in, as one sentence, and what a person may want to know besides."""
    what = tr(ORIGINS.get(imported.origin, THE_GRAPH), name=imported.name)
    n_new, n_updated = len(imported.documents), len(imported.updated)
    if not n_new and not n_updated:
        return tr("{graph}: the library has all of it already.", graph=what), []
    names = (
        trn("{n} name", "{n} names", imported.n_entities),
        trn("{n} relation", "{n} relations", imported.n_relations),
    )
    parts = []
    if n_new:
        parts.append(trn("{n} new document", "{n} new documents", n_new))
    if n_updated:
        parts.append(
            trn(
                "{n} document with more said of it",
                "{n} documents with more said of them",
                n_updated,
            )
        )
    told = tr(
        "{graph}: {documents}; {names}.",
        graph=what,
        documents=join_words(parts),
        names=join_words(names),
    )
    return told, _besides(imported)


def _besides(imported: Any) -> list[str]:
    lines = []
    if imported.unchanged:
        lines.append(trn("{n} document unchanged", "{n} documents unchanged", imported.unchanged))
    if imported.n_claims:
        lines.append(trn("{n} claim", "{n} claims", imported.n_claims))
    if unseen := imported.unseen_names:
        lines.append(
            trn(
                "{n} name not in the text, kept at the closest sentence: {names}",
                "{n} names not in the text, kept at the closest sentence: {names}",
                len(unseen),
                names=shorten_list(unseen, MAX_NAMED),
            )
        )
    if imported.n_unseen_relations:
        lines.append(
            trn(
                "{n} relation without a passage that has both names, kept at the closest sentence",
                "{n} relations without a passage that has both names, kept at the closest sentence",
                imported.n_unseen_relations,
            )
        )
    if imported.n_attached:
        lines.append(
            trn(
                "{n} passage not word for word in the text, put where the text is most alike",
                "{n} passages not word for word in the text, put where the text is most alike",
                imported.n_attached,
            )
        )
    return lines + [
        f"{tr_said(reason)}: {format_number(n)}" for reason, n in sorted(imported.left_out.items())
    ]
