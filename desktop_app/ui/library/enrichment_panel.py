"""The part of the facts that is about enrichment: how far, what it cost, what went wrong.

Shows one document, or several added up; says what was pressed and changes nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui.language import tr, tr_said, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import (
    Button,
    FactGrid,
    Flow,
    Label,
    ProgressLine,
    SectionTitle,
    clear_layout,
)

from .enrichment_words import INSTANT, enrichment_facts, share

SHOWN_FAILURES = 5


class EnrichmentPanel(QWidget):
    """Signals carry nothing: what is selected is known to the list."""

    enrich_clicked = Signal()
    now_clicked = Signal()
    stop_clicked = Signal()
    retry_clicked = Signal()
    passage_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = ProgressLine()
        self.facts = FactGrid()
        self.instant = Label(tr(INSTANT), "muted", wrap=True)
        self.enrich_button = Button(tr("Enrich…"), theme=theme, icon="sparkle")
        self.now_button = Button(tr("Enrich now"), tooltip=tr("Before everything that waits"))
        self.stop_button = Button(tr("Stop"), tooltip=tr("What is enriched stays"))
        self.failures_title = SectionTitle(tr("Failed passages"))
        self.failures = QVBoxLayout()
        self.failures.setSpacing(0)
        self.retry_button = Button(
            tr("Retry failed passages"), theme=theme, icon="retry", elide=True
        )
        buttons = Flow(gap=8)
        for button in (self.enrich_button, self.now_button, self.stop_button):
            buttons.add(button)
        again = Flow()
        again.add(self.retry_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(SectionTitle(tr("Enrichment")))
        column.addWidget(self.line)
        column.addWidget(self.instant)
        column.addWidget(self.facts)
        column.addWidget(buttons)
        column.addWidget(self.failures_title)
        column.addLayout(self.failures)
        column.addSpacing(4)
        column.addWidget(again)
        for button, said in (
            (self.enrich_button, self.enrich_clicked),
            (self.now_button, self.now_clicked),
            (self.stop_button, self.stop_clicked),
            (self.retry_button, self.retry_clicked),
        ):
            button.clicked.connect(said)
        self.show_found(None)

    def show_found(self, found: Any | None, failures: Sequence[Any] = ()) -> None:
        """Show how far enrichment is; None: it can't be spoken of, such as while reading."""
        self.setVisible(found is not None and found.n_chunks > 0)
        if found is None:
            self._show_failures(())
            return
        begun = bool(found.n_enriched or found.n_waiting or found.n_failed)
        part = share(found)
        self.line.setVisible(part is not None)
        if part is not None:
            self.line.set_share(part)
        self.instant.setVisible(not begun)
        self.facts.set_facts(enrichment_facts(found) if begun else [])
        self.facts.setVisible(begun)
        self.enrich_button.setVisible(found.n_waiting == 0)
        self.now_button.setVisible(found.n_waiting > 0)
        self.stop_button.setVisible(found.n_waiting > 0)
        self.retry_button.setVisible(found.n_failed > 0)
        self._show_failures(failures if found.n_failed else ())

    def _show_failures(self, failures: Sequence[Any]) -> None:
        """List places under the reason that they share, the first few of them."""
        clear_layout(self.failures)
        self.failures_title.setVisible(bool(failures))
        reason = None
        for failure in failures[:SHOWN_FAILURES]:
            if failure.reason != reason:
                reason = failure.reason
                self.failures.addWidget(Label(tr_said(reason), "muted", wrap=True))
            self.failures.addWidget(self._build_place(failure), 0, Qt.AlignmentFlag.AlignLeft)
        if (more := len(failures) - SHOWN_FAILURES) > 0:
            self.failures.addWidget(Label(trn("and {n} more", "and {n} more", more), "small"))

    def _build_place(self, failure: Any) -> Button:
        """Return a link to a passage that failed."""
        passage = tr("Passage {n}", n=failure.chunk_order + 1)
        heading = failure.heading.rsplit(" › ", 1)[-1]
        place = f"{passage} · {heading}" if heading else passage
        words, heading = place.replace("&", "&&"), failure.heading or passage
        link = Button(words, kind="link", tooltip=heading, elide=True)
        link.setAccessibleName(tr("Open {name}", name=place))
        link.clicked.connect(
            lambda: self.passage_clicked.emit(failure.document_id, failure.start, failure.end)
        )
        return link
