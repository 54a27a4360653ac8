"""Corrections by hand: verbs that last, previews of what they would do, their history."""

from .editing import Editing
from .history import HistoryRow
from .previews import DeletePreview, MergePreview, preview_delete, preview_merge

__all__ = [
    "DeletePreview",
    "Editing",
    "HistoryRow",
    "MergePreview",
    "preview_delete",
    "preview_merge",
]
