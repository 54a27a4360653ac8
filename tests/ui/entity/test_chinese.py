"""The entity screen in Chinese: no English is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt

from desktop_app.engine.changes import NOTHING
from desktop_app.engine.messages import Message
from desktop_app.engine.model import MentionRow
from desktop_app.engine.services.editing.history import HistoryRow
from desktop_app.engine.services.entity_comparison import CommunityMembership
from desktop_app.engine.services.provenance import ClaimRow, EntityProvenance, RejectedName
from desktop_app.ui.entity.screen import EntityScreen
from tests.ui.fakes import ENGLISH, NAMES, FakeContext
from tests.ui.untranslated import english_texts

KNOWN = (ENGLISH, *(name for name, _, _ in NAMES), "The Ferry at Harrow Ford", "qwen")
PLACE = MentionRow(2, "青石镇旧事", 1, "某月", 0, 2, "某月初一，无事。", 0, "12")
REJECTED = (RejectedName("某月", 3, 2, 3, ("qwen",), PLACE),)


@pytest.fixture
def screen(chinese: None, qtbot, context: FakeContext) -> EntityScreen:
    reader = context.library_reader
    reader.list_rejected_names = lambda: list(REJECTED)
    reader.list_communities_of = lambda _: [
        CommunityMembership(1, 0, "票号", 4, ("周德海", "沈老三"))
    ]
    label = Message("Rename “{name}” to “{new_name}”", name="甲", new_name="乙")
    reader.list_history_of = lambda _: [HistoryRow(1, label, 1.0, False)]
    reader.describe_provenance = lambda _: EntityProvenance(
        *("model", "model"), type_sureness=0.8, n_described=3, n_passages=9, n_judged=4,
        models=("qwen",), kinds=(("family", 2), ("", 3)), n_confirmed=2,
    )  # fmt: skip
    reader.fetch_claims = lambda _: [
        ClaimRow(
            *("周德海", "铜印", "盗窃", "true", "1900", "", "藏起了铜印。", "丢了一方铜印。"),
            *(2, "青石镇旧事", 0, 9, "12"),
        )
    ]
    made = EntityScreen(context)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: made.names.model.rowCount() > 0 and not made.names.rejected.isHidden())
    return made


@pytest.fixture
def pick(qtbot, context: FakeContext, screen: EntityScreen) -> Callable[[QModelIndex], None]:
    """Return a function that clicks a name and waits until its page is complete."""

    def pick_(index: QModelIndex) -> None:
        with qtbot.waitSignal(screen.names.picked):
            screen.names.list.clicked.emit(index)
        qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)

    return pick_


@pytest.fixture
def show(screen: EntityScreen, pick: Callable[[QModelIndex], None]) -> Callable[[str], None]:
    """Return a function that picks an entity by its name."""

    def show_(name: str) -> None:
        rows = [screen.names.model.index(i) for i in range(screen.names.model.rowCount())]
        pick(next(index for index in rows if index.data() == name))

    return show_


def test_the_list_and_an_empty_page_are_chinese(screen):
    assert screen.names.search.placeholderText() == "查找实体"
    assert english_texts(screen, KNOWN) == []


def test_every_tab_of_a_page_is_chinese(screen, qtbot, show):
    show("林秋白")
    assert screen.page.tabs.count() == 4
    for tab in range(4):
        screen.page.tabs.setCurrentIndex(tab)
        assert english_texts(screen, KNOWN) == []
        for quotes in (screen.page.relations, screen.page.mentions, screen.page.claims):
            for quote in quotes.quotes:
                assert quote.count == "" or quote.count.isascii() is False
    assert "重命名" in screen.page.belonging.history.text()
    assert any("票号" in link.text() for link in screen.page.belonging.communities)


def test_rejected_names_are_chinese(screen, qtbot, context):
    context.editing = type("Keeping", (), {"keep_name": lambda _, name: NOTHING})()
    screen.show_rejected()
    assert english_texts(screen, KNOWN) == []
    qtbot.mouseClick(screen.rejected.buttons["某月"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "已恢复“某月”"


def test_several_names_and_an_empty_search_are_chinese(screen, qtbot):
    model = screen.names.model
    for row in range(3):
        flag = QItemSelectionModel.SelectionFlag.Select
        screen.names.list.selectionModel().select(model.index(row), flag)
    assert screen.names.several.text() == "已选择 3 个实体"
    assert english_texts(screen, KNOWN) == []
    screen.names.search.setText("没有")
    qtbot.waitUntil(lambda: screen.names.model.rowCount() == 0)
    assert english_texts(screen.names, KNOWN) == []


def test_a_deleted_name_is_reported_in_chinese(screen, qtbot):
    screen.show_entity(987_654)
    qtbot.waitUntil(lambda: screen.pages.currentWidget() is screen.nothing)
    assert english_texts(screen.nothing) == []


def test_kinds_and_types_are_translated(screen, qtbot, show):
    show("林秋白")
    assert screen.page.head.chip.text() == "人物"
    words = [button.text() for button in screen.page.kinds.buttons if not button.isHidden()]
    assert "亲属" in words and all(not word.isascii() for word in words)
    card = screen.loader.card
    screen.page.head.show_card(replace(card, row=replace(card.row, type="place")))
    assert screen.page.head.chip.text() == "地点"
