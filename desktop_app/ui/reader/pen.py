"""The marking tools of the toolbar: their buttons, and what is selected while one stays pressed.

Owns which tool is in use. `Annotations` stores what is marked and which colour was used last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFontMetrics,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets.buttons import IconButton
from ..widgets.highlight_colors import COLOR_WORDS, color_icon
from ..widgets.words import join_sentences
from .annotations import Annotations
from .look import paint_tool_sign
from .view import DocumentView

LETTER, TOOL_WIDTH, ARROW_WIDTH = 16, 30, 18  # pixels: the sign of a tool, its two parts
WORDS_GAP = 8  # pixels after the words beside a sign
AREA = "area"  # not shown
TOOLS = {  # by the style of what they mark
    "fill": later("Highlight"),
    "underline": later("Underline"),
    AREA: later("Area"),
}
HINT = later("Marks the selected text. Without a selection it stays pressed until Esc.")
AREA_HINT = later(
    "Draw a rectangle on a page: that part is kept as a picture. It snaps to a figure or a table"
    " with its caption, or to whole lines; with Alt it stays as it is drawn. A click takes a figure"
    " or a table. The arrow keys draw one, too: they move it, with Shift they change its size, and"
    " Enter keeps it. Esc ends."
)


class PenButton(IconButton):
    """A marking tool with a colour of its own; an arrow beside it opens the colours.

    `color_chosen` carries the colour chosen in the menu, which has keys of its own: Down opens it.

    Args:
        style: of what it marks, see `TOOLS`.
    """

    color_chosen = Signal(str)
    color_changed = Signal(str)

    def __init__(
        self,
        theme: Theme,
        style: str,
        parent: QWidget | None = None,
        *,
        shortcut: str = "",
    ) -> None:
        super().__init__(theme, "highlights", tr(TOOLS[style]), parent, shortcut=shortcut)
        self.style_of_marks, self.color = style, next(iter(COLOR_WORDS))
        self.setIcon(QIcon())  # its sign is painted
        self.setCheckable(True)
        self.colors = QMenu(self)
        self.actions_by_color: dict[str, QAction] = {}
        for number, (color, words) in enumerate(COLOR_WORDS.items(), 1):
            action = self.colors.addAction(tr(words))
            if style == "fill":  # displayed only: the view has these keys
                action.setShortcut(str(number))
                action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._choose, color))
            self.actions_by_color[color] = action
        theme.changed.connect(self._draw_icons)
        self._show_color()

    def nextCheckState(self) -> None:
        """Leave the state to `Pen`, which knows whether text is selected."""

    def set_color(self, color: str) -> None:
        """Use this colour from now on; one that is unknown is ignored."""
        if color in COLOR_WORDS and color != self.color:
            self.color = color
            self._show_color()
            self.color_changed.emit(color)

    def open_colors(self) -> None:
        self.colors.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _choose(self, color: str, _: bool = False) -> None:
        self.set_color(color)
        self.color_chosen.emit(color)

    def _show_color(self) -> None:
        name = f"{tr(TOOLS[self.style_of_marks])}: {tr(COLOR_WORDS[self.color])}"
        keys = f" ({self.keys})" if self.keys else ""
        hint = AREA_HINT if self.style_of_marks == AREA else HINT
        colors = tr("The arrow, or the Down key, opens the colours.")
        lines = [f"{name}{keys}", tr(hint), colors]
        self.setToolTip("\n".join(lines))
        self.setAccessibleName(name)
        self.setAccessibleDescription(join_sentences(lines[1:]))
        self._draw_icons()
        self.update()

    def _draw_icons(self) -> None:
        for color, action in self.actions_by_color.items():
            action.setIcon(color_icon(self._theme, color, chosen=color == self.color))

    # --- form -------------------------------------------------------------------------------

    def set_words(self, words: str) -> None:
        """Show words beside the sign, or the sign alone for ""."""
        if words != self._words:
            self._words = words
            self._fit()
            self.update()

    def words_width(self, words: str = "") -> int:
        """Return the width of the button with words beside its sign."""
        metrics = QFontMetrics(self._theme.font("text"))
        advance = metrics.horizontalAdvance(words or self._words)
        parts = TOOL_WIDTH + ARROW_WIDTH
        return self._theme.length(parts) + (self._theme.length(WORDS_GAP) + advance) * bool(advance)

    def _fit(self) -> None:
        super()._fit()
        self.setFixedWidth(self.words_width())

    def _arrow_rect(self) -> QRect:
        """Return the part of the button that opens the colours."""
        width = self._theme.length(ARROW_WIDTH)
        return QRect(self.width() - width, 0, width, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)  # the ground, and the ring of the focus
        theme, arrow = self._theme, self._arrow_rect()
        side = theme.length(LETTER)
        middle = QPointF(theme.length(TOOL_WIDTH) / 2, self.height() / 2)
        sign = QRectF(middle.x() - side / 2 - 1, middle.y() - side / 2, side + 2, side)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        over = theme.is_high and self.isChecked()
        paint_tool_sign(painter, theme, self.style_of_marks, self.color, sign, over=over)
        if self._words:
            left = theme.length(TOOL_WIDTH) + theme.length(1)
            painter.setFont(theme.font("text"))
            painter.setPen(theme.color("on_accent" if over else "text"))
            room = QRect(left, 0, self.width() - left, self.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), self._words)
        painter.fillRect(QRectF(arrow.left(), 7, 1, self.height() - 14), theme.color("line"))
        caret = theme.length(10)
        place = QRect(0, 0, caret, caret)
        place.moveCenter(arrow.center())
        theme.icon("caret-down", color="on_accent" if over else "text2").paint(painter, place)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._arrow_rect().contains(event.position().toPoint()):
            self.open_colors()
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.open_colors()
            return
        super().keyPressEvent(event)


class Pen(QObject):
    """Marks the selection with a tool of the toolbar, or what is selected while it is pressed."""

    pressed_changed = Signal()  # see `pressed`

    def __init__(
        self,
        context: SessionContext,
        views: Sequence[DocumentView],
        annotations: Annotations,
        tools: Sequence[PenButton],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._views, self._annotations, self._tools = (
            context,
            views,
            annotations,
            tools,
        )
        for tool in tools:
            tool.clicked.connect(partial(self.use, tool))
            tool.color_chosen.connect(lambda _, tool=tool: self.use(tool, keep=True))
            tool.color_changed.connect(partial(annotations.set_color, tool.style_of_marks))
        annotations.color_used.connect(self._show_used)
        for view in views:
            view.selection.released.connect(partial(self._mark_selection, view))
            view.installEventFilter(self)

    def _show_used(self, style: str, color: str) -> None:
        for tool in self._tools:
            if tool.style_of_marks == style:
                tool.set_color(color)

    @property
    def draws_areas(self) -> bool:
        """Whether rectangles are drawn on pages."""
        return self.pressed is not None and self.pressed.style_of_marks == AREA

    @property
    def pressed(self) -> PenButton | None:
        """The tool that marks what is selected from now on, None if there is none."""
        return next((tool for tool in self._tools if tool.isChecked()), None)

    def use(self, tool: PenButton, _: bool = False, *, keep: bool = False) -> None:
        """Mark the selection with a tool; press it, or release it, if nothing is selected.

        Args:
            keep: a tool that is pressed stays so.
        """
        view = self._selected_view()
        if view is not None and tool.style_of_marks != AREA:
            self._mark(view, tool)
            return
        self._press(None if tool.isChecked() and not keep else tool)

    def add_note(self) -> None:
        """Highlight the selection and open its card to write a note."""
        view = self._selected_view()
        if view is None or view.selection.range is None:
            self._context.messages.show(tr("Select the text first, then add a note to it."))
            return
        self._annotations.highlight(*view.selection.range, write=True)

    def release(self) -> None:
        self._press(None)

    def _press(self, pressed: PenButton | None) -> None:
        for tool in self._tools:
            tool.setChecked(tool is pressed)
        self.pressed_changed.emit()

    def _selected_view(self) -> DocumentView | None:
        return next((v for v in self._views if v.isVisible() and _has_words(v)), None)

    def _mark_selection(self, view: DocumentView) -> None:
        tool = self.pressed
        if tool is not None and tool.style_of_marks != AREA and _has_words(view):
            self._mark(view, tool)

    def _mark(self, view: DocumentView, tool: PenButton) -> None:
        chosen = view.selection.range
        if chosen is not None:
            self._annotations.highlight(*chosen, tool.color, style=tool.style_of_marks)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # the type first: while a window is deleted, its buttons may be gone before its views
        is_key = event.type() == QEvent.Type.KeyPress
        is_escape = is_key and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape
        if is_escape and self.pressed is not None:
            self.release()
            return True
        return False


def _has_words(view: DocumentView) -> bool:
    chosen = view.selection.range
    return chosen is not None and bool(view.text[slice(*chosen)].strip())
