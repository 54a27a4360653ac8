"""What a screen reader says of the canvas: what is in it, and who is chosen.

Owns the words and the event that has them read out. Knows no painting and no keys.
"""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.widgets import plural

from .focus import Focus
from .graph_data import GraphData

FEW = 5  # neighbours, the strongest first


def describe_chosen(data: GraphData, focus: Focus) -> str:
    """Return who is chosen and whom they are tied to, or what the picture holds."""
    row = focus.selected
    if row is None and len(focus.chosen) > 1:
        return f"{plural(len(focus.chosen), 'name')} chosen"
    if row is None or row >= len(data):
        n_ties = int((data.wanted & data.shown[data.pairs].all(1)).sum()) if len(data.pairs) else 0
        shown = plural(int(data.shown.sum()), "name")
        return f"{shown}, {plural(n_ties, 'connection')}. Arrow keys go from name to name."
    entity = data.entities[row]
    near = [" ".join(data.entities[other].name.split()) for other in data.neighbours_of(row)]
    said = f"{' '.join(entity.name.split())}, {entity.type}"
    if data.pinned[row]:
        said += ", pinned"
    if not near:
        return f"{said}, without connections in this picture"
    more = f" and {len(near) - FEW} more" if len(near) > FEW else ""
    return f"{said}, tied to {', '.join(near[:FEW])}{more}"


def say(widget: QWidget, text: str) -> None:
    """Keep the text as the widget's description and have a screen reader say it."""
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        changed = QAccessible.Event.DescriptionChanged
        QAccessible.updateAccessibility(QAccessibleEvent(widget, changed))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
