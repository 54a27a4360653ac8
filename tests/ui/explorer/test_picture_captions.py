"""Exported pictures have a title and the legend of their colours; communities have theirs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QImage

from desktop_app.engine.graph.view.view import View
from desktop_app.ui.explorer.caption import describe_view
from desktop_app.ui.explorer.export import save_picture
from desktop_app.ui.explorer.screen import ExplorerScreen


def save(screen: ExplorerScreen, path: Path, *, chosen: bool = False) -> str:
    caption = screen.build_caption(chosen=chosen)
    save_picture(screen.canvas, path, chosen=chosen, caption=caption)
    return path.read_text("utf-8") if path.suffix == ".svg" else ""


def test_a_picture_has_a_title_and_the_colors_in_use(open_screen, cast, tmp_path) -> None:
    screen = open_screen(cast)
    text = save(screen, tmp_path / "types.svg")
    assert "<title>Whole graph</title>" in text and ">Whole graph</text>" in text.replace(" <", "<")
    for line in screen.surface.legend_lines:
        assert (f"{line.words} ({line.count})" in text) == bool(line.count)
    screen.surface.set_color("document")
    text = save(screen, tmp_path / "documents.svg")
    assert "Document" in text and "A Winter Tale (" in text and "水浒传" in text


def test_a_picture_is_as_wide_as_the_view_and_higher_by_its_caption(
    open_screen, cast, tmp_path
) -> None:
    screen, path = open_screen(cast), tmp_path / "graph.png"
    save(screen, path)
    image = QImage(str(path))
    assert image.width() == 2 * screen.canvas.width()
    assert image.height() > 2 * screen.canvas.height()


def test_a_picture_of_the_selection_counts_only_its_names(open_screen, cast, tmp_path) -> None:
    screen = open_screen(cast)
    screen.canvas.choose({screen.canvas.data.row_of[i] for i in (1, 2)})
    text = save(screen, tmp_path / "two.svg", chosen=True)
    title = screen.build_caption(chosen=True).title
    assert "Scrooge" in title and "Marley" in title and title in text
    assert text.count("(1)") == 2 and "(2)" not in text


def test_titles_say_what_a_view_shows(open_screen, cast) -> None:
    data = open_screen(cast).canvas.data
    assert describe_view(View("near", (1,)), data) == "Scrooge and neighbours"
    assert describe_view(View("kinds", kinds=("family",)), data) == "Family"
    assert describe_view(View("exact", tuple(range(1, 7))), data) == "6 names"
    data.n_all = 99
    assert describe_view(View("top"), data) == "Top names"


def test_the_layout_by_community_colors_by_community(open_screen, qtbot, cast) -> None:
    screen = open_screen(cast)
    with qtbot.waitSignal(screen.shown):
        screen.toolbar.layout_wanted.emit("groups")
    assert screen.surface.color_mode == screen.surface.legend.mode == "group"
    checked = [a.data() for a in screen.toolbar.appearance_actions if a.isChecked()]
    assert ("layout", "groups") in checked and ("color", "group") in checked
