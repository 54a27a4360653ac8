"""The gallery, the small pictures beside passages, and the dialog with a large one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.figures import Figure
from desktop_app.engine.messages import Message
from desktop_app.engine.services.library import Library
from desktop_app.engine.store.figure_descriptions import DescriptionCount
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.ui.figures.descriptions import (
    DescribeSheet,
    describe_time,
    format_description,
    label_description,
)
from desktop_app.ui.figures.pictures import FigurePictures
from desktop_app.ui.figures.strip import FigureStrip, PassageFigures, wrap_lines
from desktop_app.ui.figures.viewer import FigureViewer
from desktop_app.ui.reader.gallery import GalleryPanel
from tests.ui.fakes import FakeContext


def make_figure(number: int, caption: str = "", words: str = "") -> StoredFigure:
    label = f"figure {number + 1}" if caption else ""
    figure = Figure(100 * number, 100 * number + len(caption), label, page_index=number)
    return StoredFigure(1, number, figure, caption, words, "Tides", "")


ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole
FIGURES = [
    make_figure(0, "Figure 1. The harbour wall at Petrel Rock, drawn in the winter of the flood"),
    make_figure(1, "Figure 2. 海湾的地图", "Harrow 12 fathoms"),
    make_figure(2),
]


@pytest.fixture
def context(qtbot):
    made = FakeContext()
    made.figure_reader.figures = list(FIGURES)
    yield made
    made.close()


@pytest.fixture
def panel(qtbot, context):
    made = GalleryPanel(context)
    qtbot.addWidget(made)
    made.resize(236, 700)
    made._document_id = 1
    made.set_figures(FIGURES)
    made.show()
    return made


def is_drawn(widget: QWidget, place: QPoint) -> bool:
    """Return whether a point has the colour of the fake picture."""
    color = widget.grab().toImage().pixelColor(place)
    return (color.red(), color.green(), color.blue()) == (200, 80, 40)


def test_the_gallery_draws_what_is_in_sight_and_goes_to_a_place(qtbot, context, panel):
    first = panel.list.visualItemRect(panel.list.item(0))
    point = first.topLeft() + QPoint(first.width() // 2, 60)
    qtbot.waitUntil(lambda: is_drawn(panel.list.viewport(), point))
    spoken = panel.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"{FIGURES[0].caption}, p. 1"
    panel.list.setCurrentRow(0)  # a selected picture is still drawn
    assert is_drawn(panel.list.viewport(), point)
    with qtbot.waitSignal(panel.place_wanted) as went:
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert went.args == [FIGURES[0]]
    assert context.figure_texts.wanted == [1]


def test_the_gallery_is_filtered_by_caption_and_by_text_in_pictures(panel):
    for words, numbers in (("harbour", [0]), ("fathoms", [1]), ("海湾", [1]), ("none", [])):
        panel.filter.setText(words)
        panel._fill()
        shown = [panel.list.item(i).data(0x100).number for i in range(panel.list.count())]
        assert shown == numbers
        assert panel.nothing.isVisibleTo(panel) is (not numbers)
    panel.filter.clear()
    panel.set_figures([])
    assert "No pictures" in panel.nothing.text() and not panel.enlarge.isVisibleTo(panel)


def test_text_that_was_read_in_a_picture_is_found_without_opening_the_document_again(
    qtbot, context, panel
):
    panel.filter.setText("sluice")
    panel._fill()
    assert panel.list.count() == 0
    context.figure_reader.figures[2] = make_figure(2, words="sluice gate")
    for _ in range(20):  # one after another, as they are read
        context.hub.figures_read.emit(frozenset({2, 1}))
    qtbot.waitUntil(lambda: panel.list.count() == 1)
    context.hub.figures_read.emit(frozenset({2}))
    assert not panel._pause.isActive()  # another document


def test_a_large_picture_is_zoomed_copied_saved_and_left_for_its_place(
    qtbot, context, panel, tmp_path: Path
):
    panel.list.setCurrentRow(1)
    viewer = panel.open_current()
    assert viewer is not None
    qtbot.waitUntil(lambda: viewer.area.picture is not None)
    assert viewer.title.text() == "Figure 2" and viewer.copy_button.isEnabled()
    fitted = viewer.area.zoom
    viewer.area.zoom_by(4.0)
    assert viewer.area.zoom > fitted and not viewer.area.is_fitted
    viewer.area.zoom_by(0.01)
    assert viewer.area.is_fitted
    viewer.copy_picture()
    assert QApplication.clipboard().image().size() == viewer.area.picture.size()
    viewer.write_picture(tmp_path / "map")
    saved = QImage(str(tmp_path / "map.png"))
    assert saved.size() == viewer.area.picture.size()
    viewer.write_picture(tmp_path / "no" / "map.png")  # reported, nothing is lost
    library = tmp_path / "own.png"
    Library(tmp_path / "own.inkgraph").close()
    before = (tmp_path / "own.inkgraph").rename(library).read_bytes()
    viewer.write_picture(library)
    assert library.read_bytes() == before
    qtbot.keyClick(viewer, Qt.Key.Key_Left)
    assert viewer.figure == FIGURES[0] and not viewer.before.isEnabled()
    qtbot.waitUntil(lambda: viewer.area.picture is not None)
    with qtbot.waitSignal(panel.place_wanted) as went:
        viewer.go_button.click()
    assert went.args == [FIGURES[0]]


def test_a_picture_that_cannot_be_drawn_says_why(qtbot, context):
    context.figure_drawer.broken = {0}
    parent = QWidget()
    qtbot.addWidget(parent)
    viewer = FigureViewer(context, FIGURES, 0, parent)
    qtbot.waitUntil(lambda: "damaged" in viewer.area.words)
    assert not viewer.save_button.isEnabled() and viewer.go_button.isEnabled()
    viewer.step(1)
    qtbot.waitUntil(lambda: viewer.area.picture is not None)
    viewer.reject()


def test_a_strip_shows_the_figures_that_a_passage_mentions(qtbot, context):
    parent = QWidget()
    qtbot.addWidget(parent)
    places: list[tuple[int, int, int]] = []
    figures = PassageFigures(context, lambda *place: places.append(place), parent)
    strip = figures.build_strip(parent)
    figures.fill(strip, 1, "No picture is mentioned here.", 0)
    assert strip.isHidden()
    figures.fill(strip, 1, "as Figure 2 and Fig. 9 show", 0)
    qtbot.waitUntil(lambda: len(strip.cards) == 1)
    assert not strip.isHidden() and "海湾" in strip.cards[0].accessibleName()
    viewer = strip.open(0)
    viewer.go_button.click()
    assert places == [(1, 100, 100 + len(FIGURES[1].caption))]
    strip.set_figures([])
    assert strip.isHidden() and strip.cards == []


def test_pictures_are_loaded_once_and_broken_ones_not_again(qtbot, context):
    owner = QWidget()
    qtbot.addWidget(owner)
    pictures = FigurePictures(context, owner)
    got: list[QImage] = []
    pictures.load(FIGURES[0], 32, got.append)
    pictures.load(FIGURES[0], 32, got.append)
    qtbot.waitUntil(lambda: len(got) == 2)
    assert got[0].width() == 32 and pictures.find(FIGURES[0], 32) is not None
    context.figure_drawer.broken = {1}
    failures: list[BaseException] = []
    pictures.load(FIGURES[1], 32, got.append, failures.append)
    qtbot.waitUntil(lambda: len(failures) == 1)
    context.figure_drawer.broken = set()
    pictures.load(FIGURES[1], 32, got.append, failures.append)
    assert len(failures) == 2 and pictures.has_failed(FIGURES[1], 32)


def test_captions_are_cut_into_lines(qtbot, context):
    from PySide6.QtGui import QFontMetrics

    metrics = QFontMetrics(context.theme.font("text"))
    for text in (FIGURES[0].caption, "海湾的地图" * 20, "x" * 200, "short", ""):
        lines = wrap_lines(text, metrics, 120, 2)
        assert len(lines) <= 2
        assert all(metrics.horizontalAdvance(line) <= 121 for line in lines)
        assert "".join(lines).replace(" ", "").startswith(text.replace(" ", "")[:5])


def test_the_page_of_a_name_has_the_pictures_that_name_it(qtbot, context):
    from desktop_app.ui.entity.page import EntityPage

    page = EntityPage(context.theme)
    qtbot.addWidget(page)
    strip = FigureStrip(context, FigurePictures(context, page), page.figures_place)
    page.set_figure_strip(strip)
    page.set_figures(FIGURES[:2])
    assert len(strip.cards) == 2 and not page.figures_title.isHidden()
    page.set_figures(())
    assert page.figures_title.isHidden() and page.figures_place.isHidden()


# --- descriptions ---------------------------------------------------------------------------------

SAID = "A woman leans on a stone wall beside three boats."


def add_vision_model(context) -> None:
    row = context.model_registry.rows[0]
    context.model_registry.rows.append(
        replace(row, name="mmproj-seer", role="vision", chat_title="Seer 3B", chat_path=row.path)
    )


def test_a_description_is_shown_with_who_wrote_it(qtbot, context, panel):
    said = replace(FIGURES[0], description=SAID, described_by="seer-3b", described_at=1e9)
    own = replace(FIGURES[1], description="Mine")
    failed = replace(FIGURES[2], describing="failed", failure=Message("It is damaged."))
    assert label_description(said) == "Description by a model (seer-3b)"
    assert label_description(own) == "Your description" and label_description(failed) == ""
    assert format_description(failed) == ("No description", "It is damaged.")
    assert (
        format_description(replace(failed, describing="waiting"))[0] == "Waits for its description"
    )
    panel.set_figures([said, own, failed])
    item = panel.list.item(0)
    assert f"Description by a model (seer-3b): {SAID}" in item.data(ACCESSIBLE)
    assert "Description by a model (seer-3b)" in item.toolTip()
    without = panel.list.itemDelegate().sizeHint(None, panel.list.model().index(2, 0)).height()
    with_it = panel.list.itemDelegate().sizeHint(None, panel.list.model().index(0, 0)).height()
    assert with_it > without - 40
    panel.filter.setText("boats")
    panel._fill()
    assert [panel.list.item(i).data(0x100).number for i in range(panel.list.count())] == [0]
    panel.list.viewport().grab()
    parent = QWidget()
    qtbot.addWidget(parent)
    strip = PassageFigures(context, lambda *place: None, parent).build_strip(parent)
    strip.set_figures([said, FIGURES[1]])
    assert "Description by a model (seer-3b)" in strip.cards[0].accessibleName()
    assert strip.cards[0].height() > strip.cards[1].height()
    strip.grab()


def test_pictures_are_described_only_where_a_model_is_and_after_a_question(qtbot, context, panel):
    panel.describer.find_model(panel._show_describe)
    qtbot.wait(50)
    assert panel.describe.isHidden()
    add_vision_model(context)
    panel.describer.find_model(panel._show_describe)
    qtbot.waitUntil(lambda: not panel.describe.isHidden())
    panel.describe.click()
    qtbot.waitUntil(lambda: bool(panel.window().findChildren(DescribeSheet)))
    [sheet] = panel.window().findChildren(DescribeSheet)
    assert sheet.windowTitle() == "Describe 3 pictures?" and context.descriptions.queued == []
    assert "some seconds to some minutes" in sheet.time.text()
    sheet.start_button.click()
    qtbot.waitUntil(lambda: context.descriptions.queued == [(1, False)])
    assert "about 2 minutes" in describe_time(DescriptionCount(4, seconds_each=30.0), 4)


def test_a_description_is_written_corrected_and_deleted_by_hand(qtbot, context, panel):
    menu = panel.build_menu(FIGURES[0])
    assert [a.text() for a in menu.actions() if a.text()][-1] == "Write a description…"
    sheet = panel.describer.edit_description(FIGURES[0])
    assert not sheet.save_button.isEnabled() and not sheet.delete_button.isVisibleTo(sheet)
    sheet.field.setPlainText(SAID)
    changes: list[object] = []
    context.hub.changed.connect(changes.append)
    sheet.save_button.click()
    qtbot.waitUntil(lambda: context.figure_reader.figures[0].description == SAID)
    qtbot.waitUntil(lambda: len(changes) == 1)
    qtbot.waitUntil(lambda: context.draft_keeper._stored == {})
    said = replace(FIGURES[0], description=SAID, described_by="seer-3b")
    texts = [action.text() for action in panel.build_menu(said).actions()]
    assert texts[-2:] == ["Correct the description…", "Delete the description"]
    sheet = panel.describer.edit_description(said)
    sheet.delete_button.click()
    qtbot.waitUntil(lambda: context.figure_reader.figures[0].description == "")


def test_a_description_of_a_picture_that_was_not_saved_is_kept(qtbot, panel):
    sheet = panel.describer.edit_description(FIGURES[0])
    sheet.field.setPlainText(SAID)
    sheet.reject()
    again = panel.describer.edit_description(FIGURES[0])
    assert again.field.toPlainText() == SAID and again.discard_button.isVisible()
    again.reject()
    other = panel.describer.edit_description(FIGURES[1])
    assert other.field.toPlainText() == FIGURES[1].description
    other.reject()


def test_the_large_picture_shows_its_description_when_it_comes(qtbot, context):
    add_vision_model(context)
    parent = QWidget()
    qtbot.addWidget(parent)
    viewer = FigureViewer(context, FIGURES, 0, parent)
    qtbot.waitUntil(lambda: not viewer.describe_button.isHidden())
    assert viewer.description.isHidden() and viewer.describe_button.text() == "Describe"
    viewer.describe_button.click()
    qtbot.waitUntil(lambda: context.descriptions.queued == [(1, 0)])
    context.figure_reader.figures[0] = replace(
        FIGURES[0], description=SAID, described_by="seer-3b", described_at=1e9
    )
    context.hub.figures_read.emit(frozenset({1}))
    qtbot.waitUntil(lambda: viewer.description.text() == SAID)
    assert viewer.described.text().startswith("Description by a model (seer-3b) · ")
    assert viewer.describe_button.text() == "Describe again"
    viewer.reject()


def test_a_picture_that_was_found_by_its_description_says_so(context):
    from desktop_app.ui.shell.command_palette import _build_figure_row

    navigator = SimpleNamespace(open_figure=lambda figure: None)
    said = replace(FIGURES[0], description=SAID, described_by="seer-3b")
    by_caption = _build_figure_row(said, navigator, ["harbour"])
    assert "by a model" not in by_caption.note
    by_description = _build_figure_row(said, navigator, ["boats"])
    assert by_description.note.startswith("Description by a model (seer-3b): A woman")
    nameless = replace(said, caption="", figure=replace(said.figure, alt=""))
    assert _build_figure_row(nameless, navigator, ["boats"]).text == SAID
