"""A dialog for editing a report: title, summary and findings.

Owns the fields; the caller saves them.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_app.engine.model import Finding, Report

from ..language import tr
from ..widgets import Button, Label, PrimaryButton, SectionTitle
from ..widgets.sheet import Sheet, scrolling

WIDTH, HEIGHT = 620, 640


class FindingFields(QWidget):
    """The fields of one finding, which can be left out."""

    def __init__(self, finding: Finding, parent: QWidget) -> None:
        super().__init__(parent)
        self._finding = finding
        self.headline = QLineEdit(finding.headline, self)
        self.headline.setAccessibleName(tr("Headline"))
        self.headline.setPlaceholderText(tr("Headline"))
        self.text = QPlainTextEdit(finding.text, self)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(tr("Text of the point"))
        self.text.setTabChangesFocus(True)
        fix_height(self.text, 44)
        self.out_button = Button(tr("Leave out"), self, kind="quiet")
        self.out_button.setCheckable(True)
        self.out_button.toggled.connect(self._leave_out)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.headline, 1)
        head.addWidget(self.out_button)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.setContentsMargins(0, 0, 0, 8)
        column.addLayout(head)
        column.addWidget(self.text)

    def _leave_out(self, out: bool) -> None:
        self.out_button.setText(tr("Take back") if out else tr("Leave out"))
        self.headline.setEnabled(not out)
        self.text.setVisible(not out)

    def finding(self) -> Finding | None:
        """Return the edited finding, or None if it is left out or empty."""
        headline, text = self.headline.text().strip(), self.text.toPlainText().strip()
        if self.out_button.isChecked() or not (headline or text):
            return None
        return replace(self._finding, headline=headline, text=text)


def fix_height(field: QPlainTextEdit, height: int) -> None:
    """Set the height by a style sheet, since the application's style overrides a fixed height."""
    field.setStyleSheet(f"min-height: {height}px; max-height: {height}px")


class EditReportDialog(Sheet):
    """Emits `given` with title, summary and findings; `let_go` restores the original report."""

    given = Signal(str, str, object)
    reset_wanted = Signal()

    def __init__(self, report: Report, parent: QWidget | None = None) -> None:
        super().__init__(tr("Edit the report"), parent)
        self.name = QLineEdit(report.title)
        self.name.setAccessibleName(tr("Title"))
        self.summary = QPlainTextEdit(report.summary)
        self.summary.setProperty("kind", "field")
        self.summary.setAccessibleName(tr("Summary"))
        self.summary.setTabChangesFocus(True)
        fix_height(self.summary, 100)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setSpacing(4)
        column.addWidget(Label(tr("Title"), "small"))
        column.addWidget(self.name)
        column.addSpacing(8)
        column.addWidget(Label(tr("Summary"), "small"))
        column.addWidget(self.summary)
        column.addSpacing(8)
        self.fields = [FindingFields(finding, body) for finding in report.findings]
        if self.fields:
            column.addWidget(SectionTitle(tr("What it is about")))
        for fields in self.fields:
            column.addWidget(fields)
        add = Button(tr("Add a point"), kind="link")
        add.clicked.connect(self._add)
        self._points = QVBoxLayout()
        self._points.setSpacing(4)
        column.addLayout(self._points)
        row = QHBoxLayout()
        row.addWidget(add)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        self._body = body
        self.column.addWidget(scrolling(body), 1)
        cancel, self.save_button = Button(tr("Cancel")), PrimaryButton(tr("Save"))
        self.back_button = Button(tr("Use it as it was made"))
        self.back_button.setVisible(report.is_edited)
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._give)
        self.back_button.clicked.connect(self._reset)
        self.name.textChanged.connect(lambda text: self.save_button.setEnabled(bool(text.strip())))
        self.add_foot([cancel, self.save_button], [self.back_button], line=True)
        self.fit(WIDTH, HEIGHT)
        self.name.setFocus()

    def _add(self) -> None:
        fields = FindingFields(Finding("", ""), self._body)
        self.fields.append(fields)
        self._points.addWidget(fields)
        fields.headline.setFocus()

    def _give(self) -> None:
        findings = tuple(f for fields in self.fields if (f := fields.finding()) is not None)
        title, summary = self.name.text().strip(), self.summary.toPlainText().strip()
        self.given.emit(title, summary, findings)
        self.accept()

    def _reset(self) -> None:
        self.reset_wanted.emit()
        self.accept()
