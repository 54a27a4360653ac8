"""The message at the end of an import, and the sheet with what else there is to say."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from ..context import SessionContext
from ..translation import tr
from ..widgets import Label, PrimaryButton
from ..widgets.sheet import Sheet


def show_import_result(
    context: SessionContext, window: QWidget, text: str, besides: Sequence[str]
) -> None:
    """Show a sentence about an import; "Details" opens a sheet with the lines `besides`."""

    def open_details() -> None:
        sheet = Sheet(tr("Import details"), window)
        sheet.add(Label(text, wrap=True))
        for line in besides:
            sheet.add(Label(line, "muted", wrap=True))
        close = PrimaryButton(tr("Close"))
        close.clicked.connect(sheet.accept)
        sheet.add_foot([close])
        sheet.fit_content(480)
        sheet.open()

    context.messages.show(
        text,
        kind="ok",
        action_text=tr("Details") if besides else "",
        action=open_details if besides else None,
    )
