"""The graph in small windows and with large text."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics

from desktop_app.engine.graph.view.graph_data import REST
from desktop_app.ui.explorer.legends import MARK, find_words_left
from desktop_app.ui.explorer.node_colors import LegendLine


def test_at_a_larger_scale_no_text_of_the_panels_is_clipped(open_screen, theme, cast) -> None:
    screen = open_screen(cast)
    for scale in (1.0, 1.3, 1.5):
        theme.set_scale(scale)
        metrics = QFontMetrics(theme.font("small"))
        for toggle in screen.surface.legend.toggles.values():
            room = toggle.sizeHint().width() - theme.length(MARK) - 16 - 16
            assert metrics.horizontalAdvance(toggle.words + " 00") <= room
            assert toggle.sizeHint().height() >= metrics.height()
        for button in screen.surface.bar.buttons.values():
            assert button.sizeHint().width() >= button.fontMetrics().horizontalAdvance(
                button.text()
            )
        assert screen.surface.inspector.width() == theme.breadth(300)


def test_the_words_of_the_legend_stand_in_one_column_clear_of_their_marks(
    open_screen, theme, cast, qtbot
) -> None:
    screen = open_screen(cast)
    legend = screen.surface.legend
    screen.surface.set_color("group")
    for scale in (1.5, 1.0):
        theme.set_scale(scale)
        legend.adjustSize()
        words_left = find_words_left(theme)
        left = legend.title.mapTo(legend, QPoint(0, 0)).x() - legend.foot.x()
        assert left == words_left
        assert legend.foot._place_columns(*legend.foot.list_samples())[1] >= words_left
    shown = [toggle for toggle in legend.toggles.values() if toggle.isVisible()]
    assert shown and all(toggle.height() >= 28 for toggle in shown)
    for toggle in shown:
        image = toggle.grab().toImage()
        ratio, ground = image.devicePixelRatio(), image.pixelColor(0, 0)
        middle = range(image.height() // 4, 3 * image.height() // 4)
        inked = [
            any(image.pixelColor(x, y) != ground for y in middle)
            for x in range(round(words_left * ratio))
        ]
        end = max(x for x, is_inked in enumerate(inked) if is_inked) / ratio
        assert words_left - end >= 8, "the mark is clear of the words"


def test_a_press_on_the_title_of_the_legend_folds_it(open_screen, cast, qtbot) -> None:
    legend = open_screen(cast).surface.legend
    assert legend.is_open
    qtbot.mouseClick(legend.title, Qt.MouseButton.LeftButton)
    assert not legend.is_open and legend.fold_button.isVisible()
    qtbot.mouseClick(legend.head, Qt.MouseButton.LeftButton)
    assert legend.is_open


def test_menus_have_section_headings(open_screen, cast) -> None:
    menu = open_screen(cast).toolbar.appearance.menu()
    shown = [a for a in menu.actions() if a.isVisible() and not a.isSeparator()]
    heads = [a.text() for a in shown if not a.isEnabled()]
    assert heads == ["Layout", "Colour by", "Size by"]


def test_a_narrow_window_hides_the_inspector_first(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    assert screen.surface.inspector.isVisible()
    screen.resize(520, 600)
    qtbot.waitUntil(screen.surface.inspector.isHidden)
    qtbot.waitUntil(lambda: screen.canvas.width() > 400)
    screen.toggle_inspector()  # on request it is shown all the same
    assert screen.surface.inspector.isVisible()
    screen.toggle_inspector()
    screen.resize(1100, 700)
    assert screen.surface.inspector.isHidden()  # closed by the user
    screen.toggle_inspector()
    assert screen.surface.inspector.isVisible()


def test_the_action_bar_hides_actions_without_room(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    bar = screen.surface.bar
    screen.canvas.select_row(0)
    assert all(not bar.buttons[action].isHidden() for action in ("expand", "hide", "keep", "pin"))
    bar.fit_into(260)
    assert bar.width() <= 260
    assert not bar.buttons["expand"].isHidden() and bar.buttons["pin"].isHidden()
    # the others are in a menu
    assert not bar.more_button.isHidden()
    bar.more_button.menu().aboutToShow.emit()
    entries = {entry.text(): entry for entry in bar.more_button.menu().actions()}
    assert {"Show only these", "Pin"} <= set(entries)
    with qtbot.waitSignal(bar.action_wanted) as wanted:
        entries["Pin"].trigger()
    assert wanted.args == ["pin"]
    bar.fit_into(2_000)
    assert bar.more_button.isHidden()
    assert not bar.buttons["pin"].isHidden()


def test_a_narrow_toolbar_shows_icons_without_text(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    bar = screen.toolbar
    assert bar.start.text() == "Views" and bar.start.icon().isNull()
    assert bar.filter.text() == "Filter"
    screen.resize(420, 600)
    qtbot.waitUntil(lambda: bar.start.text() == "")  # after the layout of the new size
    assert not bar.start.icon().isNull()
    bar.set_filtered(1)
    assert bar.filter.text() == "" and bar.filter.accessibleName() == "Filter (1)"
    bar.set_filtered(0)
    assert bar.start.accessibleName() == "Views" and bar.start.toolTip()
    screen.resize(1100, 700)
    qtbot.waitUntil(lambda: bar.appearance.text() == "Appearance")


def test_no_button_of_the_selection_bar_moves_with_the_selection(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    bar = screen.surface.bar
    screen.resize(1_300, 700)

    def places() -> list[tuple[int, int]]:
        screen.surface.corners.place()
        kept = [bar.buttons[action] for action in ("expand", "hide", "keep", "path", "pin")]
        origin = bar.pos()
        bar.layout().activate()
        return [(origin.x() + b.x(), b.width()) for b in kept]

    screen.canvas.select_row(0)
    screen.selection.show_chosen()
    before = places()
    screen.run_action("pin")
    assert bar.buttons["pin"].text() == "Unpin" and places() == before
    for rows in ([0, 1], [0, 1, 2], range(8)):
        screen.canvas.choose(rows)
        screen.selection.show_chosen()
        assert places() == before
    assert bar.buttons["path"].isVisible() and not bar.buttons["path"].isEnabled()


def test_a_long_legend_does_not_cover_a_narrow_canvas(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    surface, legend = screen.surface, screen.surface.legend
    lines = [LegendLine(7 + n, f"Community {n}", 9) for n in range(17)]
    legend.set_lines("group", "Community", lines)
    surface.corners.place()
    assert legend.x() > 0
    screen.resize(500, 600)
    qtbot.waitUntil(screen.surface.inspector.isHidden)
    qtbot.waitUntil(lambda: screen.canvas.width() > 400)
    surface.corners.place()
    assert legend.is_open and legend.x() > 0, "a few rows cover little"
    screen.resize(500, 340)
    qtbot.waitUntil(lambda: screen.canvas.height() < 300)
    surface.corners.place()
    assert not legend.is_open and legend.x() > 0 and legend.height() < 50, "folded to its head"
    legend.fold_button.click()
    assert legend.is_open and legend.x() > 0 and legend.height() > 100, "opened on request"
    legend.fold_button.click()
    assert not legend.is_open
    legend.set_lines("type", "Type", surface.legend_lines)
    screen.resize(500, 600)
    legend.fold_button.click()
    surface.corners.place()
    assert legend.is_open and legend.x() > 0, "a short one covers little"


def test_a_long_legend_of_a_low_canvas_has_the_most_frequent_colors(
    open_screen, qtbot, cast
) -> None:
    screen = open_screen(cast)
    screen.resize(1280, 640)
    surface, legend = screen.surface, screen.surface.legend
    qtbot.waitUntil(lambda: screen.canvas.height() < 712)
    lines = [LegendLine(7 + n, f"Community {n}", 4 + 3 * n % 8, n + 1) for n in range(8)]
    legend.set_lines("group", "Community", [*lines, LegendLine(REST, "3 more", 50)])
    surface.corners.place()

    def list_shown() -> set[int]:
        return {code for code, toggle in legend.toggles.items() if not toggle.isHidden()}

    most = sorted(lines, key=lambda line: -line.count)[:5]
    assert list_shown() == {line.code for line in most}
    low = legend.height()
    assert legend.all_button.text() == "Show all 9"
    legend.all_button.click()
    assert list_shown() == set(legend.toggles) and legend.height() > low + 80
    legend.all_button.click()
    assert legend.height() == low
    hidden = next(line.code for line in lines if line not in most)
    legend.toggles[hidden].setChecked(False)
    legend.set_short(False)
    legend.set_short(True)
    assert hidden in list_shown(), "what is switched off can be switched on"
    screen.resize(1280, 900)
    qtbot.waitUntil(lambda: screen.canvas.height() > 712)
    surface.corners.place()
    assert list_shown() == set(legend.toggles) and legend.all_button.isHidden() is False
    assert not legend.all_button.isVisible()


def test_the_legend_explains_sizes_and_lines_where_there_is_room(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    legend, corners = screen.surface.legend, screen.surface.corners
    corners.place()
    assert "connections" in legend.foot.describe() and not legend.foot.isHidden()
    assert legend.shown.text() == "shown" and not legend.head.isHidden()
    screen.surface.set_size("mentions")
    assert "mentions" in legend.foot.describe()
    tall = legend.height()
    screen.resize(480, 460)
    qtbot.waitUntil(legend.foot.isHidden)
    corners.place()
    assert legend.head.isHidden() == legend.is_open and legend.height() < tall


def test_the_legend_is_folded_by_its_head_and_stays_so(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    legend, canvas = screen.surface.legend, screen.canvas
    screen.surface.corners.place()
    tall, before = legend.height(), canvas.scale_now
    assert legend.is_open and legend.fold_button.accessibleName() == "Hide the legend"
    legend.fold_button.click()
    assert not legend.is_open and legend.height() < tall / 2 and legend.foot.isHidden()
    assert all(toggle.isHidden() for toggle in legend.toggles.values())
    assert canvas.scale_now >= before, "the view has the room"
    assert not type(legend)(screen.context.theme, legend.foot._read, canvas).is_open, "remembered"
    legend.fold_button.click()
    assert legend.is_open and legend.height() == tall
    assert type(legend)(screen.context.theme, legend.foot._read, canvas).is_open
