"""Widgets that every screen shares; they know the theme and no screens."""

from .buttons import Button, CheckBox, IconButton, PrimaryButton, add_shortcut
from .fields import SearchField
from .labels import Badge, ElidedLabel, Label, SectionTitle, TypeChip, paint_type_disc
from .layout import (
    FactGrid,
    Flow,
    Hairline,
    ToolbarRow,
    clear_layout,
    hbox,
    scroll_area,
    vbox,
)
from .menus import add_heading
from .states import EmptyState, ProgressLine, Skeleton
from .tables import RowTable, TextDelegate
from .words import (
    format_language,
    format_left,
    format_number,
    format_size,
    format_type,
    format_when,
    join_words,
)

__all__ = [
    "Badge",
    "Button",
    "CheckBox",
    "ElidedLabel",
    "EmptyState",
    "FactGrid",
    "Flow",
    "Hairline",
    "IconButton",
    "Label",
    "PrimaryButton",
    "ProgressLine",
    "RowTable",
    "SearchField",
    "SectionTitle",
    "Skeleton",
    "TextDelegate",
    "ToolbarRow",
    "TypeChip",
    "add_heading",
    "add_shortcut",
    "clear_layout",
    "format_language",
    "format_left",
    "format_number",
    "format_size",
    "format_type",
    "format_when",
    "hbox",
    "join_words",
    "paint_type_disc",
    "scroll_area",
    "vbox",
]
