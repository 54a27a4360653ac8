"""Tests the answer pipeline: all modes, streaming, follow-up questions, chats, no model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.engine.answering.citations import NEAREST
from desktop_app.engine.answering.claims import INTRODUCTION
from desktop_app.engine.answering.context import (
    build_messages,
    choose_passages,
    cut_around_best,
    needs_explanation,
)
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.graph.evidence import choose_introductions
from desktop_app.engine.llm.protocols import ChatRun
from desktop_app.engine.model import Answer, ChatMessage, Passage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import Choice, Choose, Write, Written
from desktop_app.engine.query import GRAPH_MODES, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.retrieval.strategies.book_ranking import expand_question
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.chats import Chats
from desktop_app.engine.services.library import Library
from tests.fakes import HashEmbedder, ScriptedChatModel, reply_alike
from tests.story_library import open_story_library

QUESTION = "Who was lost near Port Ellis?"


@pytest.fixture
def library(tmp_path):
    with open_story_library(tmp_path) as made:
        yield made


def build_pipeline(library, model=None, scheduler=None):
    retriever = Retriever(library.writer, HashEmbedder)
    return AnswerPipeline(retriever, library.writer, lambda: model, scheduler)


def count_written(model: ScriptedChatModel) -> int:
    """Return how many lines the model wrote besides answers; checking an answer writes none."""
    answers = ("Answer:", "答案：")  # of single passages
    return sum(
        isinstance(ask, Write) and line not in answers for _, ask, line in model.script_lines
    )


def test_pieces_come_first_and_the_checked_answer_last(library):
    pipeline = build_pipeline(library, ScriptedChatModel(["Edmund Marsh [1]. Nobody [88]."]))
    *pieces, answer = pipeline.query_stream(QUESTION)
    assert "".join(pieces) == "Edmund Marsh [4]. Nobody."  # no passage has that number
    assert isinstance(answer, Answer) and answer.text == "Edmund Marsh [4]."


def test_a_citation_has_the_rank_of_its_passage_while_it_is_written_and_afterwards(library):
    for place in (1, 2, 4):  # in the passage of number 3 somebody says it
        model = ScriptedChatModel([f"Edmund Marsh [{place}]."])
        *pieces, answer = build_pipeline(library, model).query_stream(QUESTION)
        [citation] = answer.citations
        passage = answer.found.passages[citation.number - 1]
        assert passage.chunk_id == citation.chunk_id
        assert "".join(pieces) == answer.text == f"Edmund Marsh [{citation.number}]."


@pytest.mark.parametrize("mode", ["walk", "naive", "words", "local"])
def test_passages_are_reported_before_the_model_reads(library, mode):
    model = ScriptedChatModel(["Edmund Marsh [1]."])
    events = []
    stream = build_pipeline(library, model).query_stream(
        QUESTION, QueryParam(mode=mode), on_found=lambda f: events.append((f, len(model.asked)))
    )
    answer = list(stream)[-1]
    [(found, n_prompts)] = events
    assert n_prompts == 0
    assert found.passages == answer.found.passages and found.passages


def test_a_prefetched_question_is_retrieved_once_and_read_ahead(library):
    model = ScriptedChatModel(["Edmund Marsh [1]."])
    pipeline = build_pipeline(library, model)
    found = pipeline.prefetch(None, f"{QUESTION} ")
    pipeline.read_ahead(None, QUESTION, cancel=CancelToken())
    reported = []
    *_, answer = pipeline.query_stream(QUESTION, on_found=reported.append)
    assert reported == [found] and reported[0] is found
    ahead, prompt = model.asked[:2]
    assert ahead == prompt
    assert answer.found.passages == found.passages


def test_a_prefetched_question_is_retrieved_again_after_a_change(library):
    pipeline = build_pipeline(library)
    found = pipeline.prefetch(None, QUESTION)
    first = found.passages[0].document_id
    with library.writer.session_transaction():
        library.writer.write("UPDATE document SET set_aside = 1 WHERE id = ?", (first,))
    assert first not in {p.document_id for p in pipeline.query(QUESTION).found.passages}


def test_nothing_is_read_ahead_while_background_work_runs_or_for_a_follow_up(library):
    model, scheduler = ScriptedChatModel(["Edmund Marsh [1]."]), WorkScheduler()
    pipeline = build_pipeline(library, model, scheduler)
    with scheduler.hold(Priority.IMPORT):
        pipeline.read_ahead(None, QUESTION, cancel=CancelToken())
    before = (ChatMessage("user", QUESTION), ChatMessage("assistant", "Edmund Marsh."))
    follow_up = QueryParam(conversation_history=before)
    assert pipeline.prefetch(None, "And where did he live?", follow_up) is None
    pipeline.read_ahead(None, "And where did he live?", follow_up, cancel=CancelToken())
    assert model.asked == []


def test_background_work_is_blocked_until_the_stream_ends_or_is_closed(library):
    scheduler = WorkScheduler()
    pipeline = build_pipeline(library, ScriptedChatModel(["one two three"]), scheduler)
    stream = pipeline.query_stream(QUESTION)
    assert next(stream).strip() == "one"
    assert scheduler.find_blocker(Priority.IMPORT) is Priority.QUESTION
    stream.close()
    assert scheduler.find_blocker(Priority.IMPORT) is None


def test_query_data_returns_the_retrieval_result_without_a_chat_call(library):
    model = ScriptedChatModel(["never"])
    param = QueryParam(include_chunk_content=True)
    data = build_pipeline(library, model).query_data(QUESTION, param)
    assert model.asked == [] and model.script_lines == []
    assert {"entities", "relations", "chunks", "references", "keywords", "timings_ms",
            "stages", "sources", "weak", "notes"} <= data.keys()  # fmt: skip
    assert "Edmund Marsh had been a sailor" in data["chunks"][0]["text"]
    by_id = {r["reference_id"]: r for r in data["references"]}
    for chunk in data["chunks"]:
        assert by_id[chunk["reference_id"]]["document"] == chunk["document"]
        assert chunk["text"] in by_id[chunk["reference_id"]]["content"]
    assert data["stages"][-1]["name"] == "context" and data["stages"][-1]["kept"]
    without = build_pipeline(library).query_data(QUESTION, QueryParam(include_references=False))
    assert without["references"] == []


@pytest.mark.parametrize("mode", GRAPH_MODES)
def test_graph_modes_ask_for_keywords_once_unless_given(library, mode):
    def reply(script, ask, line):
        if isinstance(ask, Choose):
            return reply_alike(script, ask, line)
        return Written("loss at sea" if "Themes" in line else "Port Ellis")

    model = ScriptedChatModel(["Edmund Marsh [1]."], reply=reply)
    pipeline = build_pipeline(library, model)
    answer = pipeline.query(QUESTION, QueryParam(mode=mode))
    assert answer.citations and "Port Ellis" in answer.found.keywords.low
    n_asked = count_written(model)
    assert n_asked == 2
    pipeline.query(QUESTION, QueryParam(mode=mode, ll_keywords=("Edmund Marsh",)))
    pipeline.query(QUESTION, QueryParam(mode=mode))
    assert count_written(model) == n_asked, "given, or known from before"
    pipeline.query(QUESTION)
    assert count_written(model) == n_asked


def test_a_slow_model_gets_no_call_before_the_answer(library):
    model = ScriptedChatModel(["Edmund Marsh [1]."])
    model.last_run = ChatRun(n_prompt=600, prompt_s=50.0)
    pipeline = build_pipeline(library, model)
    pipeline.query(QUESTION)
    pipeline.query(QUESTION, QueryParam(mode="mix"))
    assert count_written(model) == 0 and len(model.asked) == 2


def test_a_follow_up_question_is_rewritten_from_the_previous_turn(library):
    chats = Chats(library.writer, library.writer)
    chat_id = chats.create_chat()
    model = ScriptedChatModel(["Edmund Marsh was a sailor [1].", "He was lost [1]."])
    pipeline = build_pipeline(library, model)
    assert pipeline.ask(chat_id, "What did Edmund Marsh do?").found.asked == ""
    answer = pipeline.ask(chat_id, "Where was he lost?")
    assert (answer.found.asked, answer.found.question) == (
        "Where was he lost?",
        "Where was Edmund Marsh lost?",
    )
    assert answer.found.stages[0].name == "follow-up"
    first, second = model.asked
    assert first[0] == second[0]
    assert "A: Edmund Marsh was a sailor." not in second[1].text, "it stands by itself now"
    third = pipeline.ask(chat_id, "And his brig?")
    assert third.found.question == "And Edmund Marsh's brig?", "the chain goes on"
    assert [m.text for m in chats.fetch_messages(chat_id) if m.role == "user"] == [
        "What did Edmund Marsh do?",
        "Where was he lost?",
        "And his brig?",
    ]


def test_the_prompt_holds_the_turns_that_a_question_needs(library):
    model = ScriptedChatModel(["Clara Wren did [1].", "Out of love [1]."])
    history = (
        ChatMessage("user", "Who scratched what into the watch?"),
        ChatMessage("assistant", "Somebody scratched a name [1]. It was long ago."),
    )
    build_pipeline(library, model).query("Why?", QueryParam(conversation_history=history))
    assert "Q: Who scratched what into the watch?" in model.asked[0][1].text
    assert "Somebody" not in model.asked[0][1].text, "a small model would say it again"
    model.last_run = ChatRun(n_prompt=600, prompt_s=1.5)
    pipeline = build_pipeline(library, model)
    pipeline.query("Why?", QueryParam(conversation_history=history))
    pipeline.query("Why?", QueryParam(conversation_history=history))
    assert "A: Somebody scratched a name." in model.asked[-1][1].text


def test_a_sentence_that_its_passage_does_not_say_is_replaced_by_a_quotation(library):
    def refuse(script, ask, line):
        liked = reply_alike(script, ask, line)
        doubted = "submarines" in script.messages[-1].text + script.text
        return Choice(liked.logprobs[::-1]) if doubted else liked

    text = "Edmund Marsh commanded submarines [1]. Edmund Marsh had been a sailor [1]."
    answer = build_pipeline(library, ScriptedChatModel([text], reply=refuse)).query(QUESTION)
    assert "submarines" not in answer.text and "had been a sailor" in answer.text
    checked = next(stage for stage in answer.found.stages if stage.name == "answer checked")
    assert any("submarines" in left_out for left_out in checked.dropped)
    alone = ScriptedChatModel([text.split(".")[0] + "."], reply=refuse)
    quoted = build_pipeline(library, alone).query(QUESTION)
    assert quoted.text.startswith(INTRODUCTION["en"]) and "submarines" not in quoted.text
    assert quoted.citations and all(c.quote.strip() for c in quoted.citations)


def test_a_given_history_is_used(library):
    history = (
        ChatMessage("user", "Who was Edmund Marsh?"),
        ChatMessage("assistant", "A sailor."),
    )
    found = (
        build_pipeline(library)
        .query("Where was he lost?", QueryParam(conversation_history=history))
        .found
    )
    assert found.question == "Where was Edmund Marsh lost?"


def test_only_the_context_or_the_prompt_can_be_requested(library):
    model = ScriptedChatModel(["never"])
    pipeline = build_pipeline(library, model)
    context = pipeline.query(QUESTION, QueryParam(only_need_context=True))
    prompt = pipeline.query(QUESTION, QueryParam(only_need_prompt=True))
    assert "Edmund Marsh had been a sailor" in context.text
    assert context.text in prompt.text and prompt.text.startswith("You answer questions")
    assert model.asked == [] and context.citations == () and prompt.n_prompt_tokens > 50
    assert build_pipeline(library).query(QUESTION, QueryParam(only_need_context=True)).text


def test_bypass_uses_the_history_and_states_that_no_document_was_used(library):
    model = ScriptedChatModel(["Paris [1]."])
    history = (ChatMessage("user", "Hi"), ChatMessage("assistant", "Hello."))
    param = QueryParam(mode="bypass", conversation_history=history)
    answer = build_pipeline(library, model).query("What is the capital of France?", param)
    assert answer.text.startswith("Paris") and "not from your documents" in answer.text
    assert answer.citations == () and answer.found.passages == ()
    assert [m.text for m in model.asked[0][1:3]] == ["Hi", "Hello."]
    with pytest.raises(EnvironmentProblem):
        build_pipeline(library).query("Why?", QueryParam(mode="bypass"))


def test_user_prompt_and_response_type_reach_the_model_and_not_retrieval(library):
    model = ScriptedChatModel(["- Edmund Marsh [1]"])
    options = QueryParam(user_prompt="Mention the Petrel.", response_type="Bullet Points")
    pipeline = build_pipeline(library, model)
    assert (
        pipeline.query(QUESTION, options).found.passages == pipeline.query(QUESTION).found.passages
    )
    assert "Mention the Petrel." in model.asked[0][1].text
    assert "Bullet Points" in model.asked[0][1].text


REFUSAL = "Your documents don't seem to say."


def test_an_answer_that_nothing_was_found_lists_the_nearest_passages(library):
    pipeline = build_pipeline(library, ScriptedChatModel([f"{REFUSAL} [1]"]))
    answer = pipeline.query(QUESTION)
    head, *quotations = answer.text.split("\n\n")
    assert head == f"{REFUSAL} These passages come nearest:"
    assert all(quotation.startswith("> ") for quotation in quotations)
    assert 1 <= len(quotations) == len(answer.citations) <= 3
    for citation in answer.citations:
        assert f"[{citation.number}]" in answer.text
        assert citation.quote in next(
            p.text for p in answer.found.passages if p.chunk_id == citation.chunk_id
        )


def test_what_a_model_says_beside_the_refusal_is_kept(library):
    own = "The sources do not mention an employer of the Petrel."
    answer = build_pipeline(library, ScriptedChatModel([own])).query(QUESTION)
    assert answer.text.startswith(f"{own}\n\n{NEAREST['en']}\n\n> ")


def test_a_refusal_without_a_known_entity_has_the_nearest_passages_too(library):
    answer = build_pipeline(library, ScriptedChatModel([f"{REFUSAL} [1]"])).query(
        "What was lost at sea?"
    )
    assert not answer.found.entities
    assert answer.citations and "He was lost near Port Ellis" in answer.text


def test_the_prompt_explains_names_that_the_sources_write_differently():
    spellings = [("Lu Zhishen", "鲁智深")]
    asked = build_messages(
        "How did Lu Zhishen die?", "[1] 鲁智深…", "", QueryParam(), "en", spellings
    )
    assert "In the sources Lu Zhishen is called 鲁智深.\nQuestion: How did" in asked[1].text
    assert needs_explanation("Lu Zhishen", "鲁智深", "鲁智深笑道")
    assert needs_explanation("鲁达", "鲁智深", "鲁智深笑道")
    assert not needs_explanation("鲁达", "鲁智深", "鲁达唤做鲁智深")
    assert not needs_explanation("Scrooge", "Ebenezer Scrooge", "ebenezer scrooge")
    assert not needs_explanation("Lu Zhishen", "鲁智深", "宋江笑道")


NONSENSE = "qwrtz plmk vbnx?"


def test_the_model_is_not_asked_where_nothing_near_the_question_was_found(library):
    answer = build_pipeline(library, ScriptedChatModel(["It was the qwrtz."])).query(NONSENSE)
    assert answer.found.weak and not answer.model
    assert answer.text.startswith("Your documents don't seem to say.")
    assert [c.chunk_id for c in answer.citations] == [
        p.chunk_id for p in answer.found.passages[: len(answer.citations)]
    ]


def test_a_name_that_occurs_nowhere_is_named_and_the_model_is_not_asked(library):
    pipeline = build_pipeline(library, ScriptedChatModel(["Zerlina went home [1]."]))
    answer = pipeline.query("What did the sailor say to Zerlina?")
    assert answer.found.unknown == ("Zerlina",) and not answer.model
    assert answer.text.startswith("Zerlina does not occur in your documents.")
    beside_a_known_one = pipeline.query("What did Clara Wren say to Zerlina?")
    assert beside_a_known_one.model and not beside_a_known_one.found.weak


def test_the_model_is_asked_anyway_on_request_with_a_warning(library):
    *pieces, answer = build_pipeline(library, ScriptedChatModel(["No."])).query_stream(
        NONSENSE, QueryParam(only_if_found=False)
    )
    assert answer.found.weak and answer.model
    assert "Little in your documents" in "".join(pieces)


def test_a_stopped_stream_keeps_its_partial_answer(library):
    token = CancelToken()
    stream = build_pipeline(library, ScriptedChatModel(["one two three"])).query_stream(
        QUESTION, cancel=token
    )
    assert next(stream).strip() == "one"
    token.cancel()
    *_, answer = stream
    assert answer.stopped and answer.text.startswith("one") and "three" not in answer.text


def test_an_empty_question_and_an_unknown_mode_are_refused(library):
    for question, param in (("  ", QueryParam()), ("Who?", QueryParam(mode="psychic"))):
        with pytest.raises(UserError):
            build_pipeline(library).query(question, param)


# --- chats, stopped answers, no model -------------------------------------------------------------

SENTENCES = [f"Sentence number {i} tells of the harbour and the rain." for i in range(30)]
LONG = " ".join(SENTENCES)


def passage(best: int) -> Passage:
    start = LONG.index(SENTENCES[best])
    end = start + len(SENTENCES[best])
    return Passage(1, 1, "Rain", 500, 500 + len(LONG), 1.0, LONG, 500 + start, 500 + end)


@pytest.mark.parametrize("best", [0, 14, 29])
def test_a_long_passage_is_cut_to_whole_sentences_around_its_best_one(best):
    model = ScriptedChatModel([""])
    cut = cut_around_best(passage(best), 60, model.count_tokens)
    assert SENTENCES[best] in cut.text
    assert model.count_tokens(cut.text) <= 60
    assert LONG[cut.start - 500 : cut.end - 500] == cut.text
    assert cut.text.startswith("Sentence") and cut.text.endswith("rain.")


def test_passages_given_to_the_model_fit_its_context():
    model = ScriptedChatModel([""], n_ctx=900)
    chosen = choose_passages([passage(i) for i in range(8)], 360, model.count_tokens)
    assert 1 <= len(chosen) < 8
    assert sum(model.count_tokens(p.text) for p in chosen) <= 360


def test_the_best_window_of_a_passage_is_not_cut():
    count = ScriptedChatModel([""]).count_tokens
    whole = passage(10)
    last = SENTENCES[21]
    long_window = replace(whole, chunk_id=2, best_end=500 + LONG.index(last) + len(last))
    chosen = choose_passages([whole, long_window], 420, count)
    [part] = [p for p in chosen if p.best_end == long_window.best_end]
    assert SENTENCES[10] in part.text and last in part.text


def test_the_answer_is_streamed_cited_and_stored(library):
    chats = Chats(library.writer, library.writer)
    chat_id = chats.create_chat()
    pieces, stages = [], []
    answer = build_pipeline(
        library, ScriptedChatModel(["Clara wound the clocks [4]. Nobody [77]."])
    ).ask(
        chat_id,
        "Who wound the clocks?",
        on_piece=pieces.append,
        on_step=lambda p: stages.append(p.stage),
    )
    assert "".join(pieces) == "Clara wound the clocks [1]. Nobody."
    assert list(dict.fromkeys(stages)) == [
        "finding", "preparing", "reading", "answering", "checking",
    ]  # fmt: skip
    assert stages.count("reading") == 1 + 4, "passages one by one, then all together"
    assert answer.text == "Clara wound the clocks [1]."
    question, kept = chats.fetch_messages(chat_id)
    assert question.text == "Who wound the clocks?"
    assert kept.text == answer.text and kept.citations == answer.citations
    assert chats.list_chats()[0].title == "Who wound the clocks?"


def test_a_stopped_answer_is_stored_as_far_as_it_was_written(library):
    chats = Chats(library.writer, library.writer)
    chat_id, token = chats.create_chat(), CancelToken()
    model = ScriptedChatModel(["one two three four five six"])
    answer = build_pipeline(library, model).ask(
        chat_id, "Who wound the clocks?", cancel=token, on_piece=lambda piece: token.cancel()
    )
    assert answer.stopped
    assert answer.text.startswith("one") and "six" not in answer.text
    assert chats.fetch_messages(chat_id)[1].stopped


def test_without_a_model_the_answer_consists_of_passages(library):
    answer = build_pipeline(library, None).ask(None, "Who was lost near Port Ellis?")
    assert answer.model == ""
    assert "Edmund Marsh had been a sailor" in answer.text or "Port Ellis" in answer.text
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))


def test_weak_results_are_reported(library):
    nonsense = "qwrtz plmk vbnx"
    answer = build_pipeline(library, None).ask(None, nonsense)
    assert answer.found.weak
    assert answer.text.startswith("Your documents don't seem to say.")


def test_an_empty_library_answers_that_nothing_was_found(tmp_path):
    empty = Library(tmp_path / "empty.inkgraph")
    answer = build_pipeline(empty, ScriptedChatModel(["Never asked."])).ask(None, "鲁智深是谁？")
    assert "没有" in answer.text and answer.citations == ()
    empty.close()


@pytest.mark.parametrize(
    ("question", "word"),
    [("他是怎么死的？", "圆寂"), ("谁打死了他？", "一拳")],
)
def test_a_question_is_expanded_with_words_of_likely_answers(question, word):
    assert word in expand_question(question)
    assert expand_question("Seven o'clock") == ""


def test_introductions_are_whole_sentences_without_repeats():
    found = [
        "Stave I: Marley's Ghost\nStave II: The First",
        "Old Marley was dead.",
        "Old Marley\nwas dead!",
        "He was Scrooge's partner.",
    ]
    assert choose_introductions(found, 2) == [found[1], found[3]]
    assert choose_introductions(found[:1], 2) == found[:1]


def test_the_step_of_loading_says_how_long_that_is_likely_to_take(library):
    steps = []
    for seconds in (6.5, 0.0):  # 0: it is loaded, or nothing is known
        model = ScriptedChatModel(["Edmund Marsh [1]."])
        pipeline = AnswerPipeline(
            Retriever(library.writer, HashEmbedder),
            library.writer,
            lambda model=model: model,
            estimate_loading=lambda seconds=seconds: seconds,
        )
        pipeline.ask(None, QUESTION, on_step=steps.append)
    assert [one.left_s for one in steps if one.stage == "preparing"] == [6.5, None]


# --- who or what a name is -----------------------------------------------------------------------


def decline(script, ask, line):
    """Prefer "the passage does not say" to all that is asked about."""
    if isinstance(ask, Write):
        return Written(" Captain Edmund" if line else "I don't know.", 2, mean_logprob=-0.1)
    liked = reply_alike(script, ask, line)
    return Choice(liked.logprobs[::-1])


def test_a_name_is_answered_with_the_sentence_that_defines_it_without_writing(library):
    model = ScriptedChatModel(["never"])
    pipeline = build_pipeline(library, model)
    pieces = []
    answer = pipeline.ask(None, "Who was Edmund Marsh?", on_piece=pieces.append)
    assert (
        answer.text.startswith("Edmund Marsh had been a sailor") and "".join(pieces) == answer.text
    )
    assert model.asked == [] and count_written(model) == 0
    [citation] = answer.citations
    assert citation.number == 1 and answer.found.passages[0].chunk_id == citation.chunk_id
    assert dict(answer.found.passages[0].routes)["definition"] == 1.0
    assert answer.found.check.kept and not answer.found.check.dropped


def test_a_definition_that_the_model_doubts_leads_the_passages(library):
    answer = build_pipeline(library, ScriptedChatModel(["None [1]."], reply=decline)).query(
        "Who was Edmund Marsh?"
    )
    assert not answer.text.startswith("Edmund Marsh had been a sailor")
    quoted = [line for line in answer.text.split("\n") if line.startswith(">")]
    assert "Edmund Marsh had been a sailor" in quoted[0]


def test_without_a_model_the_definition_is_the_first_passage(library):
    answer = build_pipeline(library).query("Who was Edmund Marsh?")
    assert "> Edmund Marsh had been a sailor" in answer.text.split("\n\n")[1]


def test_an_answer_that_is_only_another_name_is_not_shown(library):
    def reply(script, ask, line):
        if isinstance(ask, Write):
            return Written(" Edmund Marsh", 2, mean_logprob=-0.1)
        return reply_alike(script, ask, line)

    model = ScriptedChatModel(["Edmund Marsh [1]."], reply=reply)
    answer = build_pipeline(library, model).query("Who is Captain Hale?")
    stated = [line for line in answer.text.split("\n") if not line.startswith(">")]
    assert "Edmund Marsh" not in "".join(stated)
    assert any("only gives another name" in text for text in answer.found.check.dropped)
