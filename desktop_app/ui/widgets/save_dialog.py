"""Asks for the place of a file to be written: the name gets its ending, replacing is asked about.

The one function for it, so that this holds in all saving dialogs, those of the system and Qt's.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from ..translation import tr
from .buttons import Button, PrimaryButton
from .labels import Label
from .sheet import Sheet

WIDTH = 440
# A dot is in many names that have no ending: "Mr. Darcy", "Report 1.2", "Dr.Watson".
_ENDING = re.compile(r"\.(?=[0-9]*[A-Za-z])[0-9A-Za-z]{1,4}$")  # not shown


def ask_where_to_save(parent: QWidget, title: str, start: str, filters: str) -> Path | None:
    """Return the chosen file, None if the user cancelled.

    Args:
        start: the proposed name, perhaps with its folder.
        filters: as Qt has them: "Markdown (*.md);;Word (*.docx)".
    """
    options = QFileDialog.Option(0)
    if sys.platform != "darwin":  # where the system asks anyway, about the name with its ending
        options = QFileDialog.Option.DontConfirmOverwrite
    while True:
        name, kind = QFileDialog.getSaveFileName(parent, title, start, filters, options=options)
        if not name:
            return None
        path = complete_name(Path(name), filters, kind)
        is_asked = sys.platform == "darwin" and path == Path(name)
        if is_asked or not path.exists() or ask_to_replace(parent, path):
            return path
        start = str(path)


def complete_name(path: Path, filters: str, kind: str = "") -> Path:
    """Return a path with an ending: its own, or the first one of the chosen filter.

    Args:
        kind: the chosen filter, "" for the first one.
    """
    endings = _list_endings(filters)
    if not endings or path.name.lower().endswith(tuple(endings)) or _ENDING.search(path.name):
        return path
    ending = next(iter(_list_endings(kind)), endings[0])
    return path.with_name(path.name.rstrip(". ") + ending)


def _list_endings(filters: str) -> list[str]:
    """Return the endings that filters name, in lower case: ".md", ".tar.gz"."""
    return [ending.lower() for ending in re.findall(r"\*(\.[\w.]+)", filters)]


def ask_to_replace(parent: QWidget, path: Path) -> bool:
    """Ask whether a file that exists may be replaced."""
    sheet = Sheet(tr("Replace “{name}”?", name=path.name), parent)
    text = tr("A file with this name is in “{folder}” already.", folder=path.parent.name)
    sheet.add(Label(text, wrap=True))
    other, replace = PrimaryButton(tr("Another name…")), Button(tr("Replace"))
    other.clicked.connect(sheet.reject)
    replace.clicked.connect(sheet.accept)
    sheet.add_foot([replace, other])
    sheet.fit_content(WIDTH)
    return bool(sheet.exec())
