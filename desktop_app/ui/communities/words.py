"""What the screen says of a community in short: how big, how weighty, in which state, by whom.

Owns these words only; pure functions over plain data.
"""

from __future__ import annotations

from desktop_app.engine.model import BY_HAND, CommunityRow, Report
from desktop_app.ui.language import tr, trn


def say_size(n_members: int) -> str:
    return trn("{n} name", "{n} names", n_members)


def title_of(row: CommunityRow) -> str:
    """Return a community's title; what is tied to nothing is called so."""
    if row.is_loose and row.model is None:
        return tr("Names by themselves")
    return row.title or tr("Without a title")


def marks_of(row: CommunityRow) -> list[tuple[str, str]]:
    """Return (icon, words) of what there is to know of its report, the most urgent first."""
    marks = []
    if row.is_stale and not row.is_pinned:
        marks.append(("clock-counter-clockwise", tr("Changed since its report")))
    if row.is_pinned:
        marks.append(("push-pin", tr("Pinned: its report stays as it is")))
    if row.is_edited:
        marks.append(("rename", tr("Edited by you")))
    return marks


def say_source(report: Report) -> str:
    """Return who wrote a report."""
    if report.model == BY_HAND or (report.is_edited and not report.model):
        return tr("Written by you")
    if not report.model:
        return tr("Counted and quoted, without a model")
    if report.is_edited:
        return tr("Written by {model}, edited by you", model=report.model)
    return tr("Written by {model}", model=report.model)


def say_time(seconds: float) -> str:
    """Return how long something takes, roughly."""
    if seconds < 90:
        return trn("about {n} second", "about {n} seconds", max(1, round(seconds)))
    if seconds < 90 * 60:
        return trn("about {n} minute", "about {n} minutes", round(seconds / 60))
    return trn("about {n} hour", "about {n} hours", round(seconds / 3600))


def say_rating(rating: float) -> str:
    return tr("{rating} of 10", rating=f"{rating:.1f}".removesuffix(".0"))
