"""The panels between a question and its passages: the answer, or why there is none, and the check.

They have one place and one form in all states of a turn, so that nothing moves from the first step
to the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from ..theme.theme import Theme
from ..translation import tr, trn
from ..widgets import Button, Label, build_column, build_row, paint_box
from .answer_view import AnswerView
from .citation_number import build_number_image
from .fold import LINK_AT_EDGE
from .sources import BEFORE_QUOTE, INDENT, RULE
from .step_row import STATUS_HEIGHT

BLOCK_PADDING, ABOVE_LETTERS = 16, 4  # pixels around an answer, and of a line above its letters
BLOCK_SHADE = 0.7  # of the ground of an answer
AROUND_STATUS = 8  # pixels above and below what stands in place of an answer
CHECK_ICON, CHECK_GAP = 16, 6  # pixels
DASHES = (3.0, 2.5)  # of the line beside a guess, in widths of the line
NOTICE_ICON, NOTICE_GAP = 16, 8  # pixels
ONE_LINE = 10_000  # pixels, in which no text is wrapped
PASSAGE_LINK = "passage:"
MOST_NUMBERS = 6  # of passages in one line


def build_links_label(parent: QWidget, role: str = "small") -> QLabel:
    """Return a label for HTML with links that mouse and keyboard reach."""
    label = QLabel(parent)
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.LinksAccessibleByMouse
        | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
    )
    return label


def link_number(theme: Theme, rank: int) -> str:
    """Return the number of a passage in its box as HTML, which links to its card."""
    return f'<a href="{PASSAGE_LINK}{rank}">{build_number_image(theme, str(rank))}</a>'  # not shown


def paint_panel(widget: QWidget, theme: Theme, *, is_answer: bool) -> None:
    """Paint the ground of what follows a question, as wide as the question box.

    It has a tint under an answer, and is neutral under what stands in place of one.
    """
    area = QRectF(widget.rect()).adjusted(INDENT, 0, -INDENT, 0)
    with QPainter(widget) as painter:
        if is_answer:
            ground = theme.color("accent_soft", BLOCK_SHADE)
            paint_box(painter, area, ground, theme.edge("accent"))
        else:
            ground = theme.color("surface" if theme.is_dark else "sunken")
            paint_box(painter, area, ground, theme.edge())


def find_linked_number(address: str) -> int:
    """Return the number of the passage that a link leads to, 0 for another link or none."""
    number = address.removeprefix(PASSAGE_LINK)
    return int(number) if address.startswith(PASSAGE_LINK) and number.isdecimal() else 0


class CheckHeading(QWidget):
    """Which passages an answer is from, above these passages.

    A model read them, and what it says stood the check; that is no proof, so there is a tick only
    beside what no model stated: a cell of a table.
    `passage_clicked` gives the number of a passage, `passage_hovered` too, 0 when it is left.
    """

    passage_clicked = Signal(int)
    passage_hovered = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._checked: tuple[int, ...] = ()
        self._is_spoken = False
        self._sign = QLabel(self)
        self.words = build_links_label(self, "accent")
        self.words.setWordWrap(False)
        self.words.linkActivated.connect(
            lambda address: self.passage_clicked.emit(find_linked_number(address))
        )
        self.words.linkHovered.connect(
            lambda address: self.passage_hovered.emit(find_linked_number(address))
        )
        build_row(self._sign, self.words, parent=self, spacing=CHECK_GAP)
        theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def text(self) -> str:
        """What is shown of the check, without the boxes of the numbers; "" for nothing."""
        numbered = re.sub(r'<img [^>]*alt="(\d+)">', r"\1", self.words.text())
        return re.sub(r"<[^>]*>", "", numbered)

    def show_numbers(
        self, numbers: Sequence[int], *, is_spoken: bool = False, is_cell: bool = False
    ) -> None:
        """Show the numbers of the passages as links; nothing without any.

        Args:
            is_spoken: the answer is what a person in the text says.
            is_cell: it is a cell of a table.
        """
        self._sign.setVisible(is_cell)
        self._checked, self._is_spoken = tuple(numbers), is_spoken
        self._write()
        self.setVisible(bool(numbers))

    def _write(self) -> None:
        n = len(self._checked)
        if n > MOST_NUMBERS:
            words = trn("From {n} passage", "From {n} passages", n)
        elif n > 1:
            numbers = " ".join(link_number(self._theme, number) for number in self._checked)
            words = tr("From passages {numbers}", numbers=numbers)
        elif n:
            number = link_number(self._theme, self._checked[0])
            words = tr("From passage {n}", n=number)
        else:
            words = ""
        shown = f'<span style="font-weight:600">{words}</span>'  # not shown
        if self._is_spoken:
            ink = self._theme.tokens.text2
            said = tr("A person in the text says so.")
            shown += f'&nbsp; <span style="color:{ink}">{said}</span>'  # not shown
        self.words.setText(shown)

    def _restyle(self) -> None:
        side = self._theme.length(CHECK_ICON)
        self._sign.setPixmap(self._theme.icon("ph.check-circle", color="accent").pixmap(side, side))
        self._write()  # the boxes of the numbers have colours of the theme


class AnswerBlock(QWidget):
    """The written answer on a ground of its own."""

    def __init__(self, theme: Theme, answer: AnswerView, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._answer, self._is_notice = theme, answer, False
        answer.setParent(self)
        side = INDENT + BLOCK_PADDING
        margins = (side, BLOCK_PADDING - ABOVE_LETTERS, side, BLOCK_PADDING - ABOVE_LETTERS)
        self._column = build_column(answer, parent=self, margins=margins)
        # at once, so that the list follows the answer as it grows
        answer.fitted.connect(self._fit)
        theme.changed.connect(self._restyle)
        self._restyle()

    def set_notice(self, is_notice: bool) -> None:
        """Show whether the text only says that there is no answer: on a neutral ground."""
        self._is_notice = is_notice
        self.update()

    def _restyle(self) -> None:
        self._fit()
        self.update()

    def _fit(self) -> None:
        around = self._column.contentsMargins()
        self.setFixedHeight(self._answer.height() + around.top() + around.bottom())

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_panel(self, self._theme, is_answer=not self._is_notice)


class StatusPanel(QWidget):
    """What stands in place of an answer, on a neutral ground: steps, or why there is none."""

    def __init__(self, theme: Theme, parts: Sequence[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._parts, self._is_blank = theme, parts, False
        left, around = INDENT + BLOCK_PADDING, AROUND_STATUS
        margins = (left, around, BLOCK_PADDING, around)  # the parts end before their own margin
        build_column(*parts, parent=self, margins=margins)
        theme.changed.connect(self.update)

    def fit(self, *, is_blank: bool) -> None:
        """Show the panel if it has a visible part, without a ground if it is blank."""
        self._is_blank = is_blank
        self.setVisible(not all(part.isHidden() for part in self._parts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_blank:
            paint_panel(self, self._theme, is_answer=False)


def paint_doubt(painter: QPainter, theme: Theme, area: QRectF) -> None:
    """Paint the dashed line beside a sentence that nothing confirmed; others have a solid one."""
    pen = QPen(theme.color("text2"), area.width())
    pen.setDashPattern(DASHES)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    middle = QPointF(area.width() / 2, 0)
    painter.setPen(pen)
    painter.drawLine(area.topLeft() + middle, area.bottomLeft() + middle)


@dataclass(frozen=True, slots=True)
class Guess:
    """A sentence that nothing confirmed.

    Attributes:
        rank: the number of its passage, 0 for none.
        reason: why it was not confirmed, "" where that is stated elsewhere.
    """

    text: str
    rank: int
    reason: str = ""


class GuessView(QWidget):
    """Sentences of the model that nothing confirmed, set apart from answers and quotations.

    `explained` asks for what the check compared; `followed` gives the address of a link.
    """

    explained = Signal()
    followed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._guesses: list[Guess] = []
        self.heading = Label("", "section", self)
        self.sentences = build_links_label(self, "muted")
        self.sentences.setTextInteractionFlags(
            self.sentences.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.sentences.linkActivated.connect(self.followed)
        self.explain_button = Button(tr("How it was checked"), self, kind="link")
        self.explain_button.setStyleSheet(LINK_AT_EDGE)
        self.explain_button.clicked.connect(self.explained)
        left = Qt.AlignmentFlag.AlignLeft
        build_column(
            *(self.heading, self.sentences, (self.explain_button, 0, left)),
            parent=self,
            spacing=2,
            margins=(RULE + BEFORE_QUOTE, 4, INDENT, 0),
        )
        theme.changed.connect(self._show)

    def show_sentences(self, guesses: Sequence[Guess]) -> None:
        """Show each sentence with the number of its passage, and its reason below it."""
        self._guesses = list(guesses)
        self._show()

    def _show(self) -> None:
        self.heading.setText(
            trn("Unconfirmed guess", "Unconfirmed guesses", max(1, len(self._guesses)))
        )
        size = self._theme.font("small").pixelSize()
        lines = []
        for one in self._guesses:
            number = f" {link_number(self._theme, one.rank)}" if one.rank else ""
            why = f'<br><span style="font-size:{size}px">{escape(one.reason)}</span>'  # not shown
            lines.append(f"{escape(one.text)}{number}{why if one.reason else ''}")
        self.sentences.setText("<br>".join(lines))  # not shown
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_doubt(painter, self._theme, QRectF(0, 4, RULE, self.height() - 8))


class AnswerNotice(QWidget):
    """Says that there is no written answer, and why, on a line as high as that of the steps.

    `followed` gives the address of a link.
    """

    followed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.icon = QLabel(self)
        self.reason = build_links_label(self, "")
        self.reason.linkActivated.connect(self.followed)
        top = Qt.AlignmentFlag.AlignTop
        self._row = build_row(
            *((self.icon, 0, top), (self.reason, 1)), parent=self, spacing=NOTICE_GAP
        )
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        side = self._theme.length(NOTICE_ICON)
        self.icon.setPixmap(self._theme.icon("inspector").pixmap(side, side))
        self.ensurePolished()
        line = max(side, self.reason.heightForWidth(ONE_LINE))
        self.icon.setFixedSize(side, line)
        # the first of several lines is where a single one is
        around = max(0, self._theme.length(STATUS_HEIGHT) - line)
        self._row.setContentsMargins(0, around // 2, INDENT, around - around // 2)
        self.setMinimumHeight(self._theme.length(STATUS_HEIGHT))

    def show_reason(self, words: str, title: str) -> None:
        """Show a title as plain text, and a reason, which is HTML and may have links."""
        bold = f'<span style="font-weight:600">{escape(title)}</span>'  # not shown
        self.reason.setText(f"{bold} {words}")
        self._restyle()  # a line of Chinese text is higher
        self.setAccessibleName(title)
