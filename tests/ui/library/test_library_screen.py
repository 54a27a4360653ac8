"""The library screen with fake services and real lanes."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics
from PySide6.QtWidgets import QApplication

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.model import PICTURE_FORMATS, DocumentRow, NewVersion, ScanNumbers
from desktop_app.engine.progress import Progress
from desktop_app.engine.text.file_kinds import KINDS as FILE_KINDS
from desktop_app.ui.library.screen import LibraryScreen
from desktop_app.ui.library.table_model import (
    ADDED,
    COLUMNS,
    ICON_ROLE,
    NAMES,
    READ,
    SHARE_ROLE,
    STATE,
    TITLE,
    TYPE,
    DocumentTableModel,
)
from desktop_app.ui.library.words import KINDS as KIND_WORDS
from desktop_app.ui.library.words import (
    describe_file_kind,
    describe_state,
    describe_whole_state,
    find_kind_words,
    is_settled,
)
from desktop_app.ui.theme.icons import glyph
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.tables import SUBTITLE_ROLE
from desktop_app.ui.widgets.words import format_day, format_day_time
from tests.ui.fakes import FakeContext, many_documents, sample_documents
from tests.ui.line_dialogs import give_line
from tests.ui.untranslated import use_language

# `ReadDocument.format` of what is no picture
READER_KINDS = (
    *("pdf", "epub", "docx", "odt", "rtf", "pptx", "odp", "xlsx", "ods", "csv", "json", "jsonl"),
    *("html", "mht", "md", "txt", "fb2", "mobi", "eml", "srt", "vtt"),
)


def open_screen(context: FakeContext, qtbot) -> LibraryScreen:
    screen = LibraryScreen(context)
    screen.resize(1060, 700)
    qtbot.addWidget(screen)
    screen.show()
    qtbot.waitUntil(lambda: not screen.is_loading)
    screen.activateWindow()
    screen.list.table.setFocus()
    return screen


@pytest.fixture
def screen(context: FakeContext, qtbot) -> LibraryScreen:
    return open_screen(context, qtbot)


def shown_titles(screen: LibraryScreen) -> list[str]:
    model = screen.model
    return [model.index(i, TITLE).data() for i in range(model.rowCount())]


# --- words -------------------------------------------------------------------------------------


def test_every_state_has_a_word_an_icon_and_a_sentence():
    rows = {row.id: describe_state(row) for row in sample_documents(time.time())}
    assert (rows[1].text, rows[1].sentence, rows[1].share) == ("Ready", "", None)
    assert (rows[3].text, rows[3].share) == ("Indexing", 34 / 120)
    assert rows[3].sentence.startswith("34 of 120 passages are indexed.")
    assert (rows[4].text, rows[4].share) == ("Ready", 0.4)
    assert rows[4].sentence.endswith("search by meaning is 40% prepared.")
    assert (rows[6].text, rows[6].color) == ("Failed", "bad")
    assert rows[6].sentence.startswith("No page of this PDF has text.")
    assert rows[9].text == "Excluded"
    assert all(words.icon for words in rows.values())


def test_a_document_whose_pictures_cannot_be_read_is_not_called_ready():
    row = replace(
        sample_documents(time.time())[0], n_chars=0, scans=ScanNumbers(n_failed=2), format="png"
    )
    words = describe_state(row)
    assert (words.text, words.color) == ("Can't be read", "bad")
    assert not is_settled(row)  # so that the list shows the word
    partly = replace(row, scans=ScanNumbers(n_failed=1, n_read=1), n_chars=10)
    assert describe_state(partly).text == "Ready"


def test_every_kind_of_document_has_an_icon_and_a_name_of_its_own():
    assert list(KIND_WORDS) == [kind.name for kind in FILE_KINDS]
    assert len({words.icon for words in KIND_WORDS.values()}) == len(FILE_KINDS)
    assert all(glyph(words.icon) != glyph("question") for words in KIND_WORDS.values())
    row = sample_documents(time.time())[0]
    for format, name in {
        "pdf": "PDF",
        "jpeg": "Scan or photograph · JPEG",
        "jp2": "Scan or photograph · JP2",
        "epub": "E-book · EPUB",
        "odt": "Text document · ODT",
        "xlsx": "Workbook · Excel",
        "eml": "Letter · E-mail",
        "mht": "Web page · MHT",
        "jsonl": "Table or data · JSONL",
        "srt": "Subtitles",
    }.items():
        assert describe_file_kind(replace(row, format=format)) == name
    waiting = replace(row, format="", file_name="papers.tar.gz")  # known by its name until then
    assert describe_file_kind(waiting) == "Archive"
    assert find_kind_words(replace(waiting, file_name="NOTES")).icon == "ph.file"


@pytest.mark.parametrize("format", [*READER_KINDS, *PICTURE_FORMATS])
def test_the_kind_of_what_every_reader_gives_is_known(format):
    row = replace(sample_documents(time.time())[0], format=format, file_name="")
    assert find_kind_words(row).icon != "ph.file"


def test_the_list_shows_the_kind_and_its_tooltip_names_it(screen):
    model, row = screen.model, screen.model.shown_row(0)
    title, type_ = model.index(0, TITLE), model.index(0, TYPE)
    assert title.data(ICON_ROLE) == find_kind_words(row).icon
    assert describe_file_kind(row) in title.data(Qt.ItemDataRole.ToolTipRole).split("\n")
    assert type_.data(Qt.ItemDataRole.ToolTipRole) == describe_file_kind(row)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("scale", [0.85, 1.0, 1.5])
def test_every_state_fits_its_column(qapp, language, scale):
    theme = Theme("light")
    theme.set_scale(scale)
    now = time.time()
    rows = sample_documents(now)
    broken = replace(rows[5], reason=Message("It needs a password."))
    kinds = [replace(rows[0], new_version=NewVersion(state, kind=kind))
             for state in ("waiting", "reading", "refused")
             for kind in ("changed", "same", "previous")]  # fmt: skip
    room = theme.length(COLUMNS[STATE].width) - 16 - theme.length(16) - 6
    metrics = QFontMetrics(theme.font("text"))
    kinds.append(replace(rows[0], n_chars=0, scans=ScanNumbers(n_failed=1)))
    wrong = replace(broken, reason=Message("the password does not open it."))
    for _ in use_language(qapp, language):
        for row in (*rows, broken, wrong, *kinds):
            words = describe_state(row).text
            assert metrics.horizontalAdvance(words) <= room, words


def test_an_excluded_document_that_failed_is_shown_as_failed():
    row = DocumentRow(1, "a", "a.txt", "txt", "en", "failed", Message("Broken."), set_aside=True)
    assert describe_state(row).text == "Failed"
    assert describe_whole_state(row) == "Failed: Broken."


def test_a_document_that_needs_its_password_says_so():
    reason = Message("it needs a password.")
    opened = Message("“{name}” can't be opened: {reason}", name="x.pdf", reason=reason)
    row = DocumentRow(1, "a", "a.txt", "txt", "en", "failed", opened)
    assert describe_state(row).text == "Needs password"
    assert describe_state(row).sentence == "“x.pdf” can't be opened: it needs a password."
    assert describe_whole_state(row) == "Failed: it needs a password."


def test_a_duplicate_is_named_and_a_file_only_where_two_titles_are_the_same(qapp):
    model = DocumentTableModel()
    rows = sample_documents(time.time())
    model.set_rows(rows)

    def text_after(document_id: int) -> str:
        index = model.index(model.place_of(document_id), TITLE)
        assert rows[document_id - 1].file_name in index.data(Qt.ItemDataRole.ToolTipRole)
        return str(index.data(SUBTITLE_ROLE))

    assert text_after(8) == "same as A Christmas Carol"
    assert (text_after(2), text_after(3)) == ("", "")
    model.set_rows([replace(row, title=rows[2].title) if row.id == 2 else row for row in rows])
    assert (text_after(2), text_after(3)) == (rows[1].file_name, rows[2].file_name)


# --- the table ---------------------------------------------------------------------------------


def test_ten_thousand_documents_are_sorted_and_filtered(qapp):
    model = DocumentTableModel()
    rows = many_documents(10_000, time.time())
    model.set_rows(rows)
    for column in (TITLE, STATE, NAMES, ADDED):
        model.sort(column, Qt.SortOrder.AscendingOrder)
    model.set_filter("第9999回")
    assert model.rowCount() == 1


def test_changed_counts_repaint_without_a_model_reset(qapp, qtbot):
    model = DocumentTableModel()
    rows = sample_documents(time.time())
    model.set_rows(rows)
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    grown = [replace(row, n_chunks_done=35) if row.id == 3 else row for row in rows]
    with qtbot.waitSignal(model.dataChanged):
        model.set_rows(grown)
    assert resets == []
    ready = model.index(model.place_of(1), STATE)
    assert ready.data() == "" and ready.data(ICON_ROLE) == "check-circle"  # nothing to be done
    assert ready.data(Qt.ItemDataRole.AccessibleTextRole) == "Ready"
    assert model.index(model.place_of(4), STATE).data() == "Ready"  # search by meaning is prepared
    assert model.index(model.place_of(3), STATE).data() == "Indexing"
    assert model.index(model.place_of(3), STATE).data(SHARE_ROLE) == 35 / 120


def test_numbers_are_right_aligned(qapp):
    model = DocumentTableModel()
    model.set_rows(sample_documents(time.time()))
    align = model.index(0, NAMES).data(Qt.ItemDataRole.TextAlignmentRole)
    assert align & int(Qt.AlignmentFlag.AlignRight)


# --- the screen --------------------------------------------------------------------------------


def test_documents_are_listed_latest_first(screen: LibraryScreen):
    assert screen.stack.currentWidget() is screen.list
    assert shown_titles(screen)[0] == "Notes on ferries"
    assert "水浒传" in shown_titles(screen)
    assert screen.count.text() == "3 still being indexed"


def test_an_empty_library_says_what_to_do_and_offers_the_demo(empty_context: FakeContext, qtbot):
    screen = open_screen(empty_context, qtbot)
    assert screen.stack.currentWidget() is screen.empty
    assert screen.empty.title.text() == "Drop a book here"
    with qtbot.waitSignal(screen.demo_wanted):
        qtbot.mouseClick(screen.demo_button, Qt.MouseButton.LeftButton)


def test_the_filter_finds_chinese_and_reports_no_match(screen: LibraryScreen, qtbot):
    qtbot.keyClicks(screen.filter, "carol")
    qtbot.waitUntil(lambda: screen.model.rowCount() == 2)
    screen.filter.setText("青石镇")
    qtbot.waitUntil(lambda: shown_titles(screen) == ["青石镇旧事"])
    screen.filter.setText("no such thing")
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.nothing_found)
    screen.filter.clear()
    qtbot.waitUntil(lambda: screen.model.rowCount() == 9)


def test_return_opens_a_readable_document(screen: LibraryScreen, qtbot):
    screen.list.select(1)
    with qtbot.waitSignal(screen.open_document) as opened:
        qtbot.keyClick(screen.list.table, Qt.Key.Key_Return)
    assert opened.args == [1]
    screen.list.select(6)
    with qtbot.assertNotEmitted(screen.open_document):
        qtbot.keyClick(screen.list.table, Qt.Key.Key_Return)


def test_a_failed_document_shows_the_reason_and_can_be_retried(screen: LibraryScreen, qtbot):
    screen.list.select(6)
    inspector = screen.list.inspector
    assert "No page of this PDF has text" in inspector.state.text()
    assert "212 of 212 pages have no text" in inspector.notes.text()
    assert inspector.retry_button.isVisible() and not inspector.open_button.isVisible()
    with qtbot.waitSignal(screen.retry_wanted) as asked:
        qtbot.mouseClick(inspector.retry_button, Qt.MouseButton.LeftButton)
    assert asked.args == [6]


def test_a_missing_password_is_asked_for(context: FakeContext, qtbot):
    row = DocumentRow(1, "a", "a.pdf", "pdf", "und", "failed", Message("It needs a password."))
    context.library_reader.documents[:] = [row]
    screen = open_screen(context, qtbot)
    screen.list.select(1)
    inspector = screen.list.inspector
    inspector.password.setFocus()
    inspector.password.setText("开门")
    with qtbot.waitSignal(screen.resume_wanted):
        qtbot.keyClick(inspector.password, Qt.Key.Key_Return)
    assert context.documents.calls == [("retry", 1, "开门")]


def test_after_a_wrong_password_the_field_is_ready_for_another(context: FakeContext, qtbot):
    row = DocumentRow(1, "a", "a.pdf", "pdf", "und", "failed", Message("It needs a password."))
    context.library_reader.documents[:] = [row]
    screen = open_screen(context, qtbot)
    screen.list.select(1)
    inspector = screen.list.inspector
    inspector.password.setText("guess")
    inspector.password.setFocus()
    with qtbot.waitSignal(screen.resume_wanted):
        qtbot.keyClick(inspector.password, Qt.Key.Key_Return)
    wrong = Message("the password does not open it.")
    for state, reason in (("reading", Message("")), ("failed", wrong)):
        context.library_reader.documents[:] = [replace(row, state=state, reason=reason)]
        context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
        qtbot.waitUntil(lambda s=state: screen.model.shown_row(0).state == s)
        qtbot.waitUntil(lambda: not screen.is_loading)
    assert describe_state(screen.model.shown_row(0)).text == "Wrong password"
    assert inspector.state.text() == "Failed: the password does not open it."
    assert inspector.password.hasFocus() and inspector.password.selectedText() == "guess"


def test_a_duplicate_opens_its_original(screen: LibraryScreen, qtbot):
    screen.list.select(8)
    link = screen.list.inspector.same_as
    assert link.isVisible() and link.text() == "Same as “A Christmas Carol”"
    screen.model.set_filter("copy")
    link.click()
    assert screen.list.current_row().id == 4 and not link.isVisible()


def test_the_speed_of_the_selected_document_is_shown(screen: LibraryScreen):
    pace = screen.list.inspector.pace
    screen.list.select(3)
    screen.show_progress(Progress("names", 34, 120, 2.4, 95.0, document_id=3))
    assert pace.text() == "34 of 120 passages · 2.4 per second · 2 min left"
    screen.list.select(5)
    assert not pace.isVisible()
    screen.show_progress(Progress("reading", 1, 48, document_id=5))
    assert pace.text() == "1 of 48 pages" and pace.isVisible()


def test_deleting_asks_first(screen: LibraryScreen, context: FakeContext, qtbot):
    screen.list.select(3)
    with qtbot.assertNotEmitted(screen.delete_wanted):
        screen.confirm_delete(screen.list.selected_rows())
    qtbot.waitUntil(lambda: context.messages.last is not None)
    message = context.messages.last
    assert "水浒传" in message.text and message.action_text == "Delete"
    assert "812 names and 3,204 connections go with it" in message.text
    with qtbot.waitSignal(screen.delete_wanted) as asked:
        message.action()
    assert asked.args == [[3]]


def test_several_documents_are_deleted_together_and_reported(screen, context, qtbot):
    rows = [row for row in context.library_reader.documents if row.id in (3, 4)]
    screen.confirm_delete(rows)
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text.startswith("Delete 2 documents from the library? 812 names")
    with qtbot.waitSignal(screen.delete_wanted) as asked:
        context.messages.last.action()
    assert asked.args == [[3, 4]]


def test_renaming_shows_the_new_title(screen: LibraryScreen, qtbot):
    screen.list.select(3)
    qtbot.keyClick(screen.list.table, Qt.Key.Key_F2)
    give_line("忠义水浒传")
    qtbot.waitUntil(lambda: "忠义水浒传" in shown_titles(screen))


def test_excluding_a_document_is_shown_at_once(screen: LibraryScreen, qtbot):
    screen.list.select(1)
    menu = screen.build_document_menu(screen.list.selected_rows())
    next(a for a in menu.actions() if a.text() == "Exclude from answers").trigger()
    place = screen.model.place_of(1)
    qtbot.waitUntil(lambda: screen.model.index(place, STATE).data() == "Excluded")


def test_the_menu_matches_the_state(screen: LibraryScreen, qtbot):
    def words(document_id: int) -> list[str]:
        screen.list.select(document_id)
        menu = screen.build_document_menu(screen.list.selected_rows())
        return [action.text() for action in menu.actions() if action.text()]

    assert "Retry" in words(6) and "Stop" not in words(6)
    assert "Stop" in words(3)
    assert "Resume" in words(9) and "Include in answers" in words(9)


def test_stopping_from_the_menu_names_the_document(screen: LibraryScreen, qtbot):
    screen.list.select(3)
    menu = screen.build_document_menu(screen.list.selected_rows())
    stop = next(action for action in menu.actions() if action.text() == "Stop")
    with qtbot.waitSignal(screen.cancel_wanted) as asked:
        stop.trigger()
    assert asked.args == [3]


def test_the_selection_survives_new_documents(screen: LibraryScreen, context, qtbot):
    screen.list.select(3)
    fresh = DocumentRow(50, "New", "new.txt", "txt", "en", "waiting", added_at=time.time())
    context.library_reader.documents.append(fresh)
    context.hub.publish_edit(ChangeNotice(documents=frozenset({50})))
    qtbot.waitUntil(lambda: screen.model.rowCount() == 10)
    assert screen.list.current_row().id == 3


def test_a_change_during_loading_is_loaded(screen: LibraryScreen, context, qtbot):
    before = context.library_reader.calls.count("list_documents")
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    context.hub.publish_edit(ChangeNotice(documents=frozenset({1})))
    qtbot.waitUntil(lambda: context.library_reader.calls.count("list_documents") == before + 2)


def test_a_failed_load_is_reported_and_can_be_retried(context, qtbot):
    context.library_reader.fail_with = EnvironmentProblem(
        "The library is locked.", "Close it there."
    )
    screen = open_screen(context, qtbot)
    assert screen.stack.currentWidget() is screen.failed
    assert "The library is locked." in screen.failed.text.text()
    screen.refresh()
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.list)


def test_a_narrow_window_hides_columns_and_the_inspector(screen: LibraryScreen, qtbot):
    assert screen.list.inspector.isVisible()
    screen.resize(460, 600)
    qtbot.waitUntil(lambda: screen.list.table.isColumnHidden(NAMES))
    assert not screen.list.inspector.isVisible()
    assert not screen.list.table.isColumnHidden(STATE)


def test_other_columns_give_way_to_the_titles(screen: LibraryScreen, qtbot):
    table, model = screen.list.table, screen.model
    model.set_rows(
        [replace(row, author="Ada Featherstonehaugh", year="1901") for row in model._all]
    )
    model.set_read_shares({1: 0.5})
    for width in (1060, 900, 760):  # with the panel of details, and without it
        screen.resize(width, 700)
        qtbot.waitUntil(lambda width=width: screen.list.width() == width)
        qtbot.waitUntil(lambda: table.columnWidth(TITLE) >= 200)
        assert not table.isColumnHidden(STATE)


def test_any_of_ten_thousand_rows_is_scrolled_to(qapp, qtbot):
    context = FakeContext(n_documents=10_000)
    screen = open_screen(context, qtbot)
    table = screen.list.table
    for place in range(0, 10_000, 1_000):
        table.scrollTo(screen.model.index(place, 0))
        table.viewport().repaint()
        assert table.viewport().rect().intersects(table.visualRect(screen.model.index(place, 0)))
    context.close()


def test_a_quotation_can_be_looked_for_with_the_mouse(screen: LibraryScreen, qtbot):
    wanted: list[str] = []
    screen.quotation_wanted.connect(wanted.append)
    screen.toolbar.quotation_action.trigger()
    screen.filter.setText("It was the best of times")
    [entry] = [a for a in screen.build_more_menu().actions() if "quotation" in a.text()]
    entry.trigger()
    assert entry.text().endswith("Ctrl+Shift+F")
    qtbot.waitUntil(lambda: screen.stack.currentWidget() is screen.nothing_found)
    screen.quotation_button.click()
    assert wanted == ["", "It was the best of times", "It was the best of times"]


def test_without_an_embedding_model_nothing_waits_for_vectors(context, qtbot):
    row = replace(context.library_reader.documents[0], n_windows=9, n_embedded=0)
    context.library_reader.documents[:] = [row]
    screen = open_screen(context, qtbot)
    assert not screen.model.is_settled()
    rows = context.model_registry.rows
    context.model_registry.rows = [
        replace(r, active=r.role != "embedding" and r.active) for r in rows
    ]
    screen.refresh()
    qtbot.waitUntil(screen.model.is_settled)


def test_a_document_leaves_the_list_at_once_and_returns_if_deleting_it_fails(
    screen, context, qtbot, monkeypatch
):
    row = screen.model.shown_row(0)
    started, release = threading.Event(), threading.Event()

    def fail(ids):
        started.set()
        release.wait(20)
        raise UserError("The disk is full.", "Make room.")

    monkeypatch.setattr(context.documents, "trash_documents", fail)
    screen.collections.move_to_trash([row])
    assert screen.model.place_of(row.id) < 0
    assert started.wait(20)
    screen.refresh()  # rows that were read before the deletion ended do not bring it back
    qtbot.waitUntil(lambda: not screen.is_loading)
    assert screen.model.place_of(row.id) < 0
    release.set()
    qtbot.waitUntil(lambda: screen.model.place_of(row.id) == 0)


@pytest.mark.parametrize("inside", [False, True])
def test_a_deleted_document_that_is_restored_is_where_it_was(
    screen, context, qtbot, monkeypatch, inside
):
    at = QPointF(20, 20)
    event = QEnterEvent(at, at, at) if inside else QEvent(QEvent.Type.Leave)
    QApplication.sendEvent(screen.list.table.viewport(), event)
    row = screen.model.shown_row(0)
    change = ChangeNotice(documents=frozenset({row.id}))
    monkeypatch.setattr(context.documents, "trash_documents", lambda ids: (change, ids))
    screen.collections.move_to_trash([row])  # the fake library keeps it, as an undo would
    assert screen.model.place_of(row.id) < 0
    qtbot.waitUntil(lambda: screen.model.place_of(row.id) == 0)


def test_an_edit_of_names_loads_no_documents_while_the_library_is_hidden(screen, context, qtbot):
    qtbot.waitUntil(lambda: context.reader_lane.n_jobs == 0)
    reader = context.library_reader
    screen.hide()
    n_before = reader.calls.count("list_documents")
    context.hub.publish_edit(ChangeNotice(entities=frozenset({1})))
    screen._settle.timeout.emit()
    assert reader.calls.count("list_documents") == n_before and not screen._settle.isActive()
    screen.show()
    assert screen._settle.isActive()
    screen._settle.timeout.emit()
    qtbot.waitUntil(lambda: reader.calls.count("list_documents") == n_before + 1)


# --- several selected documents ----------------------------------------------------------------


def select_two(screen: LibraryScreen) -> list[int]:
    ids = [row.id for row in sample_documents(time.time()) if row.state == "ready"][:2]
    screen.resize(1440, 800)
    screen.list.select(*ids)
    return ids


def test_several_selected_documents_offer_their_actions(screen, context, qtbot):
    panel = screen.list.inspector.several
    assert not panel.isVisible()
    ids = select_two(screen)
    assert panel.isVisible()
    assert [button.text() for button in panel.buttons() if button.isVisible()] == [
        "Open 2 documents", "Add to collection", "Tags", "Details…", "References",
        "Exclude from answers", "Index again…", "Move 2 documents to Trash",
    ]  # fmt: skip
    opened: list[int] = []
    screen.open_document.connect(opened.append)
    panel.open_button.click()
    assert sorted(opened) == ids
    failed = next(row.id for row in sample_documents(time.time()) if row.state == "failed")
    screen.list.select(*ids, failed)
    assert panel.open_button.text() == "Open 2 documents"
    assert panel.again_button.text() == "Index 2 documents again…"
    assert panel.trash_button.text() == "Move 3 documents to Trash"
    screen.list.select(ids[0])
    assert not panel.isVisible()


def test_the_actions_apply_to_all_selected_documents_at_once(screen, context, qtbot):
    ids = select_two(screen)
    panel = screen.list.inspector.several
    panel.aside_button.click()
    qtbot.waitUntil(lambda: ("aside", sorted(ids), True) in sorted_calls(context))
    qtbot.waitUntil(lambda: context.messages.last is not None)
    assert context.messages.last.text == "2 documents excluded from answers"
    assert context.messages.last.action_text == "Undo"
    menu = screen.collections.build_collection_menu(screen.list.selected_rows())
    assert menu.actions()[-1].text() == "New collection…"
    menu.deleteLater()
    chosen = screen.build_more_menu()
    assert "Selected documents" in [action.text() for action in chosen.actions()]
    chosen.deleteLater()


def sorted_calls(context: FakeContext) -> list[tuple]:
    """Return the calls of the service; ids in the order of the list are sorted."""
    return [
        tuple(sorted(part) if isinstance(part, list) else part for part in call)
        for call in context.documents.calls
    ]


def test_the_table_has_the_share_that_is_read_and_the_time_of_documents_of_one_day() -> None:
    model, rows = DocumentTableModel(), sample_documents(time.time())[:2]
    now = time.time() - 86400
    model.set_rows([replace(row, added_at=now) for row in rows])
    model.set_read_shares({rows[0].id: 0.12})
    model.sort(READ, Qt.SortOrder.DescendingOrder)
    assert [model.index(n, READ).data() for n in (0, 1)] == ["12%", ""]
    assert model.index(0, ADDED).data() == format_day_time(now)
    model.set_rows(rows[:1])
    assert model.index(0, ADDED).data() == format_day(rows[0].added_at)
