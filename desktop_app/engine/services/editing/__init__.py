"""Corrections by hand: verbs that last, previews of what they would do, their history."""

from .history import HistoryRow
from .previews import DeletePreview, MergePreview, preview_delete, preview_merge
from .service import Editing

__all__ = [
    "DeletePreview",
    "Editing",
    "HistoryRow",
    "MergePreview",
    "preview_delete",
    "preview_merge",
]
