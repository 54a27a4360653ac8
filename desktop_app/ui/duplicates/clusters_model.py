"""The list of clusters as Qt wants it. Owns which are shown and in what order."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.engine.services.duplicates import DuplicateCluster, arrange
from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import format_number
from desktop_app.ui.widgets.tables import paint_ground

CLUSTER_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 48


class ClustersModel(QAbstractListModel):
    """Shows clusters; all are held, so that filters answer at once."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self._all: list[DuplicateCluster] = []
        self._shown: list[DuplicateCluster] = []
        self._view: dict[str, Any] = {}

    @property
    def n_all(self) -> int:
        return len(self._all)

    def set_clusters(self, clusters: list[DuplicateCluster]) -> None:
        self._all = list(clusters)
        self._refresh()

    def set_view(self, **view: Any) -> None:
        """Change filter or order: see `services.duplicates.arrange`."""
        self._view |= view
        self._refresh()

    def drop(self, ids: set[int]) -> None:
        """Take out the clusters that have any of these entities: they are decided."""
        self.set_clusters([one for one in self._all if not ids & set(one.ids)])

    def replace(self, cluster: DuplicateCluster) -> None:
        """Put in a cluster that has more to show than the one with the same members."""
        self._all = [cluster if one.ids == cluster.ids else one for one in self._all]
        for row, one in enumerate(self._shown):
            if one.ids == cluster.ids:
                self._shown[row] = cluster
                self.dataChanged.emit(self.index(row), self.index(row))

    def find_row(self, ids: tuple[int, ...]) -> int:
        return next((i for i, one in enumerate(self._shown) if one.ids == ids), -1)

    def _refresh(self) -> None:
        self.beginResetModel()
        self._shown = arrange(self._all, **self._view)
        self.endResetModel()

    # --- what Qt asks ---------------------------------------------------------------------------

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        one = self._shown[index.row()]
        if role == CLUSTER_ROLE:
            return one
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return " · ".join(member.entity.name for member in one.members)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            names = ", ".join(member.entity.name for member in one.members)
            return f"{names}. {say_certainty(one.certainty)}. {say_why(one)}"
        return None

    def shown(self) -> list[DuplicateCluster]:
        """Return what is shown, in its order."""
        return list(self._shown)


class ClusterDelegate(QStyledItemDelegate):
    """Two lines: the names; how sure, and why."""

    def __init__(self, theme: Theme, parent: Any = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(160, self._theme.length(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        one: DuplicateCluster = index.data(CLUSTER_ROLE)
        paint_ground(painter, option, index, self)
        area = option.rect.adjusted(12, 4, -12, -4)
        painter.save()
        small, text = (
            self._theme.font("small"),
            self._theme.font("strong" if one.is_new else "text"),
        )
        share = tr("{n} %", n=format_number(round(100 * one.certainty)))
        if one.asked is not None:
            asked = format_number(round(100 * one.asked))
            share = tr("model {n} % · {share}", n=asked, share=share)
        width = QFontMetrics(small).horizontalAdvance(share)
        painter.setFont(small)
        painter.setPen(self._theme.color("text2"))
        top, foot = (area.top() + self._theme.length(down) for down in (15, 33))
        painter.drawText(area.right() - width, top, share)
        why = QFontMetrics(small).elidedText(
            say_why(one), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area.left(), foot, why)
        painter.setFont(text)
        painter.setPen(self._theme.color("text"))
        names = QFontMetrics(text).elidedText(
            index.data(), Qt.TextElideMode.ElideRight, area.width() - width - 8
        )
        painter.drawText(area.left(), top, names)
        painter.restore()


def say_certainty(certainty: float) -> str:
    """Return how sure the desk is, in words."""
    if certainty >= 0.85:
        return tr("Very likely one")
    return tr("Likely one" if certainty >= 0.6 else "Perhaps one")


def say_why(one: DuplicateCluster) -> str:
    n = trn("{n} name", "{n} names", len(one.members))
    return f"{n} · {tr_said(one.reasons[0].text)}" if one.reasons else n
