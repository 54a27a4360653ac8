"""Exported pictures have a title and the legend of their colours; dark ones only on request."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage

from desktop_app.engine.errors import UserError
from desktop_app.engine.graph.view.view import View
from desktop_app.engine.services.library import Library
from desktop_app.ui.explorer.caption import describe_view
from desktop_app.ui.explorer.export import save_picture
from desktop_app.ui.explorer.node_colors import measure_contrast
from desktop_app.ui.explorer.screen import ExplorerScreen
from desktop_app.ui.explorer.toolbar import COPY
from desktop_app.ui.theme.design_tokens import DARK, LIGHT


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


def read_picture(path: Path) -> QImage:
    """Return the pixels of a PNG, or of an SVG or PDF as other programs draw it."""
    if path.suffix == ".pdf":
        with pypdfium2.PdfDocument(path) as document:
            assert len(document) == 1
            document[0].render().to_pil().save(path := path.with_suffix(".drawn.png"))
    image = QImage(str(path))
    if path.suffix == ".svg":
        image = image.convertToFormat(QImage.Format.Format_RGB32)
    return image


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_of_a_dark_window_is_light_unless_it_is_wanted_dark(
    open_screen, cast, theme, tmp_path, ending
) -> None:
    theme.set_mode("dark")
    screen = open_screen(cast)
    canvas, caption = screen.canvas, screen.build_caption()
    for light, ground in ((True, LIGHT), (False, DARK)):
        path = tmp_path / f"{light}.{ending}"
        save_picture(canvas, path, caption=caption, light=light)
        image = read_picture(path)
        places = [(2, 2), (image.width() - 3, image.height() - 3), (2, image.height() // 2)]
        assert all(image.pixelColor(*place) == QColor(ground.bg) for place in places)
        counts = [image.pixelColor(x, y) for x in range(image.width()) for y in range(4, 80, 2)]
        assert any(measure_contrast(color, QColor(ground.bg)) > 7 for color in counts)  # the title


def test_the_background_of_pictures_is_remembered(open_screen, cast, theme) -> None:
    theme.set_mode("dark")
    light = open_screen(cast).toolbar.light_background
    assert light.isChecked()
    light.trigger()
    screen = open_screen(cast)
    assert not screen.toolbar.light_background.isChecked()
    screen.toolbar.export_wanted.emit(COPY, False)
    assert QGuiApplication.clipboard().image().pixelColor(2, 2) == QColor(DARK.bg)
    screen.toolbar.light_background.trigger()
    screen.toolbar.export_wanted.emit(COPY, False)
    copied = QGuiApplication.clipboard().image()
    assert copied.pixelColor(2, 2) == QColor(LIGHT.bg)
    assert copied.width() == 2 * screen.canvas.width()


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


@pytest.mark.parametrize("name", ["own.inkgraph", "copy.png", "copy.svg"])
def test_a_picture_does_not_replace_a_library(open_screen, cast, tmp_path, name) -> None:
    path = tmp_path / "own.inkgraph"
    Library(path).close()
    target = path if path.name == name else path.rename(tmp_path / name)
    before = target.read_bytes()
    screen = open_screen(cast)
    with pytest.raises(UserError, match="An export does not replace it"):
        save(screen, target)
    assert target.read_bytes() == before
