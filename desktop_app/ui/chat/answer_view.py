"""The text of one answer: streams in, then stands rendered, with marks that lead to places.

Owns how an answer grows and what its marks do under the pointer. It loads nothing from
anywhere and opens no address: it says which one was clicked. It knows no chat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QCursor,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QToolTip, QWidget

from desktop_app.engine.services.naming import NamedPart
from desktop_app.engine.types import Citation
from desktop_app.ui.allowed_sites import is_web_address
from desktop_app.ui.language import tr
from desktop_app.ui.plain_tip import plain_tip
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.words import format_type

from .answer_html import (
    build_style,
    close_bold,
    mark_number,
    name_number,
    render_answer,
    split_half_mark,
)

# Pieces with none of these can be put at the end without reading the Markdown again.
SPECIAL = frozenset("\n*`#|~[]【】_<>&\\")
LINE_PX = 21


class SafeDocument(QTextDocument):
    """A document that gets no picture, style sheet or file, whatever its text asks for."""

    def loadResource(self, kind: int, name: QUrl) -> Any:
        return None


class AnswerView(QTextBrowser):
    """Shows an answer at its full height.

    `mark_clicked` gives the number of a [n], `name_clicked` the entity of a name,
    `address_clicked` an address of the web.
    """

    mark_clicked = Signal(int)
    name_clicked = Signal(int)
    address_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._n_shown = 0
        self._render_next = True
        self._lost_blank = ""
        self._citations: dict[int, Citation] | None = None
        self._named: dict[int, NamedPart] = {}
        self._words: dict[str, int] = {}
        self.setDocument(SafeDocument(self))
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(20)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setStyleSheet("background: transparent; padding: 0;")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Answer"))
        self.anchorClicked.connect(self._click)
        self.highlighted.connect(self._hover)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        theme.changed.connect(self._restyle)
        self._restyle()

    # --- what is shown ---------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The Markdown so far."""
        return self._text

    def append_piece(self, piece: str) -> None:
        """Show a streamed piece; a half mark or half a ** waits for its other half."""
        self._text += piece
        ready, _ = split_half_mark(self._text)
        new = ready[self._n_shown :]
        if not new:
            return
        line = ready[ready.rfind("\n") + 1 :]
        # the first characters of a line may make a list or a heading of it
        begins = len(line) - len(new) < 8
        if self._render_next or begins or not SPECIAL.isdisjoint(new):
            self._render(close_bold(ready))
            open_bold = close_bold(ready) != ready
            self._render_next = ready.endswith("\n") or open_bold
            self._lost_blank = "" if ready == ready.rstrip(" ") else " "
        else:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            # the end may stand inside a mark, whose look must not run on
            cursor.insertText(self._lost_blank + new, QTextCharFormat())
            self._lost_blank = ""
        self._n_shown = len(ready)

    def set_answer(self, text: str, citations: tuple[Citation, ...]) -> None:
        """Show the finished answer; its marks lead to their places from now on."""
        self._text = text
        self._citations = {c.number: c for c in citations}
        self._render(text)

    def set_names(self, named: Sequence[NamedPart]) -> None:
        """Make links of the names; what is shown already stays where it is."""
        self._named = {part.entity_id: part for part in named}
        self._words = {part.words: part.entity_id for part in named}
        if self._citations is not None:
            self._render(self._text)

    def names(self) -> list[NamedPart]:
        """Return the names that are links."""
        return list(self._named.values())

    def _render(self, text: str) -> None:
        kept = self.textCursor()
        anchor, position = kept.anchor(), kept.position()
        numbers = None if self._citations is None else self._citations.keys()
        words = self._words if numbers is not None else None
        self.setHtml(render_answer(text, numbers, self._theme.tokens, words))
        self._space_tables()
        if words:
            self._underline_names()
        if anchor != position:  # what was selected stays selected
            end = self.document().characterCount() - 1
            cursor = self.textCursor()
            cursor.setPosition(min(anchor, end))
            cursor.setPosition(min(position, end), QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _space_tables(self) -> None:
        """Set tables apart from what stands around them, which style sheets can't do."""
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format()
                look.setTopMargin(4)
                look.setBottomMargin(12)
                frame.setFormat(look)

    def _underline_names(self) -> None:
        """Put dots under the names: HTML knows no such line, and colour belongs to the marks."""
        spots: list[tuple[int, int]] = []
        block = self.document().begin()
        while block.isValid():
            parts = block.begin()
            while not parts.atEnd():
                piece = parts.fragment()
                if name_number(piece.charFormat().anchorHref()) is not None:
                    spots.append((piece.position(), piece.length()))
                parts += 1
            block = block.next()
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        look.setUnderlineColor(self._theme.color("accent"))
        cursor = QTextCursor(self.document())
        for position, length in spots:
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(look)

    def _restyle(self) -> None:
        self.document().setDefaultFont(self._theme.font("text"))
        self.document().setDefaultStyleSheet(
            build_style(self._theme.tokens, self._theme.px(LINE_PX))
        )
        if self._text:
            self._render(self._text)
        self._fit()

    # --- size ------------------------------------------------------------------------------

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height())
        if height != self.height():
            self.setFixedHeight(max(1, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(480, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.minimumHeight())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the list scrolls, not the answer

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scrolls = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if event.key() in scrolls and not event.modifiers():
            event.ignore()
            return
        super().keyPressEvent(event)

    # --- marks -----------------------------------------------------------------------------

    def citation(self, url: QUrl) -> Citation | None:
        """Return what a link of this answer stands on; None for any other address."""
        number = mark_number(url.toString())
        return None if number is None else (self._citations or {}).get(number)

    def loadResource(self, kind: int, name: QUrl) -> Any:
        return None

    def _click(self, url: QUrl) -> None:
        if (citation := self.citation(url)) is not None:
            QToolTip.hideText()
            self.mark_clicked.emit(citation.number)
        elif (entity_id := name_number(url.toString())) in self._named:
            QToolTip.hideText()
            self.name_clicked.emit(entity_id)
        elif is_web_address(address := url.toString(QUrl.ComponentFormattingOption.FullyEncoded)):
            QToolTip.hideText()
            self.address_clicked.emit(address)

    def _hover(self, url: QUrl) -> None:
        if (part := self._named.get(name_number(url.toString()) or 0)) is not None:
            words = f"{part.name} · {format_type(part.type)}" if part.type else part.name
            self._tip(plain_tip(f"{words}\n{tr('Show the card')}"))
            return
        if is_web_address(address := url.toString(QUrl.ComponentFormattingOption.FullyEncoded)):
            self._tip(plain_tip(address))
            return
        citation = self.citation(url)
        if citation is None:
            QToolTip.hideText()
            return
        self._tip(build_tooltip(citation, self._theme))

    def _tip(self, words: str) -> None:
        QToolTip.showText(QCursor.pos() + QPoint(4, 8), words, self)


def build_tooltip(citation: Citation, theme: Theme) -> str:
    """Return the quoted sentence with its title and page, as safe HTML."""
    quote = " ".join(citation.quote.split())
    quote = quote if len(quote) <= 400 else quote[:399] + "…"
    page = tr("p. {page}", page=citation.page_label) if citation.page_label else ""
    place = " · ".join(part for part in (citation.title, page) if part)
    families = ", ".join(f"'{name}'" for name in theme.book_font(quote, 14).families())
    return (
        '<table width="320"><tr><td>'  # not shown
        f'<p style="font-family:{families}; line-height:118%">'
        f"{escape(quote)}</p>"
        f'<p style="color:{theme.tokens.text2}; font-size:{theme.px(12)}px">{escape(place)}</p>'
        "</td></tr></table>"
    )
