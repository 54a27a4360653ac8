"""User corrections of the graph: edits, previews of their effect, and the edit history."""

from .history import HistoryRow
from .previews import DeletePreview, MergePreview, preview_delete, preview_merge
from .service import EditingService

__all__ = [
    "DeletePreview",
    "EditingService",
    "HistoryRow",
    "MergePreview",
    "preview_delete",
    "preview_merge",
]
