"""What a screen reader says of the canvas: what is in it, and who is chosen.

Owns the words and the event that has them read out. Knows no painting and no keys.
"""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from desktop_app.ui.language import tr, trn
from desktop_app.ui.widgets.words import format_type, shorten_list

from .focus import Focus
from .graph_data import GraphData

FEW = 5  # neighbours, the strongest first


def describe_chosen(data: GraphData, focus: Focus) -> str:
    """Return who is chosen and whom they are tied to, or what the picture holds."""
    row = focus.selected
    if row is None and len(focus.chosen) > 1:
        return trn("{n} name chosen", "{n} names chosen", len(focus.chosen))
    if row is None or row >= len(data):
        n_ties = int((data.wanted & data.shown[data.pairs].all(1)).sum()) if len(data.pairs) else 0
        names = trn("{n} name", "{n} names", int(data.shown.sum()))
        return trn(
            "{names}, {n} connection. Arrow keys go from name to name.",
            "{names}, {n} connections. Arrow keys go from name to name.",
            n_ties,
            names=names,
        )
    entity = data.entities[row]
    near = [" ".join(data.entities[other].name.split()) for other in data.neighbours_of(row)]
    who = {"name": " ".join(entity.name.split()), "type": format_type(entity.type)}
    said = tr("{name}, {type}, pinned", **who) if data.pinned[row] else tr("{name}, {type}", **who)
    if not near:
        return tr("{name}, without connections in this picture", name=said)
    return tr("{name}, tied to {others}", name=said, others=shorten_list(near, FEW))


def say(widget: QWidget, text: str) -> None:
    """Keep the text as the widget's description and have a screen reader say it."""
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if QAccessible.isActive():
        changed = QAccessible.Event.DescriptionChanged
        QAccessible.updateAccessibility(QAccessibleEvent(widget, changed))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
