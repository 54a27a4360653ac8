"""The first start: three steps, missing models, opening a library."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from desktop_app.engine.errors import UserError
from desktop_app.engine.services.demo import demo_files
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.welcome.window import (
    SAMPLE,
    WelcomeChoice,
    WelcomeWindow,
    find_missing,
    place_in,
)


def model(name: str, role: str, *, installed: bool = False, known: bool = True):
    return SimpleNamespace(
        name=name, role=role, title=name.title(), size_bytes=400_000_000, installed=installed,
        damaged=False, active=installed, in_catalogue=known, for_tests=False,
        memory_bytes=1_900_000_000, languages=("en", "zh", "de", "fr"),
    )  # fmt: skip


NONE = [model("chatty", "chat"), model("chatty-large", "chat"), model("near", "embedding")]


@pytest.fixture
def welcome(qtbot, tmp_path: Path, monkeypatch) -> WelcomeWindow:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made = WelcomeWindow(Theme("light"), NONE, "en")
    qtbot.addWidget(made)
    made.show()
    yield made
    made.finish()


def press_next(welcome: WelcomeWindow, qtbot, times: int) -> None:
    for _ in range(times):
        qtbot.mouseClick(welcome.next_button, Qt.MouseButton.LeftButton)


def test_the_three_steps_end_with_opening_a_library(welcome: WelcomeWindow, qtbot, tmp_path: Path):
    welcome.library.name.setText("研究")
    welcome.library.set_folder(str(tmp_path / "disk"))
    press_next(welcome, qtbot, 2)
    assert welcome.next_button.text() == "Create library"
    with qtbot.waitSignal(welcome.chosen) as chosen:
        press_next(welcome, qtbot, 1)
    choice: WelcomeChoice = chosen.args[0]
    assert choice.library == tmp_path / "disk" / "研究.inkgraph"
    assert choice.sample and choice.files == []


def test_dropped_files_are_added_to_the_new_library(welcome: WelcomeWindow, qtbot):
    welcome.show_step(2)
    welcome.reading.area.dropped.emit(["/books/a.txt", "/books/b.pdf"])
    welcome.reading.area.dropped.emit(["/books/a.txt"])
    assert welcome.reading.own.isChecked()
    assert "2 files and folders" in welcome.reading.area.text.text()
    with qtbot.waitSignal(welcome.chosen) as chosen:
        press_next(welcome, qtbot, 1)
    assert chosen.args[0].files == ["/books/a.txt", "/books/b.pdf"]
    assert not chosen.args[0].sample


def test_skipping_and_closing_open_an_empty_library(welcome: WelcomeWindow, qtbot):
    welcome.library.name.setText("Something else")
    for leave in (welcome.skip_button.click, welcome.close):
        with qtbot.waitSignal(welcome.chosen) as chosen:
            leave()
        assert chosen.args[0] == WelcomeChoice()


def test_each_step_can_be_skipped(welcome: WelcomeWindow):
    hidden = []
    for step in range(3):
        welcome.show_step(step)
        hidden.append(welcome.skip_button.isHidden())
    assert hidden == [False, False, False]


def test_missing_models_are_downloaded_only_if_wanted(welcome: WelcomeWindow, qtbot):
    welcome.show_step(1)
    assert welcome.models.download.text() == "Download these models now (800 MB)"
    assert not welcome.models.download.isChecked()
    welcome.models.download.setChecked(True)
    assert welcome.choice.models == ("chatty", "near")
    welcome.models.download.setChecked(False)
    assert welcome.choice.models == ()


def test_a_user_model_is_sufficient():
    own = [*NONE, model("mine", "chat", installed=True, known=False)]
    assert [m.name for m in find_missing(own)] == ["near"]
    assert (
        find_missing([model("a", "chat", installed=True), model("b", "embedding")])[0].name == "b"
    )


def test_a_model_for_tests_is_not_offered():
    tiny = model("tiny", "chat")
    tiny.for_tests = True
    assert [m.name for m in find_missing([tiny, *NONE])] == ["chatty", "near"]


def test_with_all_models_there_is_nothing_to_download(qtbot):
    there = [model("chatty", "chat", installed=True), model("near", "embedding", installed=True)]
    made = WelcomeWindow(Theme("light"), there, "en")
    qtbot.addWidget(made)
    assert made.models.missing == [] and not hasattr(made.models, "download")
    facts = "Chatty · 400 MB · needs 1.9 GB of memory"  # on one line
    [shown] = [label for label in made.models.findChildren(QLabel) if label.text() == facts]
    assert shown.toolTip().startswith("English, Chinese, ")
    made.finish()


def test_what_a_lost_passphrase_means_is_said_before_one_is_chosen(welcome):
    choice = welcome.library.encryption
    assert not choice.hint.isHidden() and choice.details.isHidden()
    choice.box.setChecked(True)
    assert choice.hint.isHidden() and not choice.details.isHidden()  # which says it at length


def test_a_long_path_keeps_its_folder_and_is_whole_in_the_tooltip(welcome):
    welcome.show()
    folder = "/home/ada/" + "a-very-long-name-of-a-folder/" * 4 + "Novels"
    welcome.library.set_folder(folder)
    path = welcome.library.path
    assert path.text().startswith("/home/") and "…" in path.text()
    assert path.text().endswith(".inkgraph")
    assert folder in path.toolTip().replace("\n", "")  # which is wrapped


def test_choices_are_kept_when_the_language_changes(qtbot, tmp_path: Path):
    chosen = WelcomeChoice(files=["/books/a.txt"], models=("chatty", "near"))
    made = WelcomeWindow(Theme("light"), NONE, "en", chosen)
    qtbot.addWidget(made)
    assert made.models.download.isChecked() and made.reading.own.isChecked()
    assert made.choice.files == ["/books/a.txt"] and not made.choice.sample
    made.finish()


def test_an_invalid_path_is_reported_and_asked_again(welcome: WelcomeWindow):
    welcome.show_step(2)
    welcome.show_problem(UserError("The folder can't be made.", "Choose another place."))
    assert welcome.pages.currentIndex() == 0
    assert "Choose another place" in welcome.problem.text() and welcome.problem.isVisible()


def test_choosing_a_language_emits_it(welcome: WelcomeWindow, qtbot):
    with qtbot.waitSignal(welcome.language_wanted) as wanted:
        welcome.language.setCurrentIndex(1)
        welcome.language.activated.emit(1)
    assert wanted.args == ["zh"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Novels", "Novels.inkgraph"),
        (" a.inkgraph ", "a.inkgraph"),
        ("", "My library.inkgraph"),
        ("a/b: 书", "a b 书.inkgraph"),
        ("书" * 300, "书" * 66 + ".inkgraph"),  # 200 bytes
    ],
)
def test_the_file_is_named_after_the_typed_name(tmp_path: Path, name: str, file: str):
    assert place_in(tmp_path, name) == tmp_path / file


def test_a_click_anywhere_on_an_option_chooses_it_and_only_its_own_area_is_shown(
    welcome: WelcomeWindow, qtbot
):
    welcome.show_step(2)
    reading = welcome.reading
    assert reading.sample.isChecked() and not reading.area.isVisible()
    card = reading.own.parentWidget()
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(card.width() - 4, 4))
    assert reading.own.isChecked() and reading.area.isVisible()
    assert not reading.sample.isChecked()


def test_a_path_in_the_home_folder_begins_with_a_tilde(welcome, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    welcome.library.set_folder("/home/ada/Books")
    assert welcome.library.path.full_text() == "~/Books/My library.inkgraph"
    welcome.library.set_folder("/media/disk")
    assert welcome.library.path.full_text() == "/media/disk/My library.inkgraph"


def test_the_last_button_says_what_it_does(welcome, qtbot, tmp_path: Path):
    welcome.library.set_folder(str(tmp_path))
    (tmp_path / "My library.inkgraph").touch()
    welcome.show_step(2)
    assert welcome.next_button.text() == "Open library"


def test_the_sample_is_named_as_its_files_are():
    assert all(path.stem in SAMPLE for path in demo_files())
