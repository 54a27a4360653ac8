"""Dialogs in which nothing is entered: privacy, and the report on a problem."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop_app.engine import crash_log, paths
from desktop_app.engine.services.model_servers import WHAT_IS_SENT, ModelServer

from .translation import later, tr, tr_message
from .widgets import Button, FactGrid, Label, PrimaryButton, SectionTitle
from .widgets.sheet import Sheet

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


PRIVACY_WIDTH, REPORT_SIZE = 488, (720, 520)  # pixels


def build_privacy_sheet(
    parent: QWidget, library_path: str, server: ModelServer, act: Callable[[], None]
) -> Sheet:
    """Return the privacy dialog: what is sent, and which files the program touches.

    Args:
        act: opens the setting of the server, which is offered while it is on.
    """
    sheet = Sheet(tr("Privacy"), parent)
    facts = FactGrid()
    facts.set_facts(list_program_files(library_path))
    for widget in (
        Label(describe_privacy(server), wrap=True),
        SectionTitle(tr("What Inkgraph writes")),
        facts,
    ):
        sheet.add(widget)
    setting, close = Button(tr("Server settings…")), PrimaryButton(tr("Close"))
    setting.setVisible(server.is_on)
    setting.clicked.connect(sheet.accept)
    setting.clicked.connect(act)
    close.clicked.connect(sheet.accept)
    sheet.add_foot([close], [setting], line=True)
    sheet.fit_content(PRIVACY_WIDTH)
    return sheet


def build_report_sheet(parent: QWidget, report: str) -> Sheet:
    """Return a dialog that shows a report on a problem, with a button that copies it."""
    text = QPlainTextEdit(report)
    text.setReadOnly(True)
    text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    text.setProperty("kind", "field")
    text.setAccessibleName(tr("Report"))
    sheet = Sheet(tr("Report a problem"), parent)
    copy, folder = PrimaryButton(tr("Copy report")), Button(tr("Open log folder"))
    close = Button(tr("Close"))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    url = QUrl.fromLocalFile(str(crash_log.logs_dir()))
    folder.clicked.connect(lambda: QDesktopServices.openUrl(url))
    close.clicked.connect(sheet.accept)
    sheet.add(Label(tr(REPORT_HAS), "muted", wrap=True))
    sheet.add(text)
    sheet.column.setStretch(sheet.column.count() - 1, 1)
    sheet.add_foot([close, copy], [folder], line=True)
    sheet.fit(*REPORT_SIZE)
    copy.setFocus()
    return sheet
