"""The inspection panel of an answer: recent and stored answers, keys, missing data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop_app.engine.answering.claims import INTRODUCTION
from desktop_app.engine.model import ANSWER_CHECKED, Answer, MessageRow, RetrievalResult, Stage
from desktop_app.ui.chat.inspection import presentation
from desktop_app.ui.chat.inspection.panel import (
    FIRST_ROWS,
    AnswerInspector,
    PromptView,
    StageLine,
)
from desktop_app.ui.chat.inspection.parts import TITLE_ROLE, PassageList, RelationLine
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets.buttons import NameChip
from desktop_app.ui.widgets.emphasis import elide_words
from tests.ui.chat.answers import rich_answer
from tests.ui.fakes import FakeContext


@pytest.fixture
def panel(qtbot, context: FakeContext) -> AnswerInspector:
    made = AnswerInspector(context.theme)
    qtbot.addWidget(made)
    made.resize(320, 800)
    made.show()
    made.show_answer(rich_answer())
    return made


@pytest.fixture
def screen(qtbot, context: FakeContext) -> Iterator[ChatScreen]:
    made = ChatScreen(context)
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show()
    qtbot.waitUntil(lambda: bool(made.empty.questions()))
    yield made


def keep(context: FakeContext, answer: Answer) -> None:
    """Store a question and its answer in chat 12."""
    context.chats.messages[12] = [
        MessageRow(1, 12, "user", "And could she swim?", 0.0),
        MessageRow(
            2, 12, "assistant", answer.text, 0.0, answer.citations, answer.found.passages, "m"
        ),
    ]
    context.chats.answers[2] = answer


def words(widget: QWidget) -> str:
    """Return the texts of all visible labels."""
    labels = widget.findChildren(QLabel)
    return "\n".join(label.text() for label in labels if label.isVisibleTo(widget))


# --- presentation ---------------------------------------------------------------------------------


def test_a_passage_has_its_place_among_those_that_each_route_found() -> None:
    rows = presentation.build_routes(rich_answer())
    assert [row.cited for row in rows] == [True, True, False, False]
    assert [presentation.describe_places(row) for row in rows[1:]] == [
        "2nd of 3 by meaning, 2nd of 2 from name to name, best by mentions of a name,"
        " 2nd of 3 by the reranker",
        "2nd of 2 by words, best by their connections, 3rd of 3 by the reranker",
        "3rd of 3 by meaning",
    ]
    assert presentation.describe_scores(rows[3]) == "Meaning: 3 of 3, score 0.79"


def test_passages_are_those_that_the_model_read_and_the_others(qtbot, panel) -> None:
    answer = rich_answer()
    rows = presentation.build_routes(answer)
    assert [row.is_read for row in rows] == [True, True, False, False]
    shown = words(panel)
    assert "Read by the model: 2" in shown and "Found, not read: 2" in shown
    lists = panel.findChildren(PassageList)
    assert [one.model().rowCount() for one in lists] == [2, 2]
    panel.show_answer(replace(answer, prompt="", citations=()))  # no model was asked
    assert "Found, not read" not in words(panel)


def test_a_heading_in_capitals_is_shown_as_a_title_and_scores_in_the_tooltip(qtbot) -> None:
    answer = rich_answer()
    path = "A CHRISTMAS CAROL › STAVE II: THE FIRST OF THE THREE SPIRITS"
    first = replace(answer.found.passages[1], heading=path)
    found = replace(answer.found, passages=(first,))
    rows = presentation.build_routes(replace(answer, found=found))
    assert rows[0].chapter == "Stave II: The First of the Three Spirits"
    shown = PassageList(Theme("light"), rows)
    qtbot.addWidget(shown)
    tip = shown.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "A Christmas Carol › Stave II" in " ".join(tip.split()) and "score 0.86" in tip


def test_a_row_quotes_its_passage_and_names_its_document() -> None:
    answer = rich_answer()
    rows = presentation.build_routes(answer)
    for row, passage in zip(rows, answer.found.passages, strict=True):
        assert row.quote and row.quote in " ".join(passage.text.split())
        assert row.title == passage.title


def test_a_row_marks_the_sentence_that_is_cited_or_nearest_to_the_question() -> None:
    answer = rich_answer()
    rows = presentation.build_routes(answer)
    by_chunk = {c.chunk_id: c for c in reversed(answer.citations)}
    passages = answer.found.passages
    for row, passage in zip(rows, passages, strict=True):
        marked = row.quote[slice(*row.marked)]
        if citation := by_chunk.get(passage.chunk_id):
            start = citation.start - passage.start
            stored = passage.text[start : citation.end - passage.start]
            assert marked == " ".join(stored.split())
        assert marked


def test_an_excerpt_has_the_marked_sentence_in_its_middle() -> None:
    sentence = "This one is cited."
    text = f"{'Before it. ' * 20}{sentence}{' After it.' * 20}"
    start = text.index(sentence)
    shown, (first, last) = presentation.cut_excerpt(text, (start, start + len(sentence)), 100)
    assert shown[first:last] == sentence and shown.startswith("… ") and 20 < first < 60
    assert presentation.cut_excerpt(text, (0, 10), 100) == (text, (0, 10))
    long = f"Before. {'word ' * 60}"
    shown, (first, _) = presentation.cut_excerpt(long, (8, len(long)), 100)
    assert shown[first:].startswith("word") and first == 2


def test_only_the_sentences_that_the_answer_cites_are_marked() -> None:
    rows = presentation.build_routes(rich_answer())
    marks = {row.cited: presentation.build_excerpt(row, 2_000)[1] for row in rows}
    assert marks[True] != (0, 0) and marks[False] == (0, 0)


def test_the_outcome_comes_first_and_lists_the_rejected_sentences(qtbot, panel) -> None:
    answer = rich_answer()
    assert panel.sections[0].title == "Outcome"
    assert "were not checked" in words(panel.sections[0])

    def show(kept: tuple[str, ...], dropped: tuple[str, ...], text: str = "") -> str:
        stages = (*answer.found.stages, Stage(ANSWER_CHECKED, kept, dropped))
        found = replace(answer.found, stages=stages)
        panel.show_answer(replace(answer, found=found, text=text or answer.text))
        return words(panel.sections[0])

    assert "2 sentences were confirmed" in show(("She rows. 0.91", "He sings. 0.80"), ())
    mixed = show(("She rows. 0.91",), ("He flies (a bit). (its passage does not say “flies”)",))
    assert "1 of 2 sentences could not be confirmed" in mixed
    assert "He flies (a bit).\n" in mixed and "Reason: its passage does not say “flies”" in mixed
    quoted = show((), ("He flies. (unclear)",), f"{INTRODUCTION['en']}\n\n> She rows. [1]")
    assert quoted.strip().startswith("The model wrote 1 sentence") and "He flies." in quoted


def test_a_rejected_sentence_names_the_passage_that_it_was_compared_with(qtbot, panel) -> None:
    answer = rich_answer()
    ids = int(answer.found.passages[1].chunk_id), 0
    dropped = ("He flies. (unclear)", "He sings. (uncited)")
    stage = Stage(ANSWER_CHECKED, (), dropped, compared=ids)
    shown = replace(answer, found=replace(answer.found, stages=(stage,)))
    first, second = presentation.list_rejected(shown)
    assert first[:2] == ("He flies.", "unclear") and "第三回" in first[2] and second[2] == ""
    panel.show_answer(shown)
    text = words(panel.sections[0])
    assert text.count("Compared with: ") == 1 and "第三回" in text


def test_the_order_of_passages_and_the_words_searched_for_are_shown(qtbot, panel) -> None:
    answer = rich_answer()
    assert "by the reranker" in presentation.describe_order(answer.found)
    plain = tuple(replace(p, routes=p.routes[:1]) for p in answer.found.passages)
    found = replace(answer.found, passages=plain)
    assert "words and meaning combined" in presentation.describe_order(found)
    assert presentation.describe_order(replace(found, mode="words")).endswith("the question.")
    assert presentation.describe_order(replace(found, mode="overview")) == ""
    assert presentation.describe_order(replace(found, passages=())) == ""
    assert presentation.list_words(found) == [
        "Ada",
        "Merrow",
        "ferrywoman",
        "Harrow",
        "Ford",
        "swim",
    ]
    assert presentation.list_words(replace(found, question="林冲是谁？")) == []
    assert "Order: by the reranker" in words(panel) and "Ada, Merrow, ferrywoman" in words(panel)


def test_a_row_leads_with_the_number_of_its_citation(qtbot) -> None:
    rows = presentation.build_routes(rich_answer())
    shown = PassageList(Theme("light"), rows)
    qtbot.addWidget(shown)
    spoken = [shown.model().index(n, 0).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(4)]
    assert spoken[0].startswith("Source 1, ") and spoken[1].startswith("Source 2, ")
    assert spoken[2].startswith("Passage 3, ")


def test_the_title_of_a_document_is_shown_where_it_changes(qtbot) -> None:
    first = presentation.build_routes(rich_answer())[0]
    rows = [replace(first, rank=n, document_id=d, title=f"T{d}", place="Stave I")
            for n, d in enumerate((1, 1, 2, 1), 1)]  # fmt: skip
    shown = PassageList(Theme("light"), rows)
    qtbot.addWidget(shown)
    model = shown.model()
    titles = [model.index(row, 0).data(TITLE_ROLE) for row in range(4)]
    assert titles == ["T1", "", "T2", "T1"]


def test_a_line_without_room_ends_with_a_whole_word(qtbot) -> None:
    metrics = QFontMetrics(QGuiApplication.font())
    text = "The consequences of this, nevertheless, were felt"
    for width in range(60, metrics.horizontalAdvance(text), 7):
        shown = elide_words(metrics, text, width)
        assert metrics.horizontalAdvance(shown) <= width
        kept = shown.removesuffix("…")
        assert shown != kept and text.startswith(kept)
        assert not text[len(kept)].isalnum() and kept[-1] != ","
    assert elide_words(metrics, text, 9_999) == text
    assert elide_words(metrics, "Donaudampfschifffahrt", 60).endswith("…")
    assert elide_words(metrics, "林冲的妻子是张教头的女儿", 60).startswith("林")


def test_a_row_has_the_numbers_of_its_citations_and_no_markup() -> None:
    answer = rich_answer()
    first = answer.found.passages[0]
    text = "## IV. Gull\nThere was *one* man."
    marked = replace(first, text=text, best_start=first.start, best_end=first.start + len(text))
    found = replace(answer.found, passages=(marked, *answer.found.passages[1:]))
    rows = presentation.build_routes(replace(answer, found=found))
    assert rows[0].quote == "There was one man."
    for row, passage in zip(rows, found.passages, strict=True):
        cited = [c.number for c in answer.citations if c.chunk_id == passage.chunk_id]
        assert list(row.numbers) == cited and row.cited == bool(cited)
    plain = replace(
        marked, text="IV. Gull\nThere was one man.", heading="I › IV. Gull", page_label=""
    )
    plain = replace(plain, best_end=plain.start + len(plain.text))
    row = presentation.build_routes(replace(answer, found=replace(found, passages=(plain,))))[0]
    assert row.quote == "There was one man." and row.chapter == "IV. Gull"
    first, second = answer.citations[:2]  # of an older version: by their place in the prompt
    old = replace(first, number=2), replace(second, number=1)
    rows = presentation.build_routes(replace(answer, text="So [2], and so [1].", citations=old))
    assert [row.numbers for row in rows] == [(row.rank,) if row.numbers else () for row in rows]
    assert sum(row.cited for row in rows) == 2


def test_a_row_is_as_high_as_its_quotation_and_paints_it(qtbot) -> None:
    theme, rows = Theme("light"), presentation.build_routes(rich_answer())
    silent = [replace(row, quote="") for row in rows]
    pictures, heights = [], []
    for shown in (rows, silent):
        widget = PassageList(theme, shown)
        qtbot.addWidget(widget)
        widget.resize(320, 400)
        heights.append(widget.sizeHintForRow(0))
        pictures.append(widget.grab().toImage())
    assert pictures[0] != pictures[1] and heights[0] > heights[1]


def test_a_route_without_a_label_comes_after_the_others() -> None:
    answer = rich_answer()
    first = replace(answer.found.passages[0], routes=(("moonlight", 1.0), ("words", 2.0)))
    found = replace(answer.found, passages=(first,))
    [row] = presentation.build_routes(replace(answer, found=found))
    assert presentation.describe_places(row) == "Best by words, best moonlight"


@pytest.mark.parametrize(
    ("score", "shown_text"),
    [(12.21, "12.2"), (0.8849, "0.88"), (163.4, "163"), (0.0004, "4e-4"), (0, "0.00")],
)
def test_scores_are_short_but_distinguish_passages(score, shown_text) -> None:
    assert presentation.format_score(score) == shown_text


def test_the_time_to_the_first_word_includes_retrieval_and_reading() -> None:
    times = dict(presentation.answer_times(rich_answer()))
    finding = sum(ms for _, ms in presentation.finding_times(rich_answer().found))
    assert times["reading the prompt"] + finding == pytest.approx(2300)
    assert times["writing"] == pytest.approx(7100)


def test_time_is_not_counted_twice_for_a_stage_with_two_names() -> None:
    stages = (Stage("entities", ms=5.0), Stage("context", ms=0.5))
    found = RetrievalResult(
        "q", "local", (), timings_ms={"graph": 5.0, "total": 5.0}, stages=stages
    )
    assert presentation.finding_times(found) == [("graph", 5.0), ("context", 0.5)]
    assert presentation.finding_times(replace(found, timings_ms={})) == [
        ("entities", 5.0),
        ("context", 0.5),
    ]


def test_a_shortened_stage_still_counts_all_its_items() -> None:
    assert presentation.count_labels(("a", "b", "… 80")) == 82
    assert presentation.count_labels(("a", "… and so on")) == 2
    assert presentation.count_labels(()) == 0


# --- the panel -----------------------------------------------------------------------------------


def test_the_panel_shows_all_parts_of_an_answer(qtbot, panel: AnswerInspector) -> None:
    qtbot.waitUntil(lambda: "No reranker is installed." in words(panel))
    shown_text = words(panel)
    assert (
        "Could Ada Merrow, the ferrywoman" in shown_text
        and "Asked: And could she swim?" in shown_text
    )
    assert "1,204 tokens" in shown_text and "qwen2." in shown_text
    technical = panel.sections[-1]
    assert "after 2.3 s" not in shown_text  # of no use to most
    technical.button.setChecked(True)
    assert "after 2.3 s" in words(technical) and "1,204 tokens" in words(technical)
    assert "“Ada” alone is less likely" in shown_text
    names = {chip.text() for chip in panel.findChildren(NameChip)}
    assert {"ferry work", "Ada Merrow", "Great Flood"} <= names
    assert [s.title for s in panel.sections] == [
        "Outcome", "Searched for", "Passages", "Connections used", "Search steps", "Time",
        "Prompt", "Technical details",
    ]  # fmt: skip


def test_a_step_unfolds_into_what_it_kept_and_dropped(qtbot, panel: AnswerInspector) -> None:
    names, many = panel.findChildren(StageLine)[:2]
    assert "Harrow Ford 0.90" not in words(names)
    names.fold.button.click()
    qtbot.waitUntil(lambda: "Harrow Ford 0.90" in words(names) and "Ada 0.41" in words(names))
    many.fold.button.click()
    qtbot.waitUntil(lambda: "and 110 more" in words(many))


def test_names_are_links_and_search_words_are_not(qtbot, panel: AnswerInspector) -> None:
    chips = {chip.accessibleName(): chip for chip in panel.findChildren(NameChip)}
    with qtbot.waitSignal(panel.open_entity) as opened:
        qtbot.keyClick(chips["Great Flood, event"], Qt.Key.Key_Space)
    assert opened.args == [4]
    assert chips["ferry work"].focusPolicy() == Qt.FocusPolicy.NoFocus


def test_a_connection_opens_its_evidence(qtbot, panel: AnswerInspector) -> None:
    line = panel.findChildren(RelationLine)[0]
    with qtbot.waitSignal(panel.open_passage) as opened:
        qtbot.keyClick(line, Qt.Key.Key_Space)
    assert opened.args == [1, 1032, 1080]


def test_arrow_keys_move_through_the_passages_and_enter_opens_the_passage(qtbot, panel) -> None:
    table = panel.findChildren(PassageList)[0]
    table.setFocus()
    qtbot.waitUntil(lambda: table.currentIndex().isValid())
    qtbot.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.open_passage) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    passage = rich_answer().found.passages[table.currentIndex().row()]
    assert opened.args == [passage.document_id, passage.best_start, passage.best_end]


def test_long_lists_begin_short_and_are_shown_whole_on_demand(qtbot, panel) -> None:
    answer = rich_answer()
    many = tuple(replace(answer.found.passages[2], chunk_id=900 + i) for i in range(18))
    found = replace(
        answer.found,
        passages=(*answer.found.passages[:2], *many),
        relations=answer.found.relations * 10,
    )
    panel.show_answer(replace(answer, found=found))
    passages, connections = panel.sections[2:4]
    lists = passages.findChildren(PassageList)
    assert sum(one.model().rowCount() for one in lists) == FIRST_ROWS
    assert len(connections.findChildren(RelationLine)) == 6
    for section in (passages, connections):
        all_of = [b for b in section.findChildren(QPushButton) if b.text() == "Show all 20"]
        all_of[0].click()
    qtbot.waitUntil(lambda: len(connections.findChildren(RelationLine)) == 20)
    qtbot.waitUntil(
        lambda: sum(t.model().rowCount() for t in passages.findChildren(PassageList)) == 20
    )


def test_cited_passages_are_always_among_the_first(qtbot, panel: AnswerInspector) -> None:
    answer = rich_answer()
    cited = answer.found.passages[1]
    others = tuple(replace(cited, chunk_id=500 + i) for i in range(9))
    found = replace(answer.found, passages=(*others, cited))
    panel.show_answer(replace(answer, found=found))
    assert sum(one.model().rowCount() for one in panel.sections[2].findChildren(PassageList)) == 10
    panel.show_answer(replace(answer, found=found, citations=(), prompt=""))
    assert (
        sum(one.model().rowCount() for one in panel.sections[2].findChildren(PassageList))
        == FIRST_ROWS
    )


def test_many_short_times_are_shown_as_one() -> None:
    times = [(f"step {i}", float(i)) for i in range(12)]
    shortened = presentation.shorten_times(times, 4)
    assert shortened == [
        ("step 9", 9.0),
        ("step 10", 10.0),
        ("step 11", 11.0),
        ("other steps", 36.0),
    ]
    assert presentation.shorten_times(times[:4], 4) == times[:4]


def test_the_prompt_is_folded_and_copied_whole(qtbot, panel: AnswerInspector) -> None:
    section = panel.sections[-1]
    assert not section.button.isChecked()
    section.button.click()
    view = panel.findChildren(PromptView)[0]
    assert view.text.isReadOnly() and view.text.toPlainText() == rich_answer().prompt
    view.copy_button.click()
    assert QGuiApplication.clipboard().text() == rich_answer().prompt
    panel.show_answer(rich_answer())
    assert panel.sections[-1].button.isChecked()  # it stays as the user left it


def test_missing_data_is_stated(qtbot, panel: AnswerInspector) -> None:
    panel.show_answer(Answer("Yes.", (), RetrievalResult("", "walk", ()), "m"))
    qtbot.waitUntil(lambda: presentation.NOT_KEPT in words(panel))
    assert presentation.NOTHING_FOUND in words(panel)
    panel.sections[-1].button.setChecked(True)
    qtbot.waitUntil(lambda: presentation.NO_PROMPT in words(panel))


def test_an_answer_without_retrieval_shows_no_passages(qtbot, panel: AnswerInspector) -> None:
    panel.show_answer(
        Answer("Yes.", (), RetrievalResult("Who?", "bypass", ()), "m", "Who?", seconds=2.0)
    )
    qtbot.waitUntil(lambda: presentation.BYPASSED in words(panel))
    assert [s.title for s in panel.sections] == ["Time", "Prompt", "Technical details"]


@pytest.mark.parametrize("width", [260, 320, 600])
def test_nothing_is_wider_than_the_panel(qtbot, panel: AnswerInspector, width: int) -> None:
    panel.resize(width, 800)
    for line in panel.findChildren(StageLine):
        line.fold.button.setChecked(True)
    body = panel.scroll_area.widget()
    qtbot.waitUntil(lambda: body.width() <= panel.scroll_area.viewport().width())
    assert body.minimumSizeHint().width() <= width


# --- in the chat ---------------------------------------------------------------------------------


def test_an_answer_from_history_is_loaded_for_its_panel(qtbot, context, screen) -> None:
    keep(context, rich_answer())
    screen.open_chat(12)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    screen.turns.widgets()[0].inspect_button.click()
    panel = screen.inspector.panel
    qtbot.waitUntil(lambda: panel.answer == rich_answer())
    assert panel.isVisible() and screen.column.isVisible()
    with qtbot.waitSignal(screen.open_entity):
        next(c for c in panel.findChildren(NameChip) if c.text() == "Great Flood").click()


def test_a_fresh_answer_has_its_panel_and_escape_closes_it(qtbot, screen) -> None:
    screen.ask("Who is Ada Merrow?")
    qtbot.waitUntil(lambda: screen.turns.widgets()[0].inspect_button.isVisible())
    button = screen.turns.widgets()[0].inspect_button
    button.click()
    panel = screen.inspector.panel
    assert panel.isVisible() and panel.answer.prompt == "prompt"
    qtbot.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    button.click()
    qtbot.keyClick(screen.box.edit, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_the_button_is_pressed_while_its_panel_is_open_and_closes_it(qtbot, screen) -> None:
    screen.ask("Who is Ada?")
    screen.ask("Who is Tom?")
    qtbot.waitUntil(lambda: [w.turn.answered for w in screen.turns.widgets()] == [True, True])
    first, second = (widget.inspect_button for widget in screen.turns.widgets())
    first.click()
    assert screen.inspector.is_open and first.isChecked() and not second.isChecked()
    second.click()
    assert screen.inspector.is_open and second.isChecked() and not first.isChecked()
    second.click()
    assert not screen.inspector.is_open and not second.isChecked()
    first.click()
    screen.inspector.close()
    assert not first.isChecked()


def test_a_deleted_answer_is_reported_in_its_panel(qtbot, context, screen) -> None:
    keep(context, rich_answer())
    context.chats.answers.clear()
    screen.open_chat(12)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    screen.turns.widgets()[0].inspect_button.click()
    qtbot.waitUntil(lambda: presentation.NOT_KEPT in words(screen.inspector.panel))


def test_in_a_narrow_window_the_panel_replaces_the_chat(qtbot, screen) -> None:
    screen.ask("Who is Ada Merrow?")
    qtbot.waitUntil(lambda: screen.turns.widgets()[0].inspect_button.isVisible())
    screen.resize(500, 700)
    screen.turns.widgets()[0].inspect_button.click()
    assert screen.inspector.panel.isVisible() and not screen.column.isVisible()
    screen.resize(1200, 700)
    qtbot.waitUntil(screen.column.isVisible)
    screen.inspector.close()
    assert screen.column.isVisible() and not screen.inspector.panel.isVisible()


def test_another_chat_closes_the_panel(qtbot, context, screen) -> None:
    keep(context, rich_answer())
    screen.open_chat(12)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    screen.turns.widgets()[0].inspect_button.click()
    screen.new_chat()
    assert not screen.inspector.is_open


def test_a_shortcut_opens_the_panel_of_the_last_answer(qtbot, screen) -> None:
    screen.toggle_inspector()
    assert not screen.inspector.is_open  # nothing was answered yet
    screen.ask("Who is Ada Merrow?")
    qtbot.waitUntil(lambda: screen.turns.widgets()[0].inspect_button.isVisible())
    screen.toggle_inspector()
    assert screen.inspector.panel.answer is not None
    screen.toggle_inspector()
    assert not screen.inspector.is_open


def test_the_chat_stays_when_a_citation_opens_the_reader_beside_it(qtbot, screen) -> None:
    screen.ask("Who is Ada Merrow?")
    qtbot.waitUntil(lambda: screen.turns.widgets()[0].inspect_button.isVisible())
    turn = screen.turns.widgets()[0]
    turn.inspect_button.click()
    turn.answer.mark_clicked.emit(1)
    screen.resize(500, 700)  # the reader takes the rest
    qtbot.waitUntil(lambda: not screen.inspector.is_open)
    assert screen.column.isVisible()
    screen.resize(1200, 700)
    turn.inspect_button.click()
    screen.inspector.panel.open_passage.emit(1, 0, 5)
    screen.resize(500, 700)
    qtbot.waitUntil(lambda: not screen.column.isVisible())
    assert screen.inspector.panel.isVisible()
