"""The field for the note of the chosen card in the panel of annotations.

Owns what is typed until it is stored, and how high the field is. `AnnotationsPanel` places it on
the card.
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QPoint, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop_app.engine.services.annotations import Annotation

from ..theme.theme import Theme
from ..translation import tr
from ..widgets.buttons import format_keys
from ..widgets.save_timer import SaveTimer

MOST_LINES = 8  # then it scrolls
AROUND = 3  # pixels between its edges and its words, beside those of all fields


class NoteField(QPlainTextEdit):
    """Writes the note of one annotation.

    `written` carries the annotation, the new note, if it is another one, and the session of
    writing: a few seconds after the first key that is not stored yet, when the focus leaves the
    field, or when another annotation is shown. A session lasts until then. `begun` carries at once
    the annotation whose note is being written, and whether the note has words. Esc and Ctrl+Return
    leave the field, too: `left` is emitted. `resized` is emitted when the note has another number
    of lines.
    """

    written = Signal(object, str, str)
    begun = Signal(int, bool)
    left = Signal()
    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._mark: Annotation | None = None
        self.setProperty("kind", "field")
        self.setPlaceholderText(tr("Add a note"))
        self.setAccessibleName(tr("Note"))
        self.setToolTip(
            tr(
                "{keys} or Esc: back to the list. What is typed is kept.",
                keys=format_keys("Ctrl+Return"),
            )
        )
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(AROUND)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._follow_size)
        theme.changed.connect(self.resized)
        self.textChanged.connect(self._announce)
        self._session = 0
        self._timer = SaveTimer(self)
        self._timer.timeout.connect(self.store)
        self._n_lines = 1
        self.hide()

    @property
    def mark(self) -> Annotation | None:
        """The annotation whose note is shown."""
        return self._mark

    @property
    def is_changed(self) -> bool:
        """Whether the note differs from the stored one."""
        return self._mark is not None and self.toPlainText().strip() != self._mark.note.strip()

    def show_note(self, mark: Annotation | None) -> None:
        """Show the note of an annotation, or of none; what is typed for another one is stored.

        Of the same annotation, a note that is being written stays.
        """
        same = mark is not None and self._mark is not None and mark.id == self._mark.id
        if not same:
            self.store()
        is_stored = mark is not None and self.toPlainText().strip() == mark.note.strip()
        is_kept = same and self.hasFocus() and (self.is_changed or is_stored)
        self._mark = mark
        if not same:
            self._session += 1
        if not is_kept and mark is not None and self.toPlainText() != mark.note:
            self.setPlainText(mark.note)
        elif mark is None:
            self.clear()
        self._announce()

    def store(self) -> None:
        """Emit `written` if the note differs from the stored one."""
        self._timer.stop()
        if self._mark is not None and self.is_changed:
            session = f"{id(self)}/{self._session}"  # not shown
            self.written.emit(self._mark, self.toPlainText().strip(), session)

    def _announce(self) -> None:
        """Emit `begun`; of no annotation, with the id 0."""
        has_words = bool(self.toPlainText().strip())
        self.begun.emit(self._mark.id if self._mark is not None else 0, has_words)

    def text_inset(self) -> QPoint:
        """Return where its words begin."""
        self.ensurePolished()
        margin = ceil(self.document().documentMargin())
        return self.viewport().pos() + QPoint(margin, margin)

    def wanted_height(self) -> int:
        """Return its height in pixels for the lines of the note."""
        self.ensurePolished()
        lines = min(max(1, self._n_lines), MOST_LINES)
        layout, block = self.document().documentLayout(), self.document().firstBlock()
        margin, edges = self.document().documentMargin(), 2 * self.viewport().y()
        height = layout.blockBoundingRect(block).height()
        if not block.next().isValid():
            height -= margin  # the last block has that below it
        line = height / max(1, block.lineCount())
        return ceil(lines * line + 2 * margin) + edges

    def _follow_size(self, size: QSizeF) -> None:
        n_lines = round(size.height())  # of a plain text, the height is in lines
        if n_lines != self._n_lines:
            self._n_lines = n_lines
            bar = Qt.ScrollBarPolicy
            scrolls = n_lines > MOST_LINES
            self.setVerticalScrollBarPolicy(
                bar.ScrollBarAsNeeded if scrolls else bar.ScrollBarAlwaysOff
            )
            self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        with_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape or (is_return and with_control):
            self.store()
            self.left.emit()
            return
        super().keyPressEvent(event)
        self._wait()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._wait()

    def _wait(self) -> None:
        if self.is_changed:
            self._timer.begin()

    def event(self, event: QEvent) -> bool:
        is_escape = (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        )
        if is_escape:  # the panel has this key, too
            event.accept()
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:  # its own menu
            self.store()
            self._session += 1
