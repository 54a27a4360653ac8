"""One question of a run: what is expected, and the answers of the columns side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from desktop_app.engine.services.evaluation.judging import CRITERION_TITLES
from desktop_app.engine.services.evaluation.measures import MEASURES, Measure
from desktop_app.engine.services.evaluation.model import EvaluationColumn
from desktop_app.engine.services.evaluation.question_pages import (
    ColumnAnswer,
    QuestionPage,
    ShownPlace,
)
from desktop_app.engine.text.shown_text import show_text

from ..theme.theme import Theme
from ..translation import tr, tr_message
from ..widgets import (
    STRETCH,
    Badge,
    ClickArea,
    ElidedLabel,
    Label,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    scroll_area,
)
from ..widgets.words import cut_text, plain_tip
from .words import (
    describe_judgement,
    explain_measure,
    format_answers,
    format_columns,
    format_measure,
    format_value,
)

_QUOTED = re.compile(r"(?m)^> ?")
CARD_LEAST = 250  # pixels; with less room, the next answer is below
# What says whether an answer is right comes first, then its costs; the table has the others.
CARD_MEASURES = ("answer_shown", "f1", "answer_in_prompt", "evidence_in_prompt", "faithfulness",
                 "seconds")  # fmt: skip


MOST_CHARS = 240  # of a passage: enough to know it again, and several fit into a card


class PlaceLink(ClickArea):
    """A sentence or passage with its document; a click opens it in the reader."""

    def __init__(self, place: ShownPlace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        number = f"[{place.number}] " if place.number else ""
        quote = cut_text(show_text(place.text, one_line=True).text, MOST_CHARS)
        page = tr("p. {page}", page=place.page) if place.page else ""
        source = " · ".join(part for part in (place.title, page) if part)
        self.quote = Label(f"{number}“{quote}”", "link", wrap=True)
        self.source = ElidedLabel(source, "small")
        build_column(self.quote, self.source, parent=self, spacing=0, margins=(0, 2, 0, 2))
        self.setAccessibleName(f"{number}{quote}. {source}")
        self.setToolTip(tr("Open in the reader"))


class AnswerCard(QFrame):
    """The answer of one column, with its places, measures and judgements."""

    place_clicked = Signal(int, int, int)

    def __init__(
        self,
        theme: Theme,
        answer: ColumnAnswer,
        titles: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        title = ElidedLabel(titles[answer.column], "strong")
        head = build_row((title, 1))
        self.links: list[PlaceLink] = []
        self.text = Label("", wrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        parts: list[QWidget] = [self.text]
        result = answer.result
        if result is None:
            self.text.set_role("muted")
            self.text.setText(tr("Not asked yet."))
        elif result.outcome.error:
            self.text.set_role("bad")
            self.text.setText(tr_message(result.outcome.error))
        elif result.outcome.has_model:
            self.text.setText(format_answer(result.outcome.text))
        else:
            self.text.set_role("muted")
            self.text.setText(
                tr("Passages that were found:") if answer.places else tr("Nothing near was found.")
            )
        if result is not None:
            badge = ("wrong", "bad") if answer.is_wrong else ("right", "ok")
            words = tr("wrong") if answer.is_wrong else tr("right")
            head.addWidget(Badge(theme, words, badge[1]))
        for place in answer.places:
            link = PlaceLink(place)
            link.clicked.connect(
                lambda place=place: self.place_clicked.emit(
                    place.document_id, place.start, place.end
                )
            )
            self.links.append(link)
            parts.append(link)
        if values := list_values(answer):
            shown = (f"{format_measure(one)} {format_value(value, one)}" for one, value in values)
            line = Label(" · ".join(shown), "small", wrap=True)
            explained = (f"{format_measure(one)}: {explain_measure(one)}" for one, _ in values)
            line.setToolTip(plain_tip("\n".join(explained)))
            parts.append(line)
        criteria = {key: tr_message(title) for key, title in CRITERION_TITLES.items()}
        for one in answer.judgements:
            if judged := describe_judgement(one, answer.column, titles, criteria):
                parts.append(Label(judged, "small", wrap=True))
        build_column(head, *parts, STRETCH, parent=self, spacing=6, margins=(12, 8, 12, 10))


def format_answer(text: str) -> str:
    """Return an answer as plain text, its quotations without the signs of Markdown."""
    return show_text(_QUOTED.sub("", text), is_piece=False).text.strip()


def list_values(answer: ColumnAnswer) -> list[tuple[Measure, float]]:
    """Return what was measured of an answer, the measures that a card shows."""
    if answer.result is None:
        return []
    values = {**answer.result.measures}
    for one in answer.judgements:
        if one.other < 0:
            values |= one.values
    titles = {measure.key: measure for measure in MEASURES}
    return [(titles[key], values[key]) for key in CARD_MEASURES if key in values]


class AnswersPanel(QWidget):
    """The page of a question; `place_clicked` carries document, start and end."""

    place_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._key: tuple[QuestionPage, tuple[EvaluationColumn, ...]] | None = None
        self.cards: list[AnswerCard] = []
        self.question = Label("", "strong", wrap=True)
        self.question.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.expected = Label("", wrap=True)
        self.expected.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._evidence = build_column(spacing=0)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        body = QWidget()
        body.setObjectName("screenBody")
        build_column(
            *(self.question, self.expected, self._evidence, self._grid, STRETCH),
            parent=body,
            margins=(12, 10, 12, 12),
        )
        self.area = scroll_area(body)
        build_column(self.area, parent=self, spacing=0)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.breadth(CARD_LEAST), 80)

    def clear(self) -> None:
        """Show no question."""
        self._key = None
        self.question.setText("")
        self.expected.setText("")
        clear_layout(self._evidence)
        clear_layout(self._grid)
        self.cards = []

    def show_page(self, page: QuestionPage, columns: tuple[EvaluationColumn, ...]) -> None:
        """Show a question."""
        if self._key == (page, columns):  # one of its links may have the keyboard focus
            return
        self.clear()
        self._key = page, columns
        text = page.question.text
        self.question.setText(tr("Question {n}: {text}", n=page.number + 1, text=text))
        self.expected.setText(tr("Expected: {answer}", answer=format_answers(page.question)))
        for place in page.evidence:
            link = PlaceLink(place)
            link.clicked.connect(
                lambda place=place: self.place_clicked.emit(
                    place.document_id, place.start, place.end
                )
            )
            self._evidence.addWidget(link)
        if page.evidence:
            self._evidence.insertWidget(0, SectionTitle(tr("Where it stands")))
        titles = format_columns(columns)
        for answer in page.answers:
            card = AnswerCard(self._theme, answer, titles)
            card.place_clicked.connect(self.place_clicked)
            self.cards.append(card)
        self._arrange()
        self.area.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put as many cards beside each other as have room."""
        room = self.area.viewport().width() - 24
        n = max(1, min(len(self.cards), room // self._theme.breadth(CARD_LEAST)))
        for number, card in enumerate(self.cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, number // n, number % n)
        for column in range(max(n, self._grid.columnCount())):
            self._grid.setColumnStretch(column, 1 if column < n else 0)
