"""Turns, sources and suggested questions, without a window."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.engine.answering.citations import NEAREST, UNDECIDED, UNKNOWN, UNRELATED
from desktop_app.engine.answering.claims import INTRODUCTION, SPOKEN
from desktop_app.engine.answering.guesses import PERHAPS
from desktop_app.engine.model import CheckedSentence, Citation, EntityRow, MessageRow, Passage
from desktop_app.engine.progress import Progress
from desktop_app.ui.chat.export import text_with_sources
from desktop_app.ui.chat.passage_words import describe_chapter, describe_location
from desktop_app.ui.chat.sources import build_sources
from desktop_app.ui.chat.suggestions import suggest_questions
from desktop_app.ui.chat.turn_widget import (
    choose_notice_title,
    describe_unwritten,
    find_failed_rank,
)
from desktop_app.ui.chat.turns import (
    Turn,
    describe_reason,
    describe_step,
    describe_steps_around,
    merge_history,
    pair_turns,
)


def row(number: int, role: str, text: str) -> MessageRow:
    return MessageRow(number, 1, role, text, 0.0)


def test_messages_are_paired_and_nothing_is_left_out() -> None:
    turns = pair_turns([row(1, "user", "a?"), row(2, "user", "b?"), row(3, "assistant", "B.")])
    assert [(t.question, t.text, t.answered) for t in turns] == [
        ("a?", "", False),
        ("b?", "B.", True),
    ]


def test_an_answer_without_its_question_is_still_shown() -> None:
    assert pair_turns([row(1, "assistant", "Hello.")])[0].text == "Hello."


def test_a_question_that_is_being_answered_is_not_shown_twice() -> None:
    history = [Turn("a?", "A.", answered=True), Turn("b?")]
    assert merge_history(history, ["b?", "c?"]) == history[:1]


def test_steps_are_described() -> None:
    assert describe_step(Progress("reading", 0, 8)) == "Reading 8 passages…"
    assert describe_step(None) == "Finding passages…"
    assert describe_step(Progress("reports", 3, 12)) == "Reading reports: 3 of 12…"
    assert describe_step(Progress("something new")) == "Working…"


def quoting(introduction: str, **known) -> Turn:
    """Return a turn whose answer is one quotation."""
    known = {"model": "m", **known}
    text = f"{introduction}\n\n> She rows. [1]"
    quote = Citation(1, 5, 1, "The Ferry: A Novel", 0, 9, "She rows.")
    return Turn("q", text, (quote,), answered=True, **known)


def test_the_reason_why_there_is_no_written_answer_is_described() -> None:
    rejected = INTRODUCTION["en"]
    assert describe_reason(quoting(rejected, n_rejected=2)).startswith(
        "None of the model's 2 sentences was confirmed."
    )
    assert describe_reason(quoting(rejected, n_rejected=1)).startswith(
        "The model's sentence was not confirmed"
    )
    assert describe_reason(quoting(rejected)).startswith("What the model wrote was not confirmed")
    assert describe_reason(quoting(UNRELATED["en"])).startswith("The model found no answer")
    assert "passage that was found" in describe_reason(quoting("So:", model="", weak=True))
    undecided = quoting(UNDECIDED["en"], model="", weak=True)
    assert describe_reason(undecided) == "No passage was found that clearly says yes or no."
    assert "No language model" in describe_reason(quoting("So:", model=""))
    for form in UNKNOWN.values():
        turn = quoting(form.format("Heathcliff"), model="", weak=True)
        assert describe_reason(turn) == "Heathcliff does not occur in your documents."
    assert quoting(rejected).is_rejected and not quoting("So:").is_rejected
    passages = tuple(Passage(n, 1, "T", 0, 9, 1.0, "She rows.", 0, 9) for n in (6, 7))
    unclear = CheckedSentence("He flies.", "unclear", chunk_id=7)
    known = quoting(rejected, passages=passages, n_rejected=1, failed=unclear)
    assert choose_notice_title(known) == "The model's sentence was not confirmed."
    assert describe_unwritten(known) == "The model doubts that passage 2 says so."
    several = replace(known, n_rejected=3)
    assert choose_notice_title(several) == "None of the model's 3 sentences was confirmed."
    assert describe_unwritten(several) == "The first: the model doubts that passage 2 says so."
    assert describe_unwritten(replace(known, failed=None)) == ""
    lacking = replace(known, failed=CheckedSentence("He flies.", "number", ("shoemaker",), 7))
    assert describe_unwritten(lacking) == "Passage 2 does not say “shoemaker”."
    uncited = replace(known, failed=CheckedSentence("He flies.", "uncited"))
    assert describe_unwritten(uncited) == "It cites no passage."
    perhaps = replace(known, text=f"{PERHAPS['en'].format('Ada [sic]', 2)}\n\n> She rows. [1]")
    assert describe_unwritten(perhaps) == "Not confirmed: see passage 2."
    assert choose_notice_title(perhaps) == "Perhaps “Ada [sic]”."
    assert find_failed_rank(perhaps) == 2 and perhaps.is_rejected and perhaps.is_unwritten
    assert not replace(perhaps, n_rejected=0).is_rejected, "the model wrote no sentence"
    assert describe_unwritten(quoting("So:")) == describe_reason(quoting("So:"))
    assert choose_notice_title(quoting("So:")) == "No written answer."
    assert quoting(rejected).stated == "" and quoting(rejected).shows_passages


def test_the_heading_of_passages_claims_no_more_than_is_known() -> None:
    assert quoting(INTRODUCTION["en"]).passages_title == "Passages that may answer this"
    far = quoting("So:", model="", weak=True)
    assert far.is_unanswerable and far.passages_title == "Nearest passages"


def test_quotations_at_the_end_of_a_refusal_are_shown_as_passages() -> None:
    text = f"Nobody says it.\n\n{NEAREST['en']}\n\n> She rows. [1]"
    turn = quoting("So:", model="m")
    refusal = Turn("q", text, turn.citations, answered=True, model="m")
    assert refusal.stated == "Nobody says it." and refusal.shows_passages
    assert refusal.passages_title == "Nearest passages"
    own = Turn("q", "She says [1]:\n\n> Yes. [1]\n\nSo she does.", turn.citations, answered=True)
    assert own.stated == own.text and not own.shows_passages


def test_the_steps_before_and_after_the_current_one_are_named() -> None:
    assert describe_steps_around(Progress("finding"), 0, 0)[0] == []
    around = describe_steps_around(Progress("preparing"), 20, 0)
    assert around == (["20 passages found"], ["Read", "Write", "Check"])
    done, coming = describe_steps_around(Progress("answering"), 20, 5)
    assert (done, coming) == (["20 passages found", "Model ready", "5 read"], ["Check"])
    assert describe_steps_around(Progress("reports", 3, 12), 0, 0) == ([], [])


def test_the_step_of_loading_says_how_long_it_usually_takes() -> None:
    assert describe_step(Progress("preparing")) == "Loading the model into memory…"
    known = Progress("preparing", left_s=6.4)
    assert describe_step(known) == "Loading the model into memory, usually about 6 s…"
    slow = Progress("preparing", left_s=75.0)
    assert describe_step(slow) == "Loading the model into memory, usually about 1 min 15 s…"


def test_the_first_paragraph_is_a_notice_where_it_is_no_answer() -> None:
    head = "These passages come nearest:"
    assert Turn("q", f"{head}\n\n> Ada. [1]", answered=True).has_notice
    assert Turn("q", "Your documents don't seem to say.", answered=True).has_notice
    assert not Turn("q", "Ada rows [1].", answered=True).has_notice
    assert not Turn("q", f"{head}\n\n> Ada. [1]\n\nShe rows.", answered=True).has_notice


def test_names_that_are_spelled_out_are_suggested_before_abbreviations() -> None:
    names = [
        EntityRow(1, "DIA", "concept", 90, 3, 1),
        EntityRow(2, "LayoutParser", "object", 40, 3, 1),
        EntityRow(3, "DL", "concept", 60, 3, 1),
        EntityRow(4, "Harvard", "organisation", 20, 3, 1),
    ]
    assert suggest_questions([names], chinese=False) == [
        "What is said about LayoutParser?",
        "What is said about Harvard?",
    ]
    assert suggest_questions([names[:1]], chinese=False) == ["What is said about DIA?"]


def test_stored_answers_of_older_versions_get_the_ranks_of_their_passages() -> None:
    passages = tuple(Passage(n, 1, "T", 0, 9, 1.0 / n, "She rows.", 0, 9) for n in (1, 2, 3))
    cited = tuple(Citation(n, c, 1, "T", 0, 9, "She rows.") for n, c in ((1, 3), (4, 2)))
    old = replace(row(2, "assistant", "Ada [4]. Quill [1]."), citations=cited, passages=passages)
    [turn] = pair_turns([row(1, "user", "q?"), old])
    assert turn.text == "Ada [2]. Quill [3]."
    assert [(c.number, c.chunk_id) for c in turn.citations] == [(2, 2), (3, 3)]
    assert [s.number for s in build_sources(turn) if s.is_cited] == [2, 3]
    notes = text_with_sources(turn).split("\n\n")[1].split("\n")
    assert [note[:3] for note in notes] == ["[2]", "[3]"]
    [without] = pair_turns([row(1, "user", "q?"), replace(old, passages=())])
    assert without.text == old.text and without.citations == cited


def test_copied_citations_are_footnotes() -> None:
    citation = Citation(1, 5, 2, "The Ferry", 10, 20, "She rows\nwell.", "12")
    text = text_with_sources(Turn("q?", "She rows [1].", (citation,)))
    assert text == "She rows [1].\n\n[1] The Ferry, p. 12: “She rows well.”"


def test_a_source_has_its_quote_with_the_text_around_it() -> None:
    text = "Before it rained. She rows well. Then it was dry."
    passage = Passage(5, 2, "The Ferry", 100, 100 + len(text), 0.5, text, 118, 132)
    other = Passage(6, 2, "The Ferry", 0, 9, 0.25, "Not read.", 0, 9)
    citation = Citation(1, 5, 2, "The Ferry", 118, 132, "She rows well.")
    cited, read = build_sources(Turn("q", "a [1]", (citation,), (passage, other)))
    assert (cited.before, cited.quote, cited.after) == (
        "Before it rained. ", "She rows well.", " Then it was dry.",
    )  # fmt: skip
    assert (cited.number, cited.share, read.number, read.share) == (1, 1.0, 2, 0.5)
    assert cited.is_cited and read.is_other


def test_a_source_whose_passage_is_gone_shows_its_quote() -> None:
    citation = Citation(1, 5, 2, "The Ferry", 118, 132, "She rows well.")
    assert build_sources(Turn("q", "a [1]", (citation,)))[0].quote == "She rows well."


def test_suggestions_are_in_the_language_of_the_names() -> None:
    names = [
        EntityRow(1, "Ada", "person", 9, 3, 1),
        EntityRow(2, "林秋白", "person", 8, 3, 1),
        EntityRow(3, "Tobias", "person", 7, 3, 1),
        EntityRow(4, "沈老三", "person", 6, 3, 1),
    ]
    assert suggest_questions([names]) == [
        "Who is Ada?",
        "林秋白和沈老三是什么关系？",
        "How are Ada and Tobias connected?",
        "林秋白是谁？",
    ]
    assert suggest_questions([]) == []


def test_that_a_person_in_the_text_says_so_is_shown_below_the_answer() -> None:
    said = f"唐僧。 [1]{SPOKEN['zh']}"
    one = Citation(1, 1, 1, "T", 0, 4, "那唐僧乃童身")
    turn = Turn("师父是谁？", said, (one,), answered=True, model="m", n_confirmed=1)
    assert turn.is_spoken and turn.shown == "唐僧。 [1]"
    both = replace(turn, text=f"悟空。 [1] {said}", n_confirmed=2)
    assert not both.is_spoken and both.shown == both.text


def test_a_place_does_not_repeat_the_title() -> None:
    title = "The Weigh-House"
    assert describe_chapter(f"{title} › I. The Abbess", title) == "I. The Abbess"
    assert describe_chapter("Book I › I. The Abbess", title) == "Book I › I. The Abbess"
    assert describe_chapter(title, title) == title
    assert describe_chapter("ALICE’S TALE › THE POOL", "Alice's Tale") == "The Pool"
    assert describe_chapter("PART I › THE END OF IT", "T") == "Part I › The End of It"
    part = "SECOND PERIOD. THE DISCOVERY OF THE TRUTH (1848-1849)"
    assert describe_chapter(f"{part} › CHAPTER I", "T") == "Second Period › Chapter I"
    last = "SIXTH NARRATIVE. Contributed by SERGEANT CUFF"
    shown = "Second Period › Sixth Narrative. Contributed by SERGEANT CUFF"
    assert describe_chapter(f"{part} › {last}", "T") == shown
    assert describe_chapter("I. A Long Title of a Part, and More › II", "T").startswith("I. A Long")
    assert describe_chapter("Book 2 › Part I › Chapter I", "T") == "Part I › Chapter I"


def test_a_location_is_the_chapter_and_the_page_or_the_position() -> None:
    passage = Passage(1, 1, "T", 1200, 1300, 1.0, "text", 1200, 1300, heading="I. The Abbess")
    assert describe_location(passage) == "I. The Abbess"  # stored before the length was
    known = replace(passage, n_document_chars=10_000)
    assert describe_location(known) == "I. The Abbess · at 12%"
    assert describe_location(replace(known, page_label="iv")) == "I. The Abbess · p. iv"
    assert describe_location(replace(known, heading="")) == "at 12%"
