"""What is said of enrichment while it runs and when it ends, and of a graph that came in.

Pure functions; no widgets.
"""

from __future__ import annotations

from typing import Any

from desktop_app.ui.widgets.words import format_left, format_number, plural

ORIGINS = {"LightRAG": "LightRAG's graph", "GraphRAG": "GraphRAG's tables", "custom": "The graph"}
MAX_NAMED = 5


def describe_work(progress: Any, title: str) -> tuple[str, str, str]:
    """Return the title, how far it is, and how fast, for the foot of the sidebar."""
    left = format_left(progress.left_s)
    if progress.stage == "graph":
        return "Building the graph", "with what was found", ""
    if progress.stage == "summaries":
        done, total = format_number(progress.done), format_number(progress.total)
        return "Summing up", f"{done} of {total} descriptions", left
    done, total = format_number(progress.done), format_number(progress.total)
    rate = getattr(progress, "chars_per_s", 0.0)
    parts = [left, f"{format_number(round(rate))} characters/s" if rate >= 1 else ""]
    if not progress.total:
        how_far = "starting the model"
    elif n_failed := getattr(progress, "n_failed", 0):
        how_far = f"{done} of {total}, {format_number(n_failed)} failed"
    else:
        how_far = f"{done} of {total} passages"
    return f"Enriching {title}".strip(), how_far, " · ".join(part for part in parts if part)


def describe_paused(n_waiting: int) -> tuple[str, str]:
    """Return the title and the line below while enrichment is paused."""
    return "Enriching is paused", f"{plural(n_waiting, 'passage')} left"


def describe_run(result: Any) -> str:
    """Return what a run did that came to its end."""
    text = f"Enriched {plural(result.n_done - result.n_failed, 'passage')}."
    if result.n_failed:
        text += f" {format_number(result.n_failed)} failed; the library says why."
    return text


def describe_import(imported: Any) -> tuple[str, list[str]]:
    """Return what came in, as one sentence, and what a person may want to know besides."""
    what = f"{ORIGINS.get(imported.origin, 'The graph')} in “{imported.name}”"
    if not imported.documents and not imported.updated:
        return f"{what}: the library has all of it already.", []
    names = f"{plural(imported.n_entities, 'name')}, {plural(imported.n_relations, 'relation')}"
    parts = []
    if imported.documents:
        parts.append(plural(len(imported.documents), "new document"))
    if imported.updated:
        known = plural(len(imported.updated), "document")
        parts.append(f"{known} with more said of {'it' if len(imported.updated) == 1 else 'them'}")
    return f"{what}: {', '.join(parts)}; {names}.", _besides(imported)


def _besides(imported: Any) -> list[str]:
    lines = []
    if imported.unchanged:
        lines.append(f"{plural(imported.unchanged, 'document')} unchanged")
    if imported.n_claims:
        lines.append(plural(imported.n_claims, "claim"))
    if unseen := imported.unseen_names:
        shown = ", ".join(unseen[:MAX_NAMED])
        more = len(unseen) - MAX_NAMED
        lines.append(
            f"{plural(len(unseen), 'name')} not in the text, kept at the closest sentence: {shown}"
            + (f" and {format_number(more)} more" if more > 0 else "")
        )
    if imported.n_unseen_relations:
        lines.append(
            f"{plural(imported.n_unseen_relations, 'relation')} without a passage that has both "
            "names, kept at the closest sentence"
        )
    if imported.n_attached:
        lines.append(
            f"{plural(imported.n_attached, 'passage')} not word for word in the text, put where "
            "the text is most alike"
        )
    return lines + [
        f"{reason}: {format_number(n)}" for reason, n in sorted(imported.left_out.items())
    ]
