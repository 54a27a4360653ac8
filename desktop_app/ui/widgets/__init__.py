"""Widgets that every screen shares; they know the theme and no screens."""

from .buttons import (
    Button,
    CheckBox,
    ClickArea,
    IconButton,
    KeyButton,
    KeyDescriptions,
    PrimaryButton,
    add_shortcut,
)
from .fields import ChoiceBox, SearchField
from .labels import Badge, ElidedLabel, Label, SectionTitle, TypeChip, paint_box, paint_type_disc
from .layout import (
    STRETCH,
    FactGrid,
    Flow,
    Hairline,
    ToolbarRow,
    build_column,
    build_row,
    build_splitter,
    clear_layout,
    scroll_area,
)
from .menus import add_heading
from .states import EmptyState, ProgressLine, Skeleton
from .tables import RowTable, TextDelegate
from .words import (
    format_date,
    format_language,
    format_left,
    format_number,
    format_size,
    format_type,
    format_when,
    join_words,
)

__all__ = [
    "STRETCH",
    "Badge",
    "Button",
    "CheckBox",
    "ChoiceBox",
    "ClickArea",
    "ElidedLabel",
    "EmptyState",
    "FactGrid",
    "Flow",
    "Hairline",
    "IconButton",
    "KeyButton",
    "KeyDescriptions",
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
    "build_column",
    "build_row",
    "build_splitter",
    "clear_layout",
    "format_date",
    "format_language",
    "format_left",
    "format_number",
    "format_size",
    "format_type",
    "format_when",
    "join_words",
    "paint_box",
    "paint_type_disc",
    "scroll_area",
]
