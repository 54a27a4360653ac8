"""Dialogs in which nothing is entered: privacy, and the report on a problem."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop_app.engine import crash_log, paths
from desktop_app.engine.services.model_servers import WHAT_IS_SENT, ModelServer

from .translation import later, tr, tr_message
from .widgets import FactGrid, Label, PrimaryButton, SectionTitle
from .widgets.layout import STRETCH, build_column, build_row

STAYS_HERE = later(
    "Your documents, questions and answers stay on this computer. Indexing, searching and "
    "answering use no network. Only the Models screen fetches something: a model that you install, "
    "or one from a link that you paste. Other links open in your browser, after you agree. A "
    "server with models is used only for libraries for which you turn it on in the settings."
)

REPORT_HAS = later(
    "The report contains only versions, this computer and the log; none of your texts, names, "
    "questions or file names. Nothing is sent: copy it and send it yourself."
)


def describe_privacy(server: ModelServer) -> str:
    """Return what leaves this computer, with the model server of the library."""
    if not server.is_on:
        return tr(STAYS_HERE)
    parts = [
        tr("This library uses models on {site}, as you set it.", site=server.address.site),
        *(tr("Sent there: {what}", what=tr_message(WHAT_IS_SENT[role])) for role in server.roles),
        tr("Nothing else leaves this computer, and answers come from no other address."),
    ]
    return "\n\n".join(parts)


def list_program_files(library_path: str) -> list[tuple[str, str]]:
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


def build_privacy_sheet(
    parent: QWidget, library_path: str, server: ModelServer, act: Callable[[], None]
) -> QDialog:
    """Return the privacy dialog: what is sent, and which files the program touches.

    Args:
        act: opens the setting of the server, which is offered while it is on.
    """
    body = QWidget()
    text = Label(describe_privacy(server), wrap=True)
    text.setFixedWidth(440)
    facts = FactGrid()
    facts.setFixedWidth(440)
    facts.set_facts(list_program_files(library_path))
    setting = QPushButton(tr("Server settings…"))
    setting.setVisible(False)
    build_column(
        *(text, build_row(setting, STRETCH, spacing=-1)),
        *(SectionTitle(tr("What Inkgraph writes")), facts),
        parent=body,
        spacing=12,
    )
    sheet = _build_sheet(parent, tr("Privacy"), body)
    setting.setVisible(server.is_on)
    setting.clicked.connect(sheet.accept)
    setting.clicked.connect(act)
    if (layout := sheet.layout()) is not None:  # grows when a long path is broken into lines
        layout.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
    return sheet


def build_report_sheet(parent: QWidget, report: str) -> QDialog:
    """Return a dialog that shows a report on a problem, with a button that copies it."""
    text = QPlainTextEdit(report)
    text.setReadOnly(True)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setMinimumSize(640, 360)
    text.setAccessibleName(tr("Report"))
    copy = QPushButton(tr("Copy report"))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    folder = QPushButton(tr("Open log folder"))
    url = QUrl.fromLocalFile(str(crash_log.logs_dir()))
    folder.clicked.connect(lambda: QDesktopServices.openUrl(url))
    has = Label(tr(REPORT_HAS), wrap=True)
    has.setFixedWidth(640)
    body = QWidget()
    build_column(
        has,
        (text, 1),
        build_row(STRETCH, folder, copy, spacing=-1),
        parent=body,
        spacing=12,
    )
    return _build_sheet(parent, tr("Report a problem"), body)
