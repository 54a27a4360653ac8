"""Short texts about a community: title, size, rating, state and author. Pure functions."""

from __future__ import annotations

from desktop_app.engine.model import BY_HAND, CommunityRow, Report
from desktop_app.ui.language import tr, trn


def format_member_count(n_members: int) -> str:
    return trn("{n} name", "{n} names", n_members)


def get_title(row: CommunityRow) -> str:
    """Return the title of a community, or a fixed one for unconnected entities."""
    if row.is_loose and row.model is None:
        return tr("Names by themselves")
    return row.title or tr("Without a title")


def list_marks(row: CommunityRow) -> list[tuple[str, str]]:
    """Return (icon, text) pairs about the state of its report, the most urgent first."""
    marks = []
    if row.is_stale and not row.is_pinned:
        marks.append(("clock-counter-clockwise", tr("Changed since its report")))
    if row.is_pinned:
        marks.append(("push-pin", tr("Pinned: its report stays as it is")))
    if row.is_edited:
        marks.append(("rename", tr("Edited by you")))
    return marks


def describe_source(report: Report) -> str:
    """Return who wrote a report."""
    if report.model == BY_HAND or (report.is_edited and not report.model):
        return tr("Written by you")
    if not report.model:
        return tr("Counted and quoted, without a model")
    if report.is_edited:
        return tr("Written by {model}, edited by you", model=report.model)
    return tr("Written by {model}", model=report.model)


def format_duration(seconds: float) -> str:
    """Return an approximate duration."""
    if seconds < 90:
        return trn("about {n} second", "about {n} seconds", max(1, round(seconds)))
    if seconds < 90 * 60:
        return trn("about {n} minute", "about {n} minutes", round(seconds / 60))
    return trn("about {n} hour", "about {n} hours", round(seconds / 3600))


def format_rating(rating: float) -> str:
    return tr("{rating} of 10", rating=f"{rating:.1f}".removesuffix(".0"))
