"""Sources as cards: grouped by document, with the cited sentence and the relevance."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtWidgets import QLabel

from desktop_app.engine.answering.citations import cite
from desktop_app.engine.answering.claims import SPOKEN
from desktop_app.engine.answering.guesses import PERHAPS
from desktop_app.engine.model import Citation, Passage
from desktop_app.engine.text.shown_text import ShownText
from desktop_app.engine.text_tables import TableStart
from desktop_app.ui.chat.answer_view import LINE_PX, QUOTE_PX
from desktop_app.ui.chat.pins import Pins
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.chat.sources import (
    MOST_LINES,
    RelevanceBar,
    SourceCard,
    SourceList,
    build_sources,
    cut_sentence,
    join_introductions,
)
from desktop_app.ui.chat.turn_widget import TurnWidget
from desktop_app.ui.chat.turns import Turn, turn_of_answer
from desktop_app.ui.widgets import ElidedLabel, Label
from tests.ui.chat.answers import FERRY, OUTLAWS, rich_answer
from tests.ui.fakes import FakeContext


def test_cited_sentences_are_marked_within_their_passages() -> None:
    sources = build_sources(turn_of_answer("q", rich_answer()))
    assert [(s.number, s.is_cited) for s in sources] == [
        (1, True), (2, True), (3, False), (4, False),
    ]  # fmt: skip
    assert sources[0].before.startswith("Every morning") and sources[0].place == "p. 12"
    assert sources[0].quote.startswith("Ada Merrow was the ferrywoman")
    assert sources[1].quote == "后来他上了黑风寨，做了第三把交椅。"


def test_relevance_is_shown_in_words_and_never_high_for_weak_matches() -> None:
    turn = turn_of_answer("q", rich_answer())
    matches = [s.closeness for s in build_sources(turn)]
    assert matches == ["Strong match", "Good match", "Good match", "Weak match"]
    assert {s.closeness for s in build_sources(replace(turn, weak=True))} == {"Weak match"}
    without = replace(turn, passages=())
    assert {s.closeness for s in build_sources(without)} == {""}


@pytest.fixture
def cards(qtbot, context: FakeContext) -> SourceList:
    made = SourceList(context.theme, turn_of_answer("q", rich_answer()), Pins())
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show()
    return made


def test_arrow_keys_move_between_cards_and_enter_opens_one(qtbot, cards: SourceList) -> None:
    cards.cards[0].setFocus()
    qtbot.keyClick(cards.cards[0], Qt.Key.Key_Down)
    qtbot.waitUntil(cards.cards[1].hasFocus)
    with qtbot.waitSignal(cards.opened) as opened:
        qtbot.keyClick(cards.cards[1], Qt.Key.Key_Return)
    citation = rich_answer().citations[1]
    assert opened.args == [2, citation.start, citation.end]
    qtbot.keyClick(cards.cards[1], Qt.Key.Key_Up)
    qtbot.waitUntil(cards.cards[0].hasFocus)


def test_passages_that_are_not_cited_are_shown_on_request_without_highlight(
    qtbot, context: FakeContext, cards: SourceList
) -> None:
    n_cited = len(rich_answer().citations)
    assert len(cards.cards) == n_cited
    assert cards.more_button.text() == "Show 2 more passages"
    cards.more_button.click()
    assert len(cards.cards) == len(rich_answer().found.passages)
    mark = context.theme.tint().name(QColor.NameFormat.HexArgb)
    texts = [card.findChildren(QLabel)[-1].text() for card in cards.cards]
    assert [mark in text for text in texts] == [True] * n_cited + [False] * 2


def test_a_quotation_leaves_out_the_heading_of_its_passage_and_signs_of_emphasis(
    qtbot, context: FakeContext
) -> None:
    text = "## IV. Gull\n\nThere was _one_ man. He sailed *his* brig."
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, text.index("He"), len(text))
    citation = Citation(1, 1, 1, "T", text.index("He"), len(text), "He sailed *his* brig.")
    [source] = build_sources(Turn("q", citations=(citation,), passages=(passage,)))
    assert source.before == "There was _one_ man. "
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    shown = QTextDocument()
    shown.setHtml(card.findChildren(QLabel)[-1].text())
    assert shown.toPlainText() == "There was one man. He sailed his brig."
    assert card.accessibleDescription() == "He sailed his brig."


def test_a_passage_does_not_begin_with_the_chapter_that_is_its_location() -> None:
    text = "第三回 望潮楼\n银子补足了。韩绍无话可说。"
    start = text.index("韩绍")
    passage = Passage(1, 1, "T", 50, 50 + len(text), 1.0, text, 50 + start, 50 + len(text),
                      heading="第三回 望潮楼")  # fmt: skip
    [source] = build_sources(Turn("q", passages=(passage,)))
    assert (source.before, source.quote) == ("银子补足了。", "韩绍无话可说。")


def test_a_card_describes_place_and_relevance_to_screen_readers(cards: SourceList) -> None:
    assert cards.cards[0].accessibleName() == f"Source 1, {FERRY}, p. 12, strong match"


def test_cards_of_one_document_are_grouped_under_its_title(cards: SourceList) -> None:
    cards.more_button.click()
    labels = [label for label in cards.findChildren(ElidedLabel) if label.isVisible()]
    shown = [text for text in (label.full_text() for label in labels) if text in (FERRY, OUTLAWS)]
    assert shown == [FERRY, OUTLAWS, FERRY]  # in the order of their numbers


def test_a_pinned_passage_is_read_first_by_the_next_questions_of_its_chat(
    qtbot, talk: FakeContext, screen: ChatScreen
) -> None:
    pins, row = screen.column.pins, screen.column.pins_row
    cards = SourceList(talk.theme, turn_of_answer("q", rich_answer()), pins, screen)
    cards.show()
    first, second = cards.cards[:2]
    assert row.isHidden() and screen.options.param.pinned_chunk_ids == ()
    for card in (second, first):
        qtbot.mouseClick(card.pin_button, Qt.MouseButton.LeftButton)
    chunks = tuple(c.chunk_id for c in rich_answer().citations[1::-1])
    assert screen.options.param.pinned_chunk_ids == chunks
    assert not row.isHidden() and "p. 12" in row.words.full_text()
    again = SourceList(talk.theme, turn_of_answer("q", rich_answer()), pins, screen)
    assert [card.pin_button.isChecked() for card in again.cards] == [True, True]
    screen.ask("Who is Ada?")
    qtbot.waitUntil(lambda: screen.chat_id is not None)
    chat_id = screen.chat_id
    assert screen.options.param.pinned_chunk_ids == chunks
    screen.new_chat()
    assert row.isHidden() and screen.options.param.pinned_chunk_ids == ()
    screen.open_chat(chat_id)
    assert screen.options.param.pinned_chunk_ids == chunks
    row.clear_button.click()
    assert row.isHidden() and not first.pin_button.isChecked()


def test_the_best_sentence_has_a_tint_also_if_it_is_the_whole_excerpt(
    qtbot, context: FakeContext
) -> None:
    for text, start in (("There was one. He sailed.", 15), ("There he sailed.", 0)):
        passage = Passage(1, 1, "T", 0, len(text), 1.0, text, start, len(text))
        [source] = build_sources(Turn("q", passages=(passage,)))
        card = SourceCard(context.theme, source, Pins())
        qtbot.addWidget(card)
        assert "background-color" in card.findChildren(QLabel)[-1].text()
        card.resize(400, 100)
        card.show()
        quote = card.findChildren(QLabel)[-1].geometry()
        text_left = quote.left() + card.findChildren(QLabel)[-1].contentsMargins().left()
        assert card.find_rule().right() < text_left  # the rule of the excerpt
    assert context.theme.tint().alphaF() < 1


def test_a_passage_without_a_mark_is_no_darker_than_the_marked_ones(
    qtbot, context: FakeContext
) -> None:
    text = "There was one. He sailed."
    passages = tuple(Passage(n, 1, "T", 0, len(text), 1.0, text, 0, 14) for n in (1, 2))
    citation = Citation(1, 1, 1, "T", 0, 14, "There was one.")
    cited, other = build_sources(Turn("q", passages=passages, citations=(citation,)))
    assert cited.is_cited and other.is_other
    tokens = context.theme.tokens
    for source, inks in ((cited, {tokens.text}), (other, {tokens.text2})):
        card = SourceCard(context.theme, source, Pins())
        qtbot.addWidget(card)
        shown = card.findChildren(QLabel)[-1].text()
        assert {ink for ink in (tokens.text, tokens.text2) if f"color:{ink}" in shown} == inks


def test_a_passage_keeps_number_card_and_excerpt_when_its_answer_is_finished(
    qtbot, context: FakeContext
) -> None:
    text = "There was one--he sailed. She rowed. Nobody slept."
    passages = tuple(
        Passage(n, 1 + n // 3, "T", 60 * n, 60 * n + len(text), 1.0 / n, text, 60 * n, 60 * n + 25)
        for n in range(1, 7)
    )
    before = Turn("Who rowed?", passages=passages)
    made = SourceList(context.theme, before, Pins(), at_first=4)
    qtbot.addWidget(made)
    made.resize(500, 900)
    made.show()
    cards = made.cards
    assert [card.mark.number for card in cards] == ["1", "2", "3", "4"]
    quote = cards[0].findChildren(QLabel)[-1]
    assert "one—he" in quote.text() and context.theme.tokens.text2 not in quote.text()
    assert quote.font().pixelSize() == context.theme.px(QUOTE_PX)
    shown = {card.mark.number: text_of(card.findChildren(QLabel)[-1]) for card in cards}
    marks = {card.mark.number: card.accessibleDescription() for card in cards}
    assert marks["2"] == "She rowed."
    cited = tuple(Citation(n, n, 1 + n // 3, "T", 0, 25, text[:25]) for n in (2, 5))
    quoted = "These passages come nearest:\n\n> one [2]\n\n> two [5]"
    closeness = [card.source.closeness for card in made.cards]
    done = replace(before, text=quoted, citations=cited, answered=True, model="m", weak=True)
    made.show_turn(done)
    assert [card.mark.number for card in made.cards] == ["1", "2", "3", "4", "5"]
    assert made.cards[:4] == cards and not any(card.mark.is_quiet for card in cards)
    for card in cards:
        assert text_of(card.findChildren(QLabel)[-1]) == shown[card.mark.number]
        assert card.accessibleDescription() == marks[card.mark.number], "the question's sentence"
    assert made.more_button.text() == "Show 1 more passage"
    made.more_button.click()
    assert [card.mark.number for card in made.cards] == list("123456")
    assert [card.source.closeness for card in made.cards[:4]] == closeness
    assert made.cards[0].y() < made.cards[1].mapTo(made, made.cards[1].rect().topLeft()).y()


def test_an_answer_marks_the_sentence_that_supports_it(qtbot, context: FakeContext) -> None:
    text = "There was one. She rowed. Nobody slept."
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, 0, 14)
    before = Turn("Who rowed?", passages=(passage,))
    [asked] = build_sources(before)
    citation = Citation(1, 1, 1, "T", 26, len(text), text[26:])
    done = replace(before, text="All were awake [1].", citations=(citation,), answered=True)
    [cited] = build_sources(done)
    assert (asked.quote, cited.quote) == ("She rowed.", "Nobody slept.")
    whole = [s.before + s.quote + s.after for s in (asked, cited)]
    assert whole[0] == whole[1], "the excerpt stays"


def test_a_heading_with_other_blanks_than_the_location_is_left_out_too() -> None:
    text = "第九回　林教头风雪山神庙　陆虞候火烧草料场\n\n话说当日林冲正闲走间，忽然背后人叫。"
    place = "第九回 林教头风雪山神庙 陆虞候火烧草料场"
    passage = Passage(1, 1, "水浒传", 0, len(text), 1.0, text, 0, 9, heading=place)
    [source] = build_sources(Turn("林冲在哪里？", passages=(passage,)))
    assert source.place.endswith(place) and "第九回" not in source.passage.text


def test_a_short_answer_marks_its_words_in_the_sentence_that_confirms_it() -> None:
    text = "She came upon a table. There was nothing on it but a tiny golden key. She cried."
    passage = Passage(1, 1, "Alice", 0, len(text), 1.0, text, 0, len(text))
    start = text.index("There")
    citation = Citation(1, 1, 1, "Alice", start, len(text) - 11, text[start : len(text) - 11])
    turn = Turn(
        "What is on the table?",
        "A tiny golden key. [1]",
        (citation,),
        (passage,),
        model="tiny",
        answered=True,
        n_confirmed=1,
    )
    assert turn.is_confirmed and turn.checked_against == (1,)
    [source] = build_sources(turn)
    assert source.quote == "a tiny golden key"
    spoken = f"Golden key [1].{SPOKEN['en']}"
    [source] = build_sources(replace(turn, text=spoken))
    assert source.quote == "golden key", "who says so is not looked for"
    told = "She finds a tiny golden key on the table. [1]"
    [source] = build_sources(replace(turn, text=told))
    assert source.quote == "a tiny golden key", "what is asked is not marked"
    [source] = build_sources(replace(turn, text="Something that opens small doors. [1]"))
    assert source.quote.startswith("There was nothing"), "said in other words"
    assert not replace(turn, n_confirmed=0).is_confirmed  # not checked


def test_a_cell_that_no_model_stated_is_a_confirmed_answer() -> None:
    text = "Country | 1998\nFrance | 1,503\nSpain | 618"
    passage = Passage(1, 1, "GDP", 0, len(text), 1.0, text, 0, len(text))
    start = text.index("1,503")
    cited = Citation(1, 1, 1, "GDP", start, start + 5, "1,503")
    stated = "France, 1998: 1,503 [1]."
    turn = Turn("France?", stated, (cited,), (passage,), answered=True, n_confirmed=1)
    assert turn.is_confirmed and not turn.is_passages_only
    [source] = build_sources(turn)
    assert source.quote == "1,503" and "row 2, column 2" in source.place
    passages = replace(turn, text="These passages:\n\n> France | 1,503 [1]", n_confirmed=0)
    assert passages.is_passages_only and not passages.is_confirmed


def test_the_sentence_of_an_answer_that_may_be_right_is_marked() -> None:
    text = "The ferry was old. Her name was Selina Goby. Nobody else rowed it."
    passages = tuple(Passage(n, 1, "T", 0, len(text), 1.0 / n, text, 0, 18) for n in (1, 2))
    at = text.index("Her name"), text.index(" Nobody")
    cited = (
        cite(1, passages[0], 0, 18),
        cite(2, passages[1], 0, len(text)),
        cite(2, passages[1], *at),
    )
    head = PERHAPS["en"].format("Selina Goby", 2)
    turn = Turn(
        "What was old?", f"{head}\n\n> Ferry [1]", cited, passages, answered=True, model="m"
    )
    first, second = build_sources(turn)
    assert second.is_marked and text[second.start : second.end] == "Her name was Selina Goby."
    assert text[first.start : first.end] == "The ferry was old."


def test_a_sentence_is_cut_after_the_marked_words_where_there_is_room(context) -> None:
    font = context.theme.font("text")
    words = "nothing but a tiny golden key"
    text = f"On it was {words}, and " + "so on and " * 90
    start = text.index(words)
    start, end = cut_sentence(ShownText(text), 0, (start, start + len(words)), font, 300, 3)
    assert start == 0 and words in text[start:end] and end < len(text)
    text = "so on and " * 90 + words + " and so on" * 90
    at = text.index(words)
    start, end = cut_sentence(ShownText(text), 0, (at, at + len(words)), font, 300, 3)
    assert start == at and text[start:end].startswith(words)


def show_card(qtbot, context: FakeContext, text: str, question: str, width: int = 420) -> str:
    """Return the excerpt of a passage on a card of a width."""
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, 0, len(text))
    [source] = build_sources(Turn(question, passages=(passage,)))
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    card.resize(width, 300)
    card.show()
    return text_of(card.findChildren(QLabel)[-1])


def test_an_excerpt_consists_of_whole_sentences_and_keeps_paragraphs(
    qtbot, context: FakeContext
) -> None:
    text = (
        "It rained on the road for days. " * 9 + '"He is late.\n\n"Ada was the\nferrywoman," she'
        " said. They waited.\n\n" + "Night fell over the hills and nobody came. " * 9
    )
    shown = show_card(qtbot, context, text, "Who was the ferrywoman?")
    assert '\n"Ada was the ferrywoman," she said. They waited.' in shown
    assert shown.startswith(("It rained", '"He is')) and shown.endswith((".", '."'))
    assert "…" not in shown and len(shown) < 300
    chinese = "天下着雨。" * 30 + "林秋白上了黑风寨。" + "夜里无人。" * 40
    shown = show_card(qtbot, context, chinese, "林秋白上了哪里？")
    assert "林秋白上了黑风寨。" in shown and shown.endswith("。") and len(shown) > 20


def test_a_sentence_that_is_longer_than_the_excerpt_is_cut_between_words(
    qtbot, context: FakeContext
) -> None:
    text = "There was one. " + "He sailed on, " * 40
    shown = show_card(qtbot, context, text, "Who sailed?")
    assert shown.startswith("He sailed") and shown.endswith(("on…", "sailed…", "He…"))


def test_an_excerpt_has_both_marks_of_a_quotation(qtbot, context: FakeContext) -> None:
    text = '"It rained for days and days. ' + "She rowed over the river. " * 30 + 'Nobody came."'
    shown = show_card(qtbot, context, text, "What rained?")
    assert shown.startswith('"It rained') and shown.endswith('river."')


def test_a_passage_with_the_sentence_of_another_is_behind_the_button(
    qtbot, context: FakeContext
) -> None:
    text = "She rowed. Nobody slept."
    spans = [(0, 24), (0, 24), (500, 524), (900, 924)]
    passages = tuple(
        Passage(n, 1, "T", *span, 1.0, text, span[0], span[0] + 10)
        for n, span in enumerate(spans, 1)
    )
    made = SourceList(context.theme, Turn("Who rowed?", passages=passages), Pins(), at_first=2)
    qtbot.addWidget(made)
    made.show()
    assert [card.mark.number for card in made.cards] == ["1", "3"]
    assert made.more_button.text() == "Show 2 more passages"
    made.more_button.click()
    assert [card.mark.number for card in made.cards] == list("1234")


@pytest.mark.parametrize("contrast", ["off", "on"])
def test_in_high_contrast_the_best_sentence_of_a_passage_is_bold(
    qtbot, context: FakeContext, contrast: str
) -> None:
    passage = Passage(1, 1, "T", 0, 24, 1.0, "There was one. He sailed.", 15, 24)
    [source] = build_sources(Turn("q", passages=(passage,)))
    context.theme.set_contrast(contrast)
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    assert ("font-weight" in card.findChildren(QLabel)[-1].text()) == (contrast == "on")


def test_a_long_passage_has_three_lines_until_it_is_expanded(qtbot, context: FakeContext) -> None:
    text = (
        "He walked to town and came back. " * 20 + "Ada was the ferrywoman. " + "Night fell. " * 40
    )
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, 0, len(text))
    [source] = build_sources(Turn("Who was the ferrywoman?", passages=(passage,)))
    assert source.quote == "Ada was the ferrywoman."
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    card.resize(260, 300)
    card.show()
    label = card.findChildren(QLabel)[-1]
    folded = label.heightForWidth(label.width())
    assert folded <= (MOST_LINES + 1) * context.theme.px(LINE_PX)
    assert "Ada was the ferrywoman." in text_of(label)
    card.more_button.click()
    assert label.heightForWidth(label.width()) > 2 * folded
    assert text_of(label).strip() == text.strip()
    card.more_button.click()
    assert label.heightForWidth(label.width()) == folded


def text_of(label: QLabel) -> str:
    document = QTextDocument()
    document.setHtml(label.text())
    return document.toPlainText()


def test_closeness_is_shown_where_the_shown_passages_differ(qtbot, context: FakeContext) -> None:
    passages = [
        Passage(n, 1, "T", 20 * n, 20 * n + 9, score, "Not read.", 20 * n, 20 * n + 9)
        for n, score in enumerate((1.0, 0.95, 0.5), 1)
    ]
    made = SourceList(context.theme, Turn("q", passages=tuple(passages)), Pins(), at_first=2)
    qtbot.addWidget(made)
    made.show()

    def count_bars() -> int:
        return sum(bar.isVisible() for bar in made.findChildren(RelevanceBar))

    assert count_bars() == 0
    assert made.cards[1].mark.toolTip().splitlines() == [
        *("Passage 2", "Strong match", "Relevance: 95% of the best passage")
    ]
    assert "strong match" in made.cards[1].accessibleName()
    made.more_button.click()
    assert count_bars() == 3


def test_a_sentence_far_from_the_best_one_has_no_colour(qtbot, context: FakeContext) -> None:
    texts = "Ada rowed the ferry through the fog.", "Ada slept.", "Ada sang."
    passages = tuple(
        Passage(n, 1, "T", 0, len(text), 1.0, text, 0, len(text)) for n, text in enumerate(texts)
    )
    turn = Turn("Why did Ada row the ferry through fog?", passages=passages)
    made = SourceList(context.theme, turn, Pins())
    qtbot.addWidget(made)
    shown = [card._quote.text() for card in made.cards]
    assert ["background-color" in text for text in shown] == [True, False, False]


def test_a_card_says_where_its_passage_is_and_opens_it(qtbot, context: FakeContext) -> None:
    text = "There was one. He sailed."
    passage = Passage(
        7, 1, "T", 500, 500 + len(text), 1.0, text, 515, 500 + len(text),
        heading="T › The River", n_document_chars=2000,
    )  # fmt: skip
    turn = Turn("q", passages=(passage, replace(passage, chunk_id=8, page_label="iv")))
    made = SourceList(context.theme, turn, Pins())
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    first, second = made.cards
    shown = [w.text() for w in first.findChildren(Label) if w.isVisible()]
    assert {"The River", " · at 25%"} <= {*shown}
    assert first.mark.number == "1"
    assert first.source.place == "The River · at 25%"
    assert second.source.place == "The River · p. iv"
    [chapter] = [w for w in first.findChildren(ElidedLabel) if w.isVisible()]
    assert chapter.width() == chapter.fontMetrics().horizontalAdvance(chapter.text())
    assert first.open_button.isVisible() and first.open_button.text() == "Open"
    assert first.open_button.accessibleName() == "Open passage 1"
    with qtbot.waitSignal(made.opened) as opened:
        qtbot.mouseClick(first.open_button, Qt.MouseButton.LeftButton)
    assert opened.args == [1, first.source.start, first.source.end]


def test_the_place_in_a_narrow_card_is_kept_before_the_chapter(qtbot, context: FakeContext) -> None:
    text = "There was one. He sailed."
    heading = "A chapter with a very long name, as old books have them"
    passage = Passage(
        7, 1, "T", 500, 525, 1.0, text, 515, 525, heading=heading, n_document_chars=2000
    )
    [source] = build_sources(Turn("q", passages=(passage,)))
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    card.resize(380, 100)
    card.show()
    labels = [w for w in card.findChildren(Label) if w.isVisible()]
    [chapter] = [w for w in labels if isinstance(w, ElidedLabel)]
    assert chapter.text().endswith("…")
    assert " · at 25%" in [w.text() for w in labels]


def test_the_card_of_a_citation_is_pointed_out_while_the_mouse_is_over_its_number(
    qtbot, context: FakeContext
) -> None:
    widget = TurnWidget(context.theme, turn_of_answer("q", rich_answer()))
    qtbot.addWidget(widget)
    widget.foot.sources_button.click()
    assert widget.source_list is not None
    first, second = widget.source_list.cards
    widget.answer.highlighted.emit(QUrl("cite:2"))
    assert (first.is_pointed_out, second.is_pointed_out) == (False, True)
    widget.answer.highlighted.emit(QUrl())
    assert not second.is_pointed_out


ROWS = "France | 1,500 | 1,600\nGermany | 2,100 | 2,150\nSpain | 610 | 640"


def _turn_about_a_table() -> Turn:
    turn = turn_of_answer("GDP of Germany 1998", rich_answer())
    start = TableStart("Country | GDP 1998 | GDP 1999", 12)
    passage = replace(
        turn.passages[0], text=ROWS, start=50, end=50 + len(ROWS), heading="", table=start
    )
    return replace(turn, passages=(passage,), citations=(), text="", understood="")


def test_a_passage_of_rows_names_the_row_and_shows_the_header(qtbot, context: FakeContext) -> None:
    (source,) = build_sources(_turn_about_a_table())
    assert source.position == "p. 12 · row 13"
    assert source.quote == "Germany | 2,100 | 2,150"
    assert source.start == 50 + ROWS.index("Germany")  # the header moves no offset
    card = SourceCard(context.theme, source, Pins())
    qtbot.addWidget(card)
    card.resize(600, 200)
    card.show()
    shown = card.findChildren(QLabel)[-1].text()
    assert "Country | GDP 1998 | GDP 1999" in shown and shown.index("Country") < shown.index("Germ")


def test_the_rows_of_a_table_are_lines_of_the_card(qtbot, context: FakeContext) -> None:
    (source,) = build_sources(_turn_about_a_table())
    assert [source.passage.text[a:b] for a, b in source.passage.sentences] == ROWS.split("\n")
    assert len(source.passage.breaks) == 2


@pytest.mark.parametrize(
    ("cited", "is_apart"),
    [
        ("Nobody slept that night.", False),  # beside what stood there
        ("Ada rowed.", False),  # in it
        ("The old ferry sank at once.", True),  # far from it
        ("It had rained for days.", True),  # before it
    ],
)
def test_what_a_card_shows_before_the_answer_stays_in_it(
    qtbot, context: FakeContext, cited: str, is_apart: bool
) -> None:
    talk = "They talked of the weather and of the harvest. " * 12
    text = (
        f"It had rained for days. {talk}Who was there? Ada rowed. Tobias sang. Nobody slept that"
        f" night. {talk}The old ferry sank at once. {talk}"
    ).strip()
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, 0, len(text))
    before = Turn("Who rowed?", passages=(passage,))
    made = SourceList(context.theme, before, Pins(), at_first=4)
    qtbot.addWidget(made)
    made.resize(420, 600)
    made.show()
    [card] = made.cards
    shown = text_of(card._quote)
    assert "Ada rowed." in shown and "…" not in shown
    start = text.index(cited)
    support = cite(1, passage, start, start + len(cited))
    answer = "So it was in the end. [1]"  # in other words: the whole sentence is marked
    done = replace(before, text=answer, citations=(support,), answered=True, n_confirmed=1)
    made.show_turn(replace(done, model="m"))
    after = text_of(card._quote)
    assert made.cards == [card] and shown in after and cited in after
    assert (" … " in after) == is_apart
    tint = context.theme.tint().name(QColor.NameFormat.HexArgb)
    marked = re.findall(rf"background-color:{tint}[^>]*>([^<]*)<", card._quote.text())
    assert marked == [cited]
    card.more_button.click()
    assert len(text_of(card._quote)) > len(after)


def show_cited(
    qtbot, context: FakeContext, text: str, question: str, answer: str, cited_to: int
) -> tuple[str, str]:
    """Return the excerpt of a passage before and after an answer that cites its beginning."""
    passage = Passage(1, 1, "T", 0, len(text), 1.0, text, 0, len(text))
    before = Turn(question, passages=(passage,))
    cards = SourceList(context.theme, before, Pins())
    qtbot.addWidget(cards)
    cards.resize(300, 600)
    cards.show()
    shown = text_of(cards.cards[0]._quote)
    cited = cite(1, passage, 0, cited_to)
    done = replace(before, text=f"{answer} [1]", citations=(cited,), answered=True)
    cards.show_turn(replace(done, n_confirmed=1, model="m"))
    return shown, text_of(cards.cards[0]._quote)


def test_words_beyond_the_end_of_a_cut_sentence_are_added_to_it(
    qtbot, context: FakeContext
) -> None:
    for n_between in (10, 60):
        text = f"Ada rowed on, {'and on, ' * n_between}and in the end she slept."
        asked = ("Did Ada row?", "In the end she slept.", len(text))
        shown, after = show_cited(qtbot, context, text, *asked)
        assert after.startswith(shown.removesuffix("…")) and "she slept" in after


def test_a_sentence_that_proves_an_answer_is_shown_to_its_end(qtbot, context: FakeContext) -> None:
    text = f"The rowers took it, {'and rowed on, ' * 10}to sell the stone. Nobody slept. It rained."
    asked = ("Who took it?", "The rowers.", text.index(" Nobody"))
    shown, after = show_cited(qtbot, context, text, *asked)
    assert shown.endswith("…") and "stone" not in shown
    assert after.startswith(shown.removesuffix("…")) and after.endswith("to sell the stone.")


def test_an_excerpt_does_not_end_with_what_introduces_the_next_sentence() -> None:
    text = "He came. She said: “No.” He left. 先生道：“去罢。”"
    spans = [(0, 8), (9, 18), (19, 24), (25, 33), (34, 38), (38, 43)]
    joined = join_introductions(text, spans)
    assert [text[a:b] for a, b in joined] == [
        "He came.", "She said: “No.”", "He left.", "先生道：“去罢。”"
    ]  # fmt: skip
