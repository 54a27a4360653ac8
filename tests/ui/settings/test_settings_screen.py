"""The settings screen: built from the options, searched, validated, stored and reset."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.messages import Message
from desktop_app.engine.services.preferences import SECTIONS, Preferences, ServerSettings
from desktop_app.engine.settings import RESTART, options_of
from desktop_app.ui.settings.screen import ROUNDED, SettingsScreen
from desktop_app.ui.settings.sections import SectionView, build_sections
from desktop_app.ui.settings.window_options import WindowSettings, WindowStore, build_theme
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, TextDelegate
from desktop_app.ui.widgets.buttons import Switch
from desktop_app.ui.widgets.option_form import FormRow, OptionRow
from tests.ui.fakes import FakeContext


@pytest.fixture
def screen(context: FakeContext, qtbot, tmp_path: Path, monkeypatch) -> SettingsScreen:
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    return show(context, qtbot)


def show(context: FakeContext, qtbot) -> SettingsScreen:
    made = SettingsScreen(context)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


def row(screen: SettingsScreen, section: str, name: str) -> OptionRow:
    return screen.views[section].rows[name]


def shown(screen: SettingsScreen) -> list[str]:
    rows = [
        row
        for view in screen.views.values()
        for row in (*view.rows.values(), *view.links.values())
        if not view.isHidden()
    ]
    return [r.title.text() for r in rows if not r.isHidden()]


def write(qtbot, at: OptionRow, text: str) -> None:
    field = at.findChild(QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, text) if text else qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def kept() -> dict:
    return json.loads(paths.settings_file().read_text("utf-8"))


def test_every_option_of_the_engine_and_the_window_has_a_row(screen: SettingsScreen):
    for section, settings_class in [*SECTIONS.items(), ("window", WindowSettings)]:
        assert set(screen.views[section].rows) == {o.name for o in options_of(settings_class)}


def test_a_valid_number_is_stored(screen: SettingsScreen, qtbot):
    size = row(screen, "reading", "chunk_token_size")
    with qtbot.waitSignal(screen.changed) as emitted:
        write(qtbot, size, "600")
    assert emitted.args[0] == "reading" and emitted.args[1].chunk_token_size == 600
    assert kept()["reading"] == {"chunk_token_size": 600}
    assert not size.reset_button.isHidden() and size.problem.isHidden()


def test_a_number_is_stored_when_typing_pauses(screen: SettingsScreen, qtbot):
    size = row(screen, "reading", "chunk_token_size")
    with qtbot.waitSignal(screen.changed) as emitted:
        field = size.findChild(QLineEdit)
        field.selectAll()
        qtbot.keyClicks(field, "600")
    assert emitted.args[1].chunk_token_size == 600


def test_an_invalid_value_is_explained_and_not_stored(screen: SettingsScreen, qtbot):
    size = row(screen, "reading", "chunk_token_size")
    write(qtbot, size, "many")
    assert "digits only" in size.problem.text() and not size.problem.isHidden()
    write(qtbot, size, "20")
    assert size.problem.text() == "Choose a value from 50 to 4,000."
    assert Preferences().reading.chunk_token_size == 400
    screen.refresh()
    assert size.findChild(QLineEdit).text() == "400" and size.problem.isHidden()


def test_conflicting_values_are_reported(screen: SettingsScreen, qtbot):
    screen.expert.setChecked(True)
    write(qtbot, row(screen, "reading", "chunk_overlap_token_size"), "500")
    assert "overlap" in row(screen, "reading", "chunk_overlap_token_size").problem.text()
    assert Preferences().reading.chunk_overlap_token_size == 0


def test_an_empty_field_means_automatic(screen: SettingsScreen, qtbot):
    threads = row(screen, "models", "n_threads")
    write(qtbot, threads, "3")
    assert Preferences().models.n_threads == 3
    write(qtbot, threads, "")
    assert Preferences().models.n_threads == 0
    assert threads.findChild(QLineEdit).placeholderText() == "Automatic"


def test_expert_settings_are_shown_on_request_and_that_is_stored(
    screen: SettingsScreen, context, qtbot
):
    assert "Context of the chat model" not in shown(screen)
    screen.expert.setChecked(True)
    assert "Context of the chat model" in shown(screen)
    assert show(context, qtbot).expert.isChecked()


def test_the_search_finds_labels_help_texts_and_choices(screen: SettingsScreen, qtbot):
    screen.search.setText("trash")
    qtbot.waitUntil(lambda: shown(screen) == ["Keep trash for"])
    screen.search.setText("separator")  # for experts, and a choice of another setting
    qtbot.waitUntil(lambda: shown(screen) == ["How text is split", "Separator"])
    screen.search.setText("qqqq")
    qtbot.waitUntil(lambda: shown(screen) == [] and screen.nothing.isVisible())
    screen.search.clear()
    qtbot.waitUntil(lambda: "Language" in shown(screen))


def test_one_setting_is_reset_by_its_button(screen: SettingsScreen, qtbot):
    days = row(screen, "care", "trash_days")
    write(qtbot, days, "7")
    qtbot.mouseClick(days.reset_button, Qt.MouseButton.LeftButton)
    assert Preferences().trash.trash_days == 30
    assert days.findChild(QLineEdit).text() == "30" and days.reset_button.isHidden()


def test_all_settings_are_reset_together_and_restored(screen: SettingsScreen, context, qtbot):
    write(qtbot, row(screen, "care", "trash_days"), "7")
    write(qtbot, row(screen, "reading", "chunk_token_size"), "200")
    qtbot.mouseClick(screen.reset_button, Qt.MouseButton.LeftButton)
    assert Preferences().trash.trash_days == 7, "it asks first"
    assert context.messages.last.text == "Reset 2 changed settings to their defaults?"
    context.messages.last.action()
    assert Preferences().trash.trash_days == 30 and Preferences().reading.chunk_token_size == 400
    context.messages.last.action()
    assert Preferences().trash.trash_days == 7 and Preferences().reading.chunk_token_size == 200


def test_a_setting_that_needs_a_restart_says_so_after_its_help(screen: SettingsScreen):
    rows = [r for view in screen.views.values() for r in view.rows.values()]
    said = {r.option.name for r in rows if r.help.text().endswith("Takes effect after a restart.")}
    assert said == {r.option.name for r in rows if r.option.applies == RESTART} > {"language"}
    assert not screen.restart_button.isVisible()  # until one of them is changed
    screen.search.setText("restart")
    screen._filter()
    assert row(screen, "window", "language").isVisible()
    assert not row(screen, "window", "theme").isVisible()


def test_what_resets_everything_is_below_the_settings(screen: SettingsScreen, qtbot):
    views = screen.views
    qtbot.waitUntil(lambda: screen.reset_button.mapTo(screen.page, QPoint(0, 0)).y() > 500)
    foot = screen.reset_button.mapTo(screen.page, QPoint(0, 0)).y()
    assert all(view.geometry().bottom() < foot for view in views.values())


def test_nothing_is_asked_where_all_settings_have_their_defaults(screen, context, qtbot):
    for one in screen.views["window"].rows.values():
        one.reset()
    qtbot.mouseClick(screen.reset_button, Qt.MouseButton.LeftButton)
    assert context.messages.last.text == "All settings already have their default values."


def place_of(control: QWidget, row: QWidget) -> QRect:
    return QRect(control.mapTo(row, QPoint(0, 0)), control.size())


def test_texts_are_left_of_the_controls_which_have_one_width(screen: SettingsScreen):
    rights, lefts = set(), set()
    for view in screen.views.values():
        for one in view.rows.values():
            if one.option.kind in ("words", "paragraph") or not one.isVisible():
                continue
            editor = place_of(one.editor, one)
            assert one.title.geometry().right() < editor.left()
            assert one.help.isHidden() or one.help.geometry().right() < editor.left()
            rights.add((editor.left(), editor.right()))
        for link in view.links.values():
            button = place_of(link.button, link)
            assert link.help.isHidden() or link.help.geometry().right() < button.left()
            lefts.add(button.left())
    assert len(rights) == 1 and lefts == {left for left, _ in rights}


def test_in_a_narrow_window_the_controls_are_below_the_texts(screen: SettingsScreen, qtbot):
    days = row(screen, "care", "trash_days")
    link = screen.views["care"].links["open_library"]
    screen.resize(440, 600)
    for one, control in ((days, days.editor), (link, link.button)):
        qtbot.waitUntil(lambda one=one, c=control: c.mapTo(one, c.rect().topLeft()).y() > 40)
        assert one.help.geometry().bottom() < control.mapTo(one, control.rect().topLeft()).y()
    screen.resize(1000, 600)
    qtbot.waitUntil(lambda: days.editor.mapTo(days, days.editor.rect().topLeft()).y() < 10)


def test_appearance_settings_apply_at_once(screen: SettingsScreen, context, qtbot):
    for name, value in (("theme", "dark"), ("contrast", "on"), ("scale", 1.3)):
        row(screen, "window", name).enter(value)
    theme = context.theme
    assert theme.is_dark and theme.is_high and theme.scale == pytest.approx(1.3)
    again = build_theme()
    assert (again.mode, again.contrast, again.scale) == ("dark", "on", pytest.approx(1.3))
    for name in ("theme", "contrast", "scale"):
        row(screen, "window", name).reset()
    assert not theme.is_dark and theme.scale == 1.0


def test_a_changed_language_requires_a_restart(screen: SettingsScreen, qtbot):
    language = row(screen, "window", "language")
    language.enter("zh")
    assert screen.needs_restart and screen.restart_button.isVisible()
    with qtbot.waitSignal(screen.restart_wanted):
        qtbot.mouseClick(screen.restart_button, Qt.MouseButton.LeftButton)
    language.reset()
    assert not screen.needs_restart and not screen.restart_button.isVisible()


def test_the_mouse_wheel_changes_no_value(screen: SettingsScreen):
    box = row(screen, "window", "theme").findChild(QComboBox)
    assert box.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert box.currentData() == WindowStore().load().theme


def test_notifications_can_be_turned_off(screen: SettingsScreen):
    row(screen, "window", "notify").editor.box.click()
    ini = QSettings(str(paths.data_dir() / "window.ini"), QSettings.Format.IniFormat)
    assert ini.value("notify", True, type=bool) is False
    assert WindowStore().load().notify is False


def test_an_invalid_ini_file_gives_default_appearance(tmp_path: Path, monkeypatch, qapp):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    (tmp_path / "window.ini").write_text(
        "[General]\ntheme=purple\nscale=huge\nlanguage=zh\n", "utf-8"
    )
    assert WindowStore().load() == WindowSettings(language="zh")


def test_a_setting_is_shown_by_its_name(screen: SettingsScreen, qtbot):
    entries = screen.entries()
    assert ("models", "n_ctx", "Context of the chat model", "Models") in entries
    screen.show_setting("models", "n_ctx")
    assert "Context of the chat model" in shown(screen)


def test_links_to_other_screens_emit_signals(screen: SettingsScreen, qtbot):
    with qtbot.waitSignal(screen.action_wanted) as emitted:
        screen.views["care"].links["open_library"].button.click()
    assert emitted.args == ["open_library"]


def test_path_and_size_of_the_library_are_shown(screen: SettingsScreen, qtbot):
    help = screen.views["care"].links["maintenance"].help
    qtbot.waitUntil(lambda: "Novels and papers.inkgraph" in help.text())
    assert "MB" in help.text()


def n_created(screen: SettingsScreen) -> int:
    return len(screen.findChildren(SectionView))


def test_sections_are_created_one_in_each_turn_of_the_event_loop(
    context: FakeContext, qtbot, qapp, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    screen = show(context, qtbot)
    titles = [section.title for section in build_sections(context.library_models)]
    assert [screen.list.item(i).text() for i in range(screen.list.count())] == titles
    seen = [n_created(screen)]
    while seen[-1] < len(titles):
        qapp.processEvents()
        seen.append(n_created(screen))
    assert max(after - before for before, after in pairwise([0, *seen])) == 1


def test_sections_are_not_squeezed_while_others_are_created(
    context: FakeContext, qtbot, qapp, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    screen = show(context, qtbot)
    squeezed: list[str] = []

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                squeezed.extend(
                    view.section.key
                    for view in screen._views.values()
                    if view.height() < view.layout().totalHeightForWidth(view.width())
                )
            return False

    painted = Painted()
    screen.page.installEventFilter(painted)
    while n_created(screen) < screen.list.count():
        qapp.processEvents()
    facts = screen.views["privacy"].facts
    assert facts is not None
    qtbot.waitUntil(lambda: bool(facts.rows))  # they make the last section higher
    qapp.processEvents()
    assert squeezed == []


def test_a_page_that_is_too_low_squeezes_no_section(screen: SettingsScreen):
    views = screen.views.values()
    screen.page.layout().setGeometry(QRect(0, 0, 700, 300))
    for view in views:
        assert view.height() >= view.layout().totalHeightForWidth(view.width())


def test_the_switch_of_a_section_is_above_what_it_governs(screen: SettingsScreen, qtbot):
    for key in ("model_server", "server"):
        view = screen.views[key]
        qtbot.waitUntil(lambda view=view: view.switch.y() > 0)
        rows = [row for row in view.findChildren(FormRow) if row.isVisible()]
        tops = [row.mapTo(view, QPoint(0, 0)).y() for row in rows]
        assert tops and view.switch.y() < min(tops)


def test_a_switch_that_cannot_be_used_yet_explains_what_to_do(screen: SettingsScreen):
    view = screen.views["model_server"]
    assert not view.switch.isEnabled() and "choose a model below" in view.status.text()


def test_a_setting_is_found_before_its_section_was_created(
    context: FakeContext, qtbot, tmp_path: Path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    screen = show(context, qtbot)
    section, name = screen.entries()[-1][:2]
    screen.show_setting(section, name)
    assert n_created(screen) == screen.list.count()


def test_in_high_contrast_the_ground_of_the_section_has_round_corners(qtbot, qapp):
    theme = Theme("light", contrast="on")
    theme.apply(qapp)
    view = QListWidget()
    qtbot.addWidget(view)
    view.setStyleSheet(ROUNDED)
    view.setItemDelegate(TextDelegate(theme, view))
    view.addItems(["Models", "Backups"])
    view.resize(200, 100)
    view.show()
    view.setCurrentRow(0)
    image, row = view.viewport().grab().toImage(), view.visualItemRect(view.item(0))
    qapp.setStyleSheet("")
    accent = theme.color("accent").name()
    assert image.pixelColor(row.center().x(), row.top()).name() == accent
    assert image.pixelColor(row.left(), row.top()).name() != accent


def test_the_reset_button_says_to_what_it_resets(screen: SettingsScreen):
    tips = {
        (section, name): row(screen, section, name).reset_button.toolTip()
        for section, name in (("window", "theme"), ("care", "trash_days"), ("models", "folder"))
        if name in screen.views[section].rows
    }
    assert tips["window", "theme"] == "Reset to “Follow system”"
    assert tips["care", "trash_days"] == "Reset to “30 days”"


def test_advanced_settings_are_shown_by_a_switch(screen: SettingsScreen, qtbot):
    assert isinstance(screen.expert, Switch) and screen.expert.text() == "Show advanced"
    before = len(shown(screen))
    qtbot.mouseClick(screen.expert, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(shown(screen)) > before)


# --- other programs -----------------------------------------------------------------------------


def test_the_section_for_other_programs_shows_the_server(
    screen: SettingsScreen, context: FakeContext, qtbot, monkeypatch
):
    view, server = screen.views["server"], context.library_server
    started: list[ServerSettings] = []
    monkeypatch.setattr(server, "start", started.append)
    assert not view.switch.isChecked() and view.facts_shown.isHidden()
    view.switch.click()
    assert started == [ServerSettings()]
    assert not view.switch.isChecked()  # it is on when the server says so
    server.take_report({"address": "http://127.0.0.1:9621", "token": "a secret token"})
    assert view.switch.isChecked() and not view.facts_shown.isHidden()
    assert not view.rows["port"].editor.isEnabled()  # of the running server
    assert "can read this library" in view.status.text()
    for button, text in zip(
        view.facts_shown.findChildren(Button), ("http://127.0.0.1:9621", "a secret token"),
        strict=True,
    ):  # fmt: skip
        button.click()
        assert QGuiApplication.clipboard().text() == text
    request = {"at": 1e9, "client": "Notes", "method": "POST", "path": "/query", "seconds": 1.0}
    server.take_report({"request": {**request, "status": 200}})
    server.take_report({"request": {**request, "client": "curl", "status": 401}})
    assert [name.text() for name, _ in view.clients.rows] == ["Notes", "curl"]
    assert [value.text() for _, value in view.requests.rows] == [
        "POST /query · refused: wrong token · curl",
        "POST /query · answered · Notes",
    ]
    server.problem = Message("Port {port} is used.", port=9621)
    server.state = "off"
    server.changed.emit()
    assert view.problem.text() == "Port 9621 is used." and view.facts_shown.isHidden()
    assert view.rows["port"].editor.isEnabled()


def test_the_configuration_for_assistants_is_copied(screen: SettingsScreen):
    view = screen.views["server"]
    view.assistant.findChild(Button).click()
    entry = json.loads(QGuiApplication.clipboard().text())["mcpServers"]["inkgraph"]
    assert entry["args"][-3:-1] == ["mcp", "--library"]
    assert Path(entry["args"][-1]).is_absolute() and Path(entry["command"]).is_absolute()


def test_the_section_for_other_programs_is_found(screen: SettingsScreen, qtbot):
    view = screen.views["server"]
    for words, is_found in (("chat programs", True), ("mcp", True), ("port", True), ("zzz", False)):
        screen.search.setText(words)
        screen._filter()
        assert view.isVisible() == is_found, words


def test_sections_are_made_in_advance_one_by_one(
    context: FakeContext, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path))
    made: list[str] = []
    build, filtered = SettingsScreen._build_view, SectionView.filter

    def count_built(self, section):
        made.append(section.key)
        return build(self, section)

    n_filtered = 0

    def count_filtered(self, words, *, expert):
        nonlocal n_filtered
        n_filtered += 1
        return filtered(self, words, expert=expert)

    monkeypatch.setattr(SettingsScreen, "_build_view", count_built)
    monkeypatch.setattr(SectionView, "filter", count_filtered)
    screen = SettingsScreen(context)
    qtbot.addWidget(screen)
    for number, _ in enumerate(screen.prepare()):
        assert len(made) == (number + 1) // 2  # one is built, then it gets its place
        assert len(screen._views) == number // 2
    keys = [section.key for section in build_sections(context.library_models)]
    assert made == keys
    assert n_filtered <= len(keys) + 1  # the section of the server filters its form, too
    QApplication.processEvents()  # what was put off, while the screen is hidden
    assert screen.list.currentRow() == -1
    screen.show()
    qtbot.waitUntil(lambda: screen.list.currentRow() == 0)  # the section in view is marked
    assert "Language" in shown(screen)
    assert made == keys


def test_the_list_marks_the_section_that_fills_the_screen(screen: SettingsScreen, qtbot):
    view = screen.views["model_server"]
    qtbot.waitUntil(lambda: screen.scroll_area.verticalScrollBar().maximum() > view.y())
    bar = screen.scroll_area.verticalScrollBar()
    screen.list.setFocus()  # as after a click in it
    third = screen.scroll_area.viewport().height() // 3
    bar.setValue(view.y() - third + 1)  # a picture that scrolled by pages had "Models" here
    assert screen.list.currentItem().text() == view.section.title
    bar.setValue(view.y() - third - 1)
    assert screen.list.currentItem().text() == screen.views["models"].section.title


def test_a_chosen_section_is_marked_also_where_the_next_one_is_near(screen: SettingsScreen, qtbot):
    qtbot.waitUntil(lambda: screen.scroll_area.verticalScrollBar().maximum() > 1000)
    for place in range(screen.list.count()):
        screen.list.itemClicked.emit(screen.list.item(place))
        assert screen.list.currentRow() == place


def test_settings_that_are_on_or_off_are_switches(screen: SettingsScreen):
    boxes = [box for view in screen.views.values() for box in view.findChildren(QCheckBox)]
    assert len(boxes) > 3 and all(isinstance(box, Switch) for box in boxes)


def test_no_section_only_leads_elsewhere(screen: SettingsScreen):
    for view in screen.views.values():
        assert view.rows or view.facts is not None


def test_the_buttons_for_a_server_are_under_the_other_controls(screen: SettingsScreen, qtbot):
    view = screen.views["model_server"]
    qtbot.waitUntil(lambda: view.test_button.mapTo(view, QPoint(0, 0)).x() > 0)
    left = view.address.mapTo(view, QPoint(0, 0)).x()
    assert view.test_button.mapTo(view, QPoint(0, 0)).x() == left
