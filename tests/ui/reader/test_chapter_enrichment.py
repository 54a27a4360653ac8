"""A chapter is enriched from the outline and from the text."""

from __future__ import annotations

from desktop_app.engine.model import Heading
from desktop_app.ui.reader.passage_actions import build_menu
from desktop_app.ui.reader.screen import CHAPTER, DOCUMENT, chapter_span
from tests.ui.fakes import ENGLISH

SECOND = ENGLISH.index("Chapter 2")


def test_a_chapter_ends_at_the_next_heading_of_its_level() -> None:
    outline = [Heading(1, "I", 10), Heading(2, "I.1", 20), Heading(2, "I.2", 30),
               Heading(1, "II", 50)]  # fmt: skip
    assert chapter_span(outline, 0, 90) == (10, 50)
    assert chapter_span(outline, 1, 90) == (20, 30)
    assert chapter_span(outline, 2, 90) == (30, 50)
    assert chapter_span(outline, 3, 90) == (50, 90)
    assert chapter_span(outline, -1, 90) == (0, 10)
    assert chapter_span([], -1, 90) == (0, 90)


def test_the_outline_offers_to_enrich_a_chapter(qtbot, opened) -> None:
    reader = opened(1)
    actions = {a.text(): a for a in reader.outline.build_menu(0).actions()}
    with qtbot.waitSignal(reader.enrich_chapter_wanted) as asked:
        actions[CHAPTER].trigger()
    assert asked.args == [1, 0, SECOND]


def test_the_context_menu_enriches_the_chapter_under_the_pointer(qtbot, opened) -> None:
    reader = opened(1)
    menu = build_menu(reader.text_view, None, SECOND + 40)
    action = next(a for a in menu.actions() if a.text() == CHAPTER)
    with qtbot.waitSignal(reader.enrich_chapter_wanted) as asked:
        action.trigger()
    assert asked.args == [1, SECOND, len(ENGLISH)]


def test_a_document_without_chapters_is_enriched_as_a_whole(qtbot, opened) -> None:
    reader = opened(2)
    menu = build_menu(reader.text_view)
    action = next(a for a in menu.actions() if a.text() == DOCUMENT)
    with qtbot.waitSignal(reader.enrich_chapter_wanted) as asked:
        action.trigger()
    assert asked.args[:2] == [2, 0]
