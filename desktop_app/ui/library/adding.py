"""Asking the person for files or a folder to add. Owns which kinds are offered."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_app.ui.language import tr

PATTERNS = "*.pdf *.epub *.docx *.txt *.md *.html *.htm *.jsonl *.csv"


def ask_for_files(parent: QWidget) -> list[str]:
    """Return the files a person chose; empty if none."""
    files, _ = QFileDialog.getOpenFileNames(
        parent,
        tr("Add files"),
        "",
        f"{tr('Books, papers and notes')} ({PATTERNS});;{tr('All files')} (*)",
    )
    return files


def ask_for_folder(parent: QWidget) -> list[str]:
    """Return the folder a person chose, as a list of one; empty if none."""
    folder = QFileDialog.getExistingDirectory(parent, tr("Add a folder"))
    return [folder] if folder else []
