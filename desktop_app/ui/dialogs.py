"""Dialogs for reading: what the program may access, and the log of a crash."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop_app.engine import paths

from .language import later, tr
from .widgets import FactGrid, Label, PrimaryButton, SectionTitle
from .widgets.layout import STRETCH, build_column, build_row

STAYS_HERE = later(
    "Your documents, questions and answers stay on this computer. Reading, searching and "
    "answering use no network. Only “Install” on the Models screen fetches something, when "
    "you press it. A link in an answer opens in your browser, after you agree."
)


def list_places(library_path: str) -> list[tuple[str, str]]:
    """Return (name, path) of everything the program writes."""
    return [
        (tr("This library"), library_path),
        (tr("Models"), str(paths.models_dir())),
        (tr("Settings"), str(paths.data_dir())),
    ]


def _build_sheet(parent: QWidget, title: str, body: QWidget) -> QDialog:
    sheet = QDialog(parent)
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    sheet.setWindowTitle(title)
    close = PrimaryButton(tr("Close"))
    close.clicked.connect(sheet.accept)
    foot = build_row(STRETCH, close, spacing=-1)
    build_column(
        Label(title, "title"), (body, 1), foot, parent=sheet, spacing=16, margins=(24, 24, 24, 24)
    )
    return sheet


def build_privacy_sheet(parent: QWidget, library_path: str) -> QDialog:
    """Return the privacy dialog: which files the program touches."""
    body = QWidget()
    text = Label(tr(STAYS_HERE), wrap=True)
    text.setFixedWidth(440)
    facts = FactGrid()
    facts.setFixedWidth(440)
    facts.set_facts(list_places(library_path))
    build_column(text, SectionTitle(tr("What Inkgraph writes")), facts, parent=body, spacing=12)
    return _build_sheet(parent, tr("What Inkgraph may touch"), body)


def build_log_sheet(parent: QWidget, file: Path) -> QDialog:
    """Return a dialog with the text of a log file and a button for its folder."""
    try:
        content = file.read_text("utf-8", errors="replace")
    except OSError as error:
        content = str(error)
    text = QPlainTextEdit(content)
    text.setReadOnly(True)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setMinimumSize(560, 320)
    text.setAccessibleName(tr("Log"))
    copy = QPushButton(tr("Copy"))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(content))
    folder = QPushButton(tr("Open folder"))
    url = QUrl.fromLocalFile(str(file.parent))
    folder.clicked.connect(lambda: QDesktopServices.openUrl(url))
    row = build_row((Label(str(file), "small", wrap=True), 1), copy, folder, spacing=-1)
    body = QWidget()
    build_column((text, 1), row, parent=body, spacing=12)
    return _build_sheet(parent, tr("What happened last time"), body)
