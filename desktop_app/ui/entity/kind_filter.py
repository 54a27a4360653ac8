"""Which connections are listed: those of some kinds, or only those of which a model speaks.

Owns what is ticked. Knows no relations, only how many there are of each kind.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from desktop_app.engine.services.said import EntityStanding
from desktop_app.engine.types import RelationRow
from desktop_app.ui.language import later, tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number
from desktop_app.ui.widgets.kind_marks import LINE_WIDTH, paint_kind_line
from desktop_app.ui.widgets.tab_order import order_tabs
from desktop_app.ui.widgets.words import look_of_kind

from .type_toggles import HEIGHT, Flowing

CONFIRMED = later("Confirmed by a model")


class KindToggle(QAbstractButton):
    """One kind: its line, its word and how many; without a kind, the model's sign and words."""

    def __init__(self, theme: Theme, kind: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.kind = kind
        self.setCheckable(True)
        self.setText(tr(CONFIRMED) if kind is None else look_of_kind(kind).words)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._count = ""
        theme.changed.connect(self.update)

    def set_count(self, count: int) -> None:
        self._count = format_number(count)
        if self.kind is None:
            told = tr("List only connections of which a model speaks ({n})", n=self._count)
        else:
            told = tr("List only connections “{kind}” ({n})", kind=self.text(), n=self._count)
        self.setToolTip(told)
        self.setAccessibleName(f"{self.text()}, {self._count}")
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font("small"))
        words = metrics.horizontalAdvance(self.text())
        count = metrics.horizontalAdvance(self._count)
        return QSize(LINE_WIDTH + words + count + 28, self._theme.length(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, hovered = self.isChecked(), self.underMouse()
        painter.setPen(self._theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
        if on or hovered:
            painter.setBrush(self._theme.color("accent_soft", 1.0 if on else 0.6))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -2.5), 6, 6)
        if self.kind is None:
            spot = QRect(8, (self.height() - 16) // 2, 16, 16)
            self._theme.icon("models", size=16).paint(painter, spot)
        else:
            paint_kind_line(painter, 7, self.height() / 2, self.kind, self._theme)
        painter.setFont(self._theme.font("small"))
        painter.setPen(self._theme.color("text" if on else "text2"))
        words = self.rect().adjusted(LINE_WIDTH + 13, 0, -7, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.setPen(self._theme.color("text2"))
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(words, end, self._count)
        painter.end()


class KindFilter(Flowing):
    """`changed` when something was ticked; not `is_offered` where no model has said anything."""

    changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.confirmed = KindToggle(theme, None, self)
        self.confirmed.toggled.connect(lambda _: self.changed.emit())
        self.toggles: dict[str, KindToggle] = {}
        self.is_offered = False
        self.hide()

    @property
    def is_set(self) -> bool:
        """Say whether anything is ticked."""
        return self.confirmed.isChecked() or bool(self.kinds())

    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, toggle in self.toggles.items() if toggle.isChecked())

    def lets_pass(self, relation: RelationRow) -> bool:
        """Say whether a connection is to be listed."""
        kinds = self.kinds()
        return (not kinds or relation.kind in kinds) and (
            not self.confirmed.isChecked() or relation.n_enriched > 0
        )

    def set_standing(self, standing: EntityStanding) -> None:
        """Offer the kinds that occur; what is ticked stays as far as it still occurs."""
        counts = dict(standing.kinds)
        for kind in [kind for kind in self.toggles if kind not in counts]:
            self.toggles.pop(kind).deleteLater()
        for kind in counts:
            if kind not in self.toggles:
                toggle = self.toggles[kind] = KindToggle(self._theme, kind, self)
                toggle.toggled.connect(lambda _: self.changed.emit())
            self.toggles[kind].set_count(counts[kind])
        n_all = sum(counts.values())
        self.confirmed.set_count(standing.n_confirmed)
        named = [kind for kind in counts if kind]
        some = len(counts) > 1 and bool(named)
        self.buttons = [self.confirmed, *(self.toggles[k] for k in (*named, *({""} & set(counts))))]
        for button in self.buttons:
            button.setVisible(some)
        self.confirmed.setVisible(0 < standing.n_confirmed < n_all)
        order_tabs(self.buttons)
        self.is_offered = any(not button.isHidden() for button in self.buttons)
        self.place()

    def clear(self) -> None:
        """Offer and tick nothing, without a word."""
        self.is_offered = False
        for button in (self.confirmed, *self.toggles.values()):
            button.blockSignals(True)
            button.setChecked(False)
            button.blockSignals(False)
