"""Saving dialogs: the ending of the chosen filter, and the question before a file is replaced."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPushButton, QWidget

from desktop_app.ui.widgets import save_dialog
from desktop_app.ui.widgets.save_dialog import ask_where_to_save, complete_name
from desktop_app.ui.widgets.sheet import Sheet

FILES = "Markdown (*.md);;Web page (*.html);;Archive (*.tar.gz)"
UI = Path(save_dialog.__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("typed", "kind", "saved"),
    [
        ("notes", "", "notes.md"),
        ("notes", "Web page (*.html)", "notes.html"),
        ("notes", "Archive (*.tar.gz)", "notes.tar.gz"),
        ("notes.", "", "notes.md"),
        ("notes.html", "Markdown (*.md)", "notes.html"),  # the ending that was typed counts
        ("notes.MD", "", "notes.MD"),
        ("notes.txt", "", "notes.txt"),
        ("Mr. Darcy", "", "Mr. Darcy.md"),
        ("Report 1.2", "", "Report 1.2.md"),
        ("Dr.Watson", "", "Dr.Watson.md"),
        ("第1.5章", "", "第1.5章.md"),
    ],
)
def test_a_name_without_an_ending_gets_that_of_the_filter(typed, kind, saved, tmp_path):
    assert complete_name(tmp_path / typed, FILES, kind) == tmp_path / saved


@pytest.fixture
def parent(qtbot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def choose(monkeypatch, *answers: str) -> list[str]:
    """Answer the next file dialogs; return the names that they propose."""
    left, proposed = list(answers), []

    def ask(_parent, _title, start, _filters, options):
        assert options == QFileDialog.Option.DontConfirmOverwrite
        proposed.append(start)
        return left.pop(0), "Markdown (*.md)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return proposed


def press(words: str) -> None:
    """Press a button of the next sheet."""

    def act() -> None:
        sheet = QApplication.activeModalWidget()
        if not isinstance(sheet, Sheet):
            QTimer.singleShot(10, act)
            return
        [button] = [one for one in sheet.findChildren(QPushButton) if one.text() == words]
        button.click()

    QTimer.singleShot(0, act)


def test_an_existing_file_is_asked_about_under_its_final_name(parent, tmp_path, monkeypatch):
    (tmp_path / "notes.md").write_text("kept", "utf-8")
    typed = str(tmp_path / "notes")
    choose(monkeypatch, typed)
    press("Replace")
    assert ask_where_to_save(parent, "Save", "notes.md", FILES) == tmp_path / "notes.md"
    proposed = choose(monkeypatch, typed, str(tmp_path / "other"))
    press("Another name…")
    assert ask_where_to_save(parent, "Save", "notes.md", FILES) == tmp_path / "other.md"
    assert proposed == ["notes.md", str(tmp_path / "notes.md")]
    choose(monkeypatch, "")
    assert ask_where_to_save(parent, "Save", "notes.md", FILES) is None


def test_qts_own_dialog_asks_once(parent, tmp_path, monkeypatch):
    (tmp_path / "notes.md").write_text("kept", "utf-8")
    asked: list[Path] = []
    monkeypatch.setattr(save_dialog, "ask_to_replace", lambda _, path: not asked.append(path))

    def fill() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QFileDialog):
            QTimer.singleShot(10, fill)
            return
        dialog.selectNameFilter("Markdown (*.md)")
        dialog.findChild(QLineEdit).setText("notes")
        dialog.accept()

    QTimer.singleShot(0, fill)
    start = str(tmp_path / "first.md")
    assert ask_where_to_save(parent, "Save", start, FILES) == tmp_path / "notes.md"
    assert asked == [tmp_path / "notes.md"]


def test_every_saving_dialog_of_the_window_is_asked_by_the_one_function():
    users = [p for p in UI.rglob("*.py") if "getSaveFileName" in p.read_text("utf-8")]
    assert users == [Path(save_dialog.__file__).resolve()]
    calls = [
        p.name
        for p in UI.rglob("*.py")
        if re.search(r"ask_where_to_save\(\w", p.read_text("utf-8"))
    ]
    assert len(calls) >= 10
