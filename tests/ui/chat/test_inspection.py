"""The inspection panel of an answer: recent and stored answers, keys, missing data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QLabel,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.engine.answering.citations import UNRELATED, cite, find_key_sentence
from desktop_app.engine.answering.claims import INTRODUCTION, REASONS, SURE_SHORT
from desktop_app.engine.model import (
    ANSWER_CHECKED,
    READ_ONE_BY_ONE,
    Answer,
    CheckedSentence,
    MessageRow,
    RetrievalResult,
    Stage,
)
from desktop_app.ui.chat.fold import FoldSection
from desktop_app.ui.chat.inspection import presentation
from desktop_app.ui.chat.inspection.panel import (
    FIRST_CONNECTIONS,
    FIRST_PASSAGES,
    AnswerInspector,
    CheckSummary,
    PromptView,
    SentenceCheck,
    StageLine,
)
from desktop_app.ui.chat.inspection.parts import (
    QUOTE_LINES,
    ROW_ROLE,
    TITLE_ROLE,
    MarkedSentence,
    PassageList,
    PassageNumber,
    RelationLine,
)
from desktop_app.ui.chat.screen import ChatScreen
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import FactGrid
from desktop_app.ui.widgets.buttons import NameChip
from desktop_app.ui.widgets.emphasis import elide_words
from desktop_app.ui.widgets.labels import BREAK
from tests.ui.chat.answers import checked_answer, rich_answer
from tests.ui.fakes import FakeContext
from tests.ui.untranslated import use_language


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
        "Ranked 2nd by reranker",  # nothing else ranked it
        "Ranked 3rd by reranker",
        "Ranked 3rd by meaning",
    ]
    assert presentation.describe_scores(rows[3]) == "Meaning: 3 of 3, score 0.79"


def rank_by(*routes: tuple[tuple[str, float], ...], mode: str = "walk") -> list[str]:
    """Return the reasons of the ranks of passages with these routes."""
    answer = rich_answer()
    passages = tuple(replace(answer.found.passages[0], routes=one) for one in routes)
    found = replace(answer.found, passages=passages, mode=mode)
    return [
        presentation.describe_places(row)
        for row in presentation.build_routes(replace(answer, found=found))
    ]


def test_the_reason_of_a_rank_names_what_ranked_the_passage() -> None:
    """Passages of books count those beside them; words and meaning alone do not rank them."""
    assert rank_by(
        (("words", 2.0), ("meaning", 0.8), ("scene", 9.0), ("near", 1.2)),
        (("words", 1.0), ("meaning", 0.7), ("scene", 9.0), ("near", 0.7)),
        (("words", 9.0), ("meaning", 0.9), ("scene", 8.0), ("near", 0.9)),
    ) == [
        "Contains “Ada”, “Merrow”, “ferrywoman”; ranked 1st by meaning",
        "Contains “Ada”, “Merrow”, “ferrywoman”; ranked 3rd by meaning",
        "Ranked 2nd by meaning, 3rd by words",
    ]
    assert rank_by((("near", 0.5), ("pinned", 1.0))) == ["Pinned by you"]
    assert rank_by((("scene", 0.5), ("introduction", 0.3))) == [
        "Introduces the name; ranked 1st by words"
    ]
    assert rank_by((("words", 0.5), ("meaning", 0.3), ("walk", 1.0), ("fit", 0.5))) == [
        "Ranked 1st by linked names, 1st by similarity"
    ]


def test_places_that_several_passages_share_are_called_joint_without_words() -> None:
    shared = (("meaning", 0.8),), (("meaning", 0.8),)
    assert rank_by(*shared, mode="naive") == ["Ranked joint 1st by meaning"] * 2


def test_it_is_said_why_not_all_passages_were_read(panel) -> None:
    answer = rich_answer()
    fits = "The next passage does not fit"
    assert presentation.explain_unread(answer).startswith(fits)
    assert any(fits in label.text() for label in panel.findChildren(QLabel))
    in_turn = Stage(READ_ONE_BY_ONE, ("The Ferry",), ("青石镇旧事",))
    found = replace(answer.found, stages=(*answer.found.stages, in_turn))
    stood = presentation.explain_unread(replace(answer, found=found))
    assert stood == "Passages are read in turn until one gives an answer that stands."
    assert presentation.explain_unread(replace(answer, found=replace(found, stages=()))) == ""


def test_every_confirmed_sentence_is_listed_below_the_outcome(panel) -> None:
    answer = rich_answer()
    first = answer.found.passages[0]
    texts = [f"Ada Merrow crossed the river {n} times." for n in range(3)]
    checked = tuple(CheckedSentence(t, "", (), 100, first.start, first.end) for t in texts)
    stage = Stage(ANSWER_CHECKED, tuple(texts), (), checked=checked)
    answer = replace(answer, found=replace(answer.found, stages=(stage,)))
    assert presentation.describe_outcome(answer) == "Answered: 3 sentences confirmed"
    panel.show_answer(answer)
    [summary] = panel.findChildren(CheckSummary)
    assert all(text in words(summary) for text in texts)


def test_a_rank_better_than_each_place_is_that_of_all_factors_together() -> None:
    first, *_ = rank_by(
        (("scene", 8.0), ("near", 0.8)),
        (("scene", 9.0), ("near", 0.2)),
        (("scene", 2.0), ("near", 0.9)),
    )
    assert first == "Ranked 1st together: 2nd by words, 2nd by meaning"


def test_places_that_an_older_version_did_not_store_are_named_in_the_tooltip() -> None:
    answer = rich_answer()
    old = tuple(replace(p, routes=(("words", 2.0),)) for p in answer.found.passages)
    found = replace(answer.found, passages=old)
    row = presentation.build_routes(replace(answer, found=found))[0]
    assert presentation.describe_scores(row).startswith(presentation.COMBINED)
    new = tuple(replace(p, routes=(("words", 2.0), ("scene", 1.0))) for p in old)
    row = presentation.build_routes(replace(answer, found=replace(found, passages=new)))[0]
    assert "Words, neighbours included: 1 of 4" in presentation.describe_scores(row)
    assert presentation.COMBINED not in presentation.describe_scores(row)


def test_a_relation_is_named_only_by_a_kind() -> None:
    kind, words_between = rich_answer().found.relations
    assert presentation.describe_relation(kind) == "Ada Merrow – works for – Harrow Ford"
    assert presentation.describe_relation(words_between) == "白衣秀士林秋白 – 黑风寨"


def section(panel: AnswerInspector, title: str) -> FoldSection:
    return next(one for one in panel.sections if one.title == title)


def test_what_the_model_read_is_named_by_the_numbers_of_its_passages(qtbot, panel) -> None:
    answer = rich_answer()
    rows = presentation.build_routes(answer)
    assert [row.is_read for row in rows] == [True, True, False, False]
    read = section(panel, "Read")
    assert read.aside.full_text() == "2 of 4"
    numbers = read.findChildren(PassageNumber)
    assert [number.text() for number in numbers] == ["1", "2"]
    with qtbot.waitSignal(panel.open_passage) as opened:
        qtbot.keyClick(numbers[1], Qt.Key.Key_Space)
    assert opened.args == [rows[1].document_id, rows[1].start, rows[1].end]
    panel.show_answer(replace(answer, prompt="", citations=()))  # no model was asked
    assert presentation.NOT_READ in words(section(panel, "Read"))


def test_a_heading_in_capitals_is_shown_as_a_title_and_scores_in_the_tooltip(qtbot) -> None:
    answer = rich_answer()
    path = "A CHRISTMAS CAROL › STAVE II: THE FIRST OF THE THREE SPIRITS"
    first = replace(answer.found.passages[1], heading=path)
    found = replace(answer.found, passages=(first,))
    rows = presentation.build_routes(replace(answer, found=found))
    assert rows[0].chapter == "A Christmas Carol › Stave II: The First of the Three Spirits"
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


def judged(kept: tuple[str, ...], dropped: tuple[str, ...], text: str = "") -> Answer:
    """Return an answer with a check as older versions stored it."""
    answer = rich_answer()
    stage = Stage(ANSWER_CHECKED, kept, dropped)
    found = replace(answer.found, stages=(*answer.found.stages, stage))
    return replace(answer, found=found, text=text or answer.text)


QUOTED = f"{INTRODUCTION['en']}\n\n> She rows. [1]"


def test_one_short_line_at_the_top_says_what_came_of_the_question(qtbot, panel) -> None:
    answer = rich_answer()
    refusal = replace(answer, text="The passages do not say.")
    weak = replace(answer.found, weak=True)
    far = replace(answer, text=f"{UNRELATED['en']}\n\n> She rows. [1]", model="", found=weak)
    given_up = replace(weak, stages=(Stage(READ_ONE_BY_ONE, (), ("The Ferry", "The Mill")),))
    found_none = presentation.describe_outcome(replace(far, found=given_up))
    assert found_none == "No answer: the model found none", "it read two passages"
    outcomes = {
        "Answered, not checked": answer,
        "Answered: 2 sentences confirmed": judged(("She rows. 0.91", "He sings. 0.80"), ()),
        "Answered: 1 of 2 sentences confirmed": judged(("She rows. 0.91",), ("He flies. (no)",)),
        "No answer: 1 sentence not confirmed": judged((), ("He flies. (no)",), QUOTED),
        "No answer: 2 sentences not confirmed": judged((), ("He. (no)", "She. (no)"), QUOTED),
        "No answer: the model found none": refusal,
        "No answer: nothing close was found": far,
        "Answered from a table, without a language model": replace(
            judged(("Rows: 4 0.00",), ()), model=""
        ),
        "Stopped before the check": replace(answer, stopped=True),
    }
    for line, shown in outcomes.items():
        panel.show_answer(shown)
        assert presentation.describe_outcome(shown) == line
        QApplication.processEvents()
        assert words(panel).split("\n").index(line) == 1  # after the title of the panel


def test_the_sections_follow_what_happened_and_say_how_much(qtbot, panel) -> None:
    panel.show_answer(judged(("She rows. 0.91",), ("He flies. (no)",)))
    assert [(one.title, one.aside.full_text()) for one in panel.sections] == [
        ("Searched for", "6 words, 4 names"),
        ("Found", "4 passages"),
        ("Connections used", "2"),
        ("Read", "2 of 4"),
        ("Wrote", "2 sentences"),
        ("Checked", "1 of 2 confirmed"),
        ("Technical details", ""),
    ]
    assert [one.title for one in panel.sections if not one.button.isChecked()] == [
        "Technical details"
    ]


def test_a_check_of_an_older_version_is_shown_as_it_was_stored(qtbot, panel) -> None:
    panel.show_answer(
        judged(("She rows. 0.91",), ("He flies (a bit). (its passage does not say “flies”)", "He."))
    )
    shown = section(panel, "Checked")
    first, second = [row for row in presentation.list_checked(panel.answer) if not row.is_confirmed]
    assert first.text == "He flies (a bit)." and second.text == "He." and not second.facts
    assert first.facts == (("Reason", "its passage does not say “flies”"),)
    assert "Not confirmed: 2" in words(shown) and "Confirmed: 1" in words(shown)
    assert not shown.findChildren(PassageList) and "Compared with" not in words(shown)


def checked(*sentences: CheckedSentence) -> Answer:
    answer = rich_answer()
    stage = Stage(
        ANSWER_CHECKED,
        tuple(f"{one.text} 1.00" for one in sentences if not one.failed),
        tuple(f"{one.text} (no)" for one in sentences if one.failed),
        checked=sentences,
    )
    return replace(answer, found=replace(answer.found, stages=(stage,)))


def ferry_sentence(text: str, failed: str, words: tuple[str, ...] = (), **more) -> CheckedSentence:
    """Return a sentence that was compared with a sentence of the first passage."""
    passage = rich_answer().found.passages[0]
    quote = "Every morning Tobias came down."
    start = passage.start + passage.text.index(quote)
    return CheckedSentence(
        text, failed, words, int(passage.chunk_id), start, start + len(quote), **more
    )


def test_what_the_check_decided_is_below_the_outcome(qtbot, panel) -> None:
    doubted = ferry_sentence("Tobias came by boat.", "unclear", odds=-0.5, needed=0.4)
    panel.show_answer(checked(doubted, CheckedSentence("He sings.", "uncited")))
    [summary] = panel.findChildren(CheckSummary)
    [sentence] = summary.findChildren(MarkedSentence)
    assert sentence.accessibleDescription() == "Not in the passage: boat"
    assert "The model doubts" in words(summary) and not summary.findChildren(PassageNumber)
    panel.resize(320, 300)
    QApplication.processEvents()
    assert summary.link.text() == "Show the passage"
    summary.link.click()
    shown = section(panel, "Checked")
    bar = panel.scroll_area.verticalScrollBar()
    qtbot.waitUntil(lambda: 0 < bar.value() <= shown.y() < bar.value() + 300)
    panel.show_answer(checked(replace(doubted, failed=""), CheckedSentence("He.", "uncited")))
    QApplication.processEvents()
    [summary] = [one for one in panel.findChildren(CheckSummary) if one.isVisible()]
    assert "Tobias came by boat." in words(summary)
    assert "Not confirmed: “He”. It cites no passage." in words(summary)
    assert "The passage says: “Every morning Tobias came down.”" in words(summary)
    with qtbot.waitSignal(panel.open_passage):
        summary.findChildren(PassageNumber)[0].click()


def test_a_sentence_that_its_passage_has_word_for_word_is_not_shown_twice() -> None:
    same = ferry_sentence("Every morning, Tobias came down.", "")
    [row] = presentation.list_checked(checked(same))
    assert row.describe_source() == "The passage says so word for word."
    assert row.passage is not None
    past = replace(row, passage=replace(row.passage, quote="The Abbess was an old brass weight."))
    near = "The passage says so almost word for word."
    assert replace(past, text="The Abbess is an old brass weight.").describe_source() == near
    exact = replace(past, text="The abbess was an old brass weight.").describe_source()
    assert exact == "The passage says so word for word."
    other = replace(past, text="The Abbess is an old bronze weight.").describe_source()
    assert other.startswith("The passage says: “")
    [long] = presentation.list_checked(checked(replace(same, text="Tobias came.")))
    assert long.passage is not None
    long = replace(long, passage=replace(long.passage, quote="Tobias came down the lane. " * 20))
    shown = long.describe_source()
    assert shown.endswith("…”") and len(shown) < presentation.SOURCE_LETTERS + 30
    assert presentation.CheckedRow("He sings.", True).describe_source() == ""


def test_a_rejected_sentence_is_shown_whole_at_the_top(qtbot, panel) -> None:
    text = f"{'He went on and on. ' * 9}Then he met a merchant, and went on."
    panel.show_answer(checked(ferry_sentence(text, "unclear", odds=-0.5, needed=0.4)))
    [summary] = panel.findChildren(CheckSummary)
    assert text in re.sub(r"<[^>]*>", "", words(summary))


def test_a_rejected_sentence_shows_the_place_that_it_was_compared_with(qtbot, panel) -> None:
    one = ferry_sentence("Tobias came by boat.", "unclear", odds=-0.5, needed=0.4)
    panel.show_answer(checked(one, CheckedSentence("He sings.", "uncited")))
    first, second = section(panel, "Checked").findChildren(SentenceCheck)
    [passages] = first.findChildren(PassageList)
    assert not second.findChildren(PassageList) and "It cites no passage" in words(second)
    index = passages.model().index(0, 0)
    shown = index.data(ROW_ROLE)
    assert shown.quote == "Every morning Tobias came down." and shown.rank == 1
    passages.setFocus()
    passages.setCurrentIndex(index)
    with qtbot.waitSignal(panel.open_passage) as opened:
        qtbot.keyClick(passages, Qt.Key.Key_Return)
    assert opened.args == [1, one.start, one.end]


def test_the_words_that_the_passage_lacks_are_underlined(qtbot, panel) -> None:
    one = ferry_sentence("Tobias came down with a merchant in 1832.", "number", ("1832",))
    panel.show_answer(checked(one))
    [row] = presentation.list_checked(panel.answer)
    assert [row.text[slice(*span)] for span in row.missing] == ["merchant", "1832"]
    assert ("Underlined", "not in passage 1") in row.facts
    [label] = section(panel, "Checked").findChildren(MarkedSentence)
    for word in ("merchant", "1832"):
        assert re.search(rf"<span[^>]*underline[^>]*font-weight[^>]*>{word}</span>", label.text())
    assert label.accessibleName() == one.text
    assert label.accessibleDescription() == "Not in the passage: merchant, 1832"


@pytest.mark.parametrize(
    ("failed", "about", "reason"),
    [
        ("uncited", (), "It cites no passage"),
        ("repeats", (), "It only repeats the question"),
        ("number", ("1832",), "Passage 1 does not say “1832”"),
        ("name", ("Hodge",), "Passage 1 does not name Hodge"),
        ("reversed", ("Rolf", "Jan"), "Passage 1 says it the other way round"),
        ("owner", ("Rolf", "sister"), "Passage 1 has no sister of Rolf"),
        ("part", (), "It answers another part of the question"),
        ("unclear", (), "The model doubts that passage 1 says so"),
        ("unchecked", (), "Only the first 6 sentences are checked"),
        ("another", (), "The model doubts that passage 1 says so"),
    ],
)
def test_each_check_has_a_reason_of_its_own(failed, about, reason) -> None:
    one = ferry_sentence("Hodge struck Rolf in 1832.", failed, about)
    [row] = presentation.list_checked(checked(one))
    assert row.facts[0] == ("Reason", reason)
    assert failed == "another" or failed in REASONS
    assert (("Names", "Rolf, Jan") in row.facts) is (failed == "reversed")


def test_a_sentence_that_the_model_doubts_shows_how_sure_it_is(qtbot, panel) -> None:
    doubted = ferry_sentence("Tobias came down.", "unclear", odds=-0.5, needed=SURE_SHORT)
    stated = ferry_sentence("Tobias came down.", "", odds=2.0, needed=SURE_SHORT)
    panel.show_answer(checked(doubted, stated))
    first, second = presentation.list_checked(panel.answer)
    assert ("Certainty", "37 of 100, needs 69") in first.facts
    assert ("Words", "all in passage 1") in first.facts and not first.missing
    assert second.is_confirmed and second.facts == (("Certainty", "88 of 100, needs 69"),)
    shown = section(panel, "Checked").findChildren(SentenceCheck)
    assert [number.text() for number in shown[1].findChildren(PassageNumber)] == ["1"]


def test_a_sentence_whose_passage_is_gone_is_shown_without_it() -> None:
    one = replace(ferry_sentence("He came.", "number", ("7",)), chunk_id=99)
    [row] = presentation.list_checked(checked(one))
    assert row.passage is None and row.facts == (("Reason", "The passage does not say “7”"),)


def test_a_passage_that_was_not_found_is_shown_without_a_number(qtbot, panel) -> None:
    """The sentence of a relation is in the prompt, but not in the list of passages."""
    other = replace(rich_answer().found.passages[3], chunk_id=99)
    one = CheckedSentence(
        "The bridge was blessed.", "unclear", (), 99, other.start, other.end, -0.5, 0.8, other
    )
    panel.show_answer(checked(one))
    [row] = presentation.list_checked(panel.answer)
    assert row.passage.rank == 0 and "bridge was cursed" in row.passage.quote
    assert ("Underlined", "not in the passage") in row.facts
    [shown] = section(panel, "Checked").findChildren(PassageList)
    with qtbot.waitSignal(panel.open_passage) as opened:
        shown.clicked.emit(shown.model().index(0, 0))
    assert opened.args == [1, other.start, other.end]


def test_a_very_long_word_is_broken_and_still_underlined(qtbot) -> None:
    long = "Rindfleischetikettierungsüberwachung"
    text = f"The {long} fell."
    label = MarkedSentence(Theme("light"), text, [(4, 4 + len(long))])
    qtbot.addWidget(label)
    marked = re.findall(r">([^<]+)</span>", label.text())
    assert [part.replace(BREAK, "") for part in marked] == [long] and BREAK in marked[0]


def test_the_order_of_passages_and_the_words_searched_for_are_shown(qtbot, panel) -> None:
    answer = rich_answer()
    assert presentation.describe_order(answer.found) == "The reranker"
    plain = tuple(replace(p, routes=p.routes[:1]) for p in answer.found.passages)
    found = replace(answer.found, passages=plain)
    assert "Words and meaning" in presentation.describe_order(found)
    assert presentation.describe_order(replace(found, mode="words")).endswith("the question")
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
    asked = replace(found, question="红孩儿的三昧真火是在哪里练成的？")
    assert presentation.list_words(asked) == ["红孩儿", "三昧真火", "练成"]
    text = "牛魔王使他来镇守号山乳名叫做红孩儿"
    asked = replace(asked, passages=tuple(replace(p, text=text) for p in asked.passages))
    shown = {row.words for row in presentation.build_routes(replace(answer, found=asked))}
    assert shown == {("红孩儿",)}
    assert "Ranked by\nThe reranker" in words(panel) and "Ada, Merrow, ferrywoman" in words(panel)


def test_passages_are_listed_by_their_number_which_is_their_rank(qtbot, panel) -> None:
    answer = rich_answer()
    reordered = (2, 3, 0, 1)  # what is cited first is ranked third
    passages = tuple(answer.found.passages[i] for i in reordered)
    panel.show_answer(replace(answer, found=replace(answer.found, passages=passages)))
    [shown] = section(panel, "Found").findChildren(PassageList)
    rows = [shown.model().index(n, 0).data(ROW_ROLE) for n in range(4)]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.cited for row in rows] == [False, False, True, True]


def test_a_row_leads_with_its_number(qtbot) -> None:
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


def test_a_chinese_line_without_room_is_not_wider_than_it(qapp, window_font) -> None:
    """In Chinese, Qt ends a line that it cuts with three dots."""
    text = "柴进携住林冲的手，再入后堂饮酒，叫将利物来送还教师。"
    for _ in use_language(qapp, "zh"):
        theme = Theme("light")
        theme.apply(qapp)
        for role in ("small", "text"):
            metrics = QFontMetrics(theme.font(role))
            for width in range(60, metrics.horizontalAdvance(text), 7):
                shown = elide_words(metrics, text, width)
                assert metrics.horizontalAdvance(shown) <= width
                assert text.startswith(shown.removesuffix("…")) and len(shown) > 3
        qapp.setStyleSheet("")
    qapp.setFont(window_font)


def test_a_row_is_cited_or_not_and_has_no_markup() -> None:
    answer = rich_answer()
    first = answer.found.passages[0]
    text = "## IV. Gull\nThere was *one* man."
    marked = replace(first, text=text, best_start=first.start, best_end=first.start + len(text))
    found = replace(answer.found, passages=(marked, *answer.found.passages[1:]))
    rows = presentation.build_routes(replace(answer, found=found))
    assert rows[0].quote == "There was one man."
    for row, passage in zip(rows, found.passages, strict=True):
        assert row.cited == any(c.chunk_id == passage.chunk_id for c in answer.citations)
    plain = replace(
        marked, text="IV. Gull\nThere was one man.", heading="I › IV. Gull", page_label=""
    )
    plain = replace(plain, best_end=plain.start + len(plain.text))
    row = presentation.build_routes(replace(answer, found=replace(found, passages=(plain,))))[0]
    assert row.quote == "There was one man." and row.chapter == "I › IV. Gull"


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


LONG_REASON = (presentation.FoundBy("names", 2.0, 2, 9), presentation.FoundBy("meaning", 1.0, 4, 9))
LONG_CHAPTER = "The fifth chapter, in which the Kittiwake comes to Salt Quay and nobody is there"


def test_a_connection_shows_its_sentence_on_several_lines(qtbot, context: FakeContext) -> None:
    relation = rich_answer().found.relations[0]
    heights = []
    for sentence in ("He sang.", "He sang of the sea and of the ships. " * 3, "He sang. " * 200):
        line = RelationLine(context.theme, replace(relation, sentence=sentence))
        qtbot.addWidget(line)
        line.resize(260, 40)
        heights.append(line.heightForWidth(260))
    small = QFontMetrics(context.theme.font("small")).height()
    assert heights[0] + small < heights[1] < heights[2] == heights[0] + (QUOTE_LINES - 1) * small
    dashed = RelationLine(context.theme, replace(relation, sentence="He sang--and _she_ did."))
    qtbot.addWidget(dashed)
    assert dashed.accessibleDescription() == "He sang—and she did."


@pytest.mark.parametrize("folds", [True, False])
def test_chapter_position_title_and_reason_of_a_passage_are_whole(qtbot, folds: bool) -> None:
    theme, row = Theme("light"), presentation.build_routes(rich_answer())[0]
    position = "at 59%"
    place = f"{LONG_CHAPTER} · {position}"
    title = "A Very Long Title of a Book That Takes More Than One Line of a Panel"
    row = replace(row, title=title, place=place, position=position, found_by=LONG_REASON)
    shown = PassageList(theme, [row], folds=folds)
    qtbot.addWidget(shown)
    shown.resize(260, 400)
    painted = list[str]()

    class Recorder(QPainter):
        def drawText(self, *args) -> None:
            painted.append(args[-1])
            super().drawText(*args)

    ground = QPixmap(260, 800)
    with Recorder(ground) as painter:
        delegate, index = shown.itemDelegate(), shown.model().index(0, 0)
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, 260, 800)
        delegate.paint(painter, option, index)
    text = " ".join(" ".join(painted).split())
    for part in (LONG_CHAPTER, position, title, presentation.describe_places(row)):
        assert part in text


def test_a_route_without_a_label_comes_after_the_others() -> None:
    answer = rich_answer()
    first = replace(answer.found.passages[0], routes=(("moonlight", 1.0), ("words", 2.0)))
    found = replace(answer.found, passages=(first,))
    [row] = presentation.build_routes(replace(answer, found=found))
    assert presentation.describe_places(row) == "Ranked 1st by words, 1st moonlight"


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
    shown_text = words(panel)
    assert "Could Ada Merrow, the ferrywoman" in shown_text and "And could she swim?" in shown_text
    assert "qwen2." in shown_text and "1,204 tokens" not in shown_text
    technical = panel.sections[-1]
    assert "after 2.3 s" not in shown_text  # of no use to most
    technical.button.setChecked(True)
    assert "after 2.3 s" in words(technical) and "1,204 tokens" in words(technical)
    assert "“Ada” alone is less likely" in words(technical)
    assert "No reranker is installed." in words(technical)
    names = {chip.text() for chip in panel.findChildren(NameChip)}
    assert {"ferry work", "Ada Merrow", "Great Flood"} <= names


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


def test_a_passage_is_folded_until_its_arrow_is_clicked(qtbot, panel) -> None:
    [table] = section(panel, "Found").findChildren(PassageList)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    before = table.height()
    row = table.visualRect(table.model().index(0, 0))
    head = table.itemDelegate().find_head(QRectF(row), table.model().index(0, 0))
    at = QPoint(round(head.right()) - 8, round(head.center().y()))
    with qtbot.assertNotEmitted(table.opened):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert table.is_unfolded(0) and not table.is_unfolded(1) and table.height() > before
    qtbot.keyClick(table, Qt.Key.Key_Left)
    assert not table.is_unfolded(0) and table.height() == before
    qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.is_unfolded(0)
    with qtbot.waitSignal(table.opened):
        at.setX(40)
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)


@pytest.mark.parametrize("width", [285, 400])
def test_the_values_of_all_sections_begin_at_the_same_place(qtbot, panel, width: int) -> None:
    panel.show_answer(checked_answer())
    panel.resize(width, 2_000)
    panel.sections[-1].button.setChecked(True)
    QApplication.processEvents()

    def lefts() -> set[int]:
        grids = [grid for grid in panel.findChildren(FactGrid) if grid.isVisible()]
        values = [value for grid in grids for _, value in grid.rows]
        return {value.mapTo(panel, QPoint(0, 0)).x() for value in values}

    qtbot.waitUntil(lambda: len(lefts()) == 1)


def test_long_lists_begin_short_and_are_shown_whole_on_demand(qtbot, panel) -> None:
    answer = rich_answer()
    many = tuple(replace(answer.found.passages[2], chunk_id=900 + i) for i in range(18))
    found = replace(
        answer.found,
        passages=(*answer.found.passages[:2], *many),
        relations=answer.found.relations * 10,
    )
    panel.show_answer(replace(answer, found=found))
    passages, connections = section(panel, "Found"), section(panel, "Connections used")
    lists = passages.findChildren(PassageList)
    assert sum(one.model().rowCount() for one in lists) == FIRST_PASSAGES
    assert len(connections.findChildren(RelationLine)) == FIRST_CONNECTIONS
    for one in (passages, connections):
        all_of = [b for b in one.findChildren(QPushButton) if b.text() == "Show all 20"]
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

    def shown_ranks() -> list[int]:
        [shown] = section(panel, "Found").findChildren(PassageList)
        rows = range(shown.model().rowCount())
        return [shown.model().index(row, 0).data(ROW_ROLE).rank for row in rows]

    rows = presentation.build_routes(panel.answer)
    assert rows[-1].cited and shown_ranks()[-1] == 10
    panel.show_answer(replace(answer, found=found, citations=(), prompt=""))
    assert shown_ranks() == list(range(1, FIRST_PASSAGES + 1))


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
    technical = panel.sections[-1]
    assert not technical.button.isChecked()
    technical.button.click()
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
    assert [s.title for s in panel.sections] == ["Wrote", "Technical details"]


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


def test_the_title_of_a_section_has_the_same_room_with_the_focus(
    qtbot, qapp, window_font, context
) -> None:
    context.theme.apply(qapp)
    panel = AnswerInspector(context.theme)
    qtbot.addWidget(panel)
    panel.show_answer(rich_answer())
    panel.show()
    button = section(panel, "Found").button
    QApplication.processEvents()

    def room() -> int:
        option = QStyleOptionButton()
        button.initStyleOption(option)
        part = QStyle.SubElement.SE_PushButtonContents
        return button.style().subElementRect(part, option, button).width()

    before = room()
    panel.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    after = room()
    qapp.setStyleSheet("")
    qapp.setFont(window_font)
    assert after == before


def test_the_link_to_the_rejected_sentences_scrolls_to_the_check(qtbot, context, screen) -> None:
    keep(context, checked_answer())
    screen.open_chat(12)
    qtbot.waitUntil(lambda: len(screen.turns.widgets()) == 1)
    turn = screen.turns.widgets()[0]
    panel, bar = screen.inspector.panel, screen.inspector.panel.scroll_area.verticalScrollBar()

    def is_at_check() -> bool:
        shown = section(panel, "Checked")
        seen = panel.scroll_area.viewport().height()
        return bar.value() > 0 and bar.value() <= shown.y() < bar.value() + seen

    screen.inspector.show_check(turn.turn, turn.inspect_button)
    qtbot.waitUntil(lambda: panel.answer == checked_answer() and is_at_check())
    bar.setValue(0)
    screen.inspector.show_check(turn.turn, turn.inspect_button)  # the panel is open
    qtbot.waitUntil(is_at_check)
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMinimum)
    panel.resize(panel.width(), panel.height() - 40)
    QApplication.processEvents()
    assert bar.value() == 0  # the user has scrolled meanwhile


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


def test_the_panel_marks_the_same_sentence_as_the_card() -> None:
    answer = rich_answer()
    before = "Scrooge met his nephew. The nephew of Scrooge sang. Scrooge had one nephew. "
    quoted = "Scrooge saw his nephew. He would not dine."
    whole = replace(answer.found.passages[0], text=before + quoted, best_start=0, best_end=10)
    whole = replace(whole, start=0, end=len(whole.text))
    # two sentences are quoted; by themselves, the first of them has more words of the question
    citation = cite(1, whole, len(before), whole.end)
    found = replace(answer.found, passages=(whole,), question="Did Scrooge dine with his nephew?")
    [row] = presentation.build_routes(replace(answer, found=found, citations=(citation,)))
    start, end = find_key_sentence(whole, found.question)
    assert row.quote[slice(*row.marked)] == whole.text[start:end] == "He would not dine."
