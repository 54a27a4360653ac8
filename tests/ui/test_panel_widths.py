"""Panels fit at 260 pixels in any font, at any text size, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.engine.model import EntityCard, EntityRow, Heading, MentionRow, RelationRow
from desktop_app.engine.services.annotations import Annotation
from desktop_app.engine.services.graph_views import PathStep, ShownPath
from desktop_app.engine.services.provenance import EntityProvenance
from desktop_app.ui.chat.composer import QuestionBox
from desktop_app.ui.chat.inspection.panel import AnswerInspector, StageLine
from desktop_app.ui.communities.tree_panel import TreePanel
from desktop_app.ui.duplicates.cluster_list import ClusterList
from desktop_app.ui.entity.names_panel import NamesPanel
from desktop_app.ui.explorer.filter_panel import FilterPanel
from desktop_app.ui.explorer.inspector import EntityDetails, Inspector, PathPanel
from desktop_app.ui.library.covers import Covers
from desktop_app.ui.library.inspector import DocumentInspector
from desktop_app.ui.library.places import LibraryPlace, PlacesList, PlacesPanel
from desktop_app.ui.reader.loading import PlaceWords
from desktop_app.ui.reader.pdf.worker import PdfWorker
from desktop_app.ui.reader.side_panel import ReaderSidePanel
from desktop_app.ui.shell.actions import build_actions
from desktop_app.ui.shell.sidebar import Sidebar
from tests.failure_handlers import raise_failure
from tests.ui.chat.answers import checked_answer
from tests.ui.fakes import FakeContext
from tests.ui.overflow import find_overflow
from tests.ui.untranslated import use_language

WIDTH, HEIGHT = 260, 900
# (language, family, size): a family that is not installed is drawn in the default font; the
# sizes make text wider on every machine. Of the wide families only the widest is tested.
LOOKS = [
    ("en", "Inter", 1.5),
    ("en", "DejaVu Sans Mono", 1.3),
    ("zh", "Inter", 1.0),
    ("zh", "DejaVu Sans Mono", 1.3),
]
LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
URL = "https://library.example.org/collections/victorian/dickens/a-christmas-carol/stave-one"


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0]} {look[1]} {look[2]:.0%}")
def context(
    request: pytest.FixtureRequest, qapp: QApplication, window_font: QFont
) -> Iterator[FakeContext]:
    """Return a context with a theme, in a language, a font family and a text size."""
    language, family, scale = request.param
    for _ in use_language(qapp, language):
        made = FakeContext()
        theme = made.theme
        theme.set_scale(scale)
        theme.set_families(replace(theme.families, interface=family, latin=family, book=family))
        theme.apply(qapp)
        yield made
        made.close()
        # The panel is closed and need not be restyled.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qapp.setStyleSheet("")
    qapp.setFont(window_font)


def settle() -> None:
    """Let layouts follow: a label that breaks words anew requests another layout."""
    for _ in range(6):
        QApplication.processEvents()


@pytest.fixture
def shown(qtbot) -> Callable[[QWidget], QWidget]:
    def show(panel: QWidget) -> QWidget:
        qtbot.addWidget(panel)
        panel.setFixedWidth(WIDTH)
        panel.resize(WIDTH, HEIGHT)
        panel.show()
        qtbot.waitExposed(panel)
        settle()
        return panel

    return show


@pytest.fixture
def pdf_work(qapp: QApplication) -> Iterator[PdfWorker]:
    made = PdfWorker(raise_failure)
    yield made
    made.shut_down()


def entity(number: int, name: str, entity_type: str = "organisation") -> EntityRow:
    return EntityRow(number, name, entity_type, 12_345, 6_789, 12)


ADA, LAW, HERO = (
    entity(1, "Ada Merrow, the ferrywoman of Harrow Ford", "person"),
    entity(2, LONG, "organisation"),
    entity(3, "白衣秀士林秋白（黑风寨第三把交椅，原青石镇教书先生）", "person"),
)
TIES = [
    RelationRow(1, 1, 2, ADA.name, LAW.name, 3.0, 12_345, kind="works for", sentence=URL,
                document_id=1, sentence_end=20, confidence=0.4),
    RelationRow(2, 3, 1, HERO.name, ADA.name, 2.0, 2, sentence="后来他上了黑风寨。", document_id=1),
]  # fmt: skip
MENTIONS = [
    MentionRow(1, URL, 1, "Ada", 0, 3, f"Ada read {URL} and {LONG} aloud.", 0, "1234"),
    MentionRow(2, HERO.name, 2, "林秋白", 0, 3, "林秋白原是青石镇的教书先生。" * 9, 0, ""),
]
STANDING = EntityProvenance("model", "model", 0.4, (LONG, "qwen2.5"), (), 4, 120, 3_400)


def test_the_answer_inspector_fits(shown, context: FakeContext) -> None:
    panel = AnswerInspector(context.theme)
    panel.show_answer(checked_answer())
    shown(panel)
    for section in panel.sections:
        section.button.setChecked(True)
    for line in panel.findChildren(StageLine):
        line.fold.button.setChecked(True)
    settle()
    assert "\n".join(find_overflow(panel)) == ""


@pytest.mark.parametrize("row", [ADA, LAW, HERO], ids=["name", "long word", "Chinese"])
def test_the_inspector_of_the_graph_fits(shown, context: FakeContext, row: EntityRow) -> None:
    panel = Inspector(context.theme)
    card = EntityCard(row, (LONG, HERO.name, "Ada"), f"{LONG} says {URL}.")
    panel.show_details(EntityDetails(card, TIES, MENTIONS, STANDING))
    assert "\n".join(find_overflow(shown(panel))) == ""


def test_the_paths_between_two_names_fit(shown, context: FakeContext) -> None:
    panel = PathPanel(context.theme)
    steps = tuple(PathStep(tie, tuple(MENTIONS)) for tie in TIES)
    way = ShownPath("strongest", (LAW, ADA, HERO), steps)
    panel.show_paths(LAW.name, HERO.name, [way, replace(way, how="shortest")])
    assert "\n".join(find_overflow(shown(panel))) == ""


def test_the_filters_of_the_graph_fit(shown, context: FakeContext) -> None:
    panel = FilterPanel(context.theme)
    panel.set_documents({1: URL, 2: HERO.name}, [(LONG, (1,)), (HERO.name, (2,))])
    panel.types.set_lines([("person", LONG, 12_345), ("place", HERO.name, 6)])
    panel.groups.set_lines([(1, URL, 12_345), (2, HERO.name, 6)])
    panel.show_counts(12_345, 123_456, 1_234_567)
    assert "\n".join(find_overflow(shown(panel))) == ""


def test_the_inspector_of_every_document_fits(shown, context: FakeContext) -> None:
    panel = shown(DocumentInspector(context.theme, Covers(context.theme)))
    rows = context.library_reader.list_documents()
    long = replace(rows[0], title=URL, file_name=f"{LONG}.epub", author=LONG, tags=(LONG, "水浒传"))
    for row in [*rows, long]:
        panel.show_row(row, same_as=HERO.name if row.duplicate_of else "", read=0.5)
        panel.show_top_names([replace(HERO, name=LONG), HERO], [LONG, "水浒传"])
        panel.show_pace(f"{LONG} 12,345")
        settle()
        assert "\n".join(find_overflow(panel)) == "", row.title
    panel.show_several(rows)
    settle()
    assert "\n".join(find_overflow(panel)) == ""


def test_the_side_panel_of_the_reader_fits(
    shown, context: FakeContext, pdf_work: PdfWorker
) -> None:
    panel = shown(ReaderSidePanel(context.theme, pdf_work))
    panel.outline.set_outline([Heading(1, LONG, 0), Heading(2, HERO.name, 10)])
    for marks in ([], [Annotation(1, 1, "highlight", 0, 5, LONG, URL)]):
        panel.annotations.set_marks(marks, lambda _: PlaceWords("p. 12", HERO.name))
        for tab in panel.tabs:
            panel.show_tab(tab)
            settle()
            assert "\n".join(find_overflow(panel)) == "", tab


def test_the_sidebar_fits(shown, context: FakeContext) -> None:
    parent = QWidget()
    panel = Sidebar(context, build_actions(context.theme, parent))
    panel.set_overview(replace(context.library_reader.overview(), name=LONG))
    panel.set_chats(context.chats.list_chats())
    places = PlacesList(context.theme)
    places.set_places([LibraryPlace("collection", LONG, 1, 12_345), LibraryPlace("rule", "")])
    panel.add_part("library", PlacesPanel(context.theme, places))
    assert "\n".join(find_overflow(shown(panel))) == ""
    panel.set_current("library")
    settle()
    assert places.isVisible() and "\n".join(find_overflow(panel)) == ""


@pytest.mark.parametrize("panel", [NamesPanel, TreePanel, ClusterList])
def test_a_list_beside_a_page_fits(shown, context: FakeContext, panel: type[QWidget]) -> None:
    more = {"certainty": 0.5} if panel is ClusterList else {}
    made = panel(context.theme, **more)
    if isinstance(made, ClusterList):  # the screen's head places these
        made.search_button.hide()
        made.more_button.hide()
    if isinstance(made, NamesPanel):
        made.several.setText(LONG)
        made.rejected.setText(LONG)
        made.several.show()
        made.rejected.show()
    assert "\n".join(find_overflow(shown(made))) == ""


@pytest.mark.parametrize("width", [300, 460, 700])
@pytest.mark.parametrize("answering", [False, True])
def test_the_question_box_fits(shown, context: FakeContext, width: int, answering: bool) -> None:
    box = shown(QuestionBox(context.theme))
    box.set_answering(answering)
    box.setFixedWidth(width)
    settle()
    assert "\n".join(find_overflow(box)) == ""
    if width > 600:
        assert box.options.width() >= box.options.sizeHint().width(), "icons before an ellipsis"
