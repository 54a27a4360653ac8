"""Answers in a few words: what is read, proposed and shown, and when the whole prompt is read."""

from __future__ import annotations

import pytest

from desktop_app.engine.answering.citations import NOT_IN_READ, UNRELATED, is_refusal
from desktop_app.engine.answering.claims import NO_ANSWER
from desktop_app.engine.answering.guesses import find_guess
from desktop_app.engine.answering.pipeline import AnswerPipeline
from desktop_app.engine.answering.short_answers import (
    AGREEMENT,
    LARGE_MODEL,
    PassageReader,
    measure_agreement,
    suits_short_answer,
)
from desktop_app.engine.errors import AppError
from desktop_app.engine.model import Answer, ChunkId, DocumentId, Passage, RetrievalResult
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.prompt_program import PASSAGE, Choice, Write, Written
from desktop_app.engine.query import LIST_FORM, LONG_FORM, MAX_READ, SHORT_FORM, QueryParam
from desktop_app.engine.retrieval.retriever import Retriever
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.evaluation.measures import is_stated
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.writing_systems import has_han
from tests.fakes import HashEmbedder, ScriptedChatModel, reply_alike
from tests.story_library import open_story_library

QUESTION = "Who was lost near Port Ellis?"
FORGE = "Dick Rolf kept the forge at Marl. His sister Ada sold fish on the quay."
MILL = "The miller of Marl had two sons and a blind horse."


def passage(text: str, score: float, chunk: int) -> Passage:
    return Passage(ChunkId(chunk), DocumentId(1), "Marl", 0, len(text), score, text, 0, len(text))


def answering(by_passage: dict[str, str], *, likes: bool = True, **options) -> ScriptedChatModel:
    """Return a model that answers passages with these words; "none" to all others."""

    def reply(script, ask, line):
        asked = script.messages[-1].text
        if isinstance(ask, Write):
            words = next((a for part, a in by_passage.items() if part in asked), " none")
            return Written(words, n_tokens=2, mean_logprob=-0.1)
        liked = reply_alike(script, ask, line)
        return liked if likes else Choice(liked.logprobs[::-1])

    return ScriptedChatModel(reply=reply, **options)


def read(question: str, texts: list[str], model, language: str = "en") -> PassageReader:
    """Read passages, best first."""
    sources = [passage(text, 1 / n, n) for n, text in enumerate(texts, 1)]
    reader = PassageReader(question, sources, language, MAX_READ)
    list(reader.read(model))
    return reader


@pytest.fixture
def library(tmp_path):
    with open_story_library(tmp_path) as made:
        yield made


def build_pipeline(library, model) -> AnswerPipeline:
    return AnswerPipeline(Retriever(library.writer, HashEmbedder), library.writer, lambda: model)


def test_passages_are_read_alone_and_the_best_first():
    sources = [passage(MILL, 0.2, 1), passage(FORGE, 0.9, 2)]
    model = answering({"forge at": " Dick Rolf"})
    reader = PassageReader("Who kept the forge?", sources, "en", MAX_READ)
    steps: list[Progress] = []
    found = reader.read(model, on_step=steps.append)
    first = next(found)
    assert [(step.done, step.chunk_id) for step in steps] == [(1, sources[1].chunk_id)]
    assert (first.text, first.number, first.is_proposed) == ("Dick Rolf", 2, True)
    assert FORGE in first.prompt and MILL not in first.prompt
    assert len(model.begun) == 1, "the next passage is read only if it is wanted"
    [second] = found
    assert (second.text, second.number, second.is_proposed) == ("", 1, False)
    assert [one.number for one in reader.read(model)] == [2, 1] and len(model.begun) == 2


def test_only_the_best_passages_are_read():
    reader = read("Who kept the forge?", [f"{MILL} {n}" for n in range(8)], answering({}))
    assert [answer.number for answer in reader.answers] == [1, 2, 3, 4][:MAX_READ]


def test_an_answer_is_compared_with_none_in_both_orders():
    model = answering({"forge at": " Dick Rolf"})
    [answer] = read("Who kept the forge?", [FORGE], model).answers
    first, second = [s.text for s, ask, _ in model.script_lines if not isinstance(ask, Write)]
    assert first.index("Dick Rolf") < first.index("does not say")
    assert second.index("Dick Rolf") > second.index("does not say")
    assert answer.is_proposed
    assert answer.confidence == pytest.approx(2.0 - 0.1), "less what it was unsure of in writing"


def test_an_answer_that_does_not_end_is_not_proposed():
    model = ScriptedChatModel(reply=lambda *_: Written("Dick Rolf kept", 32, ended="long"))
    [answer] = read("Who kept the forge?", [FORGE], model).answers
    assert answer.text and not answer.is_proposed


def test_a_cancelled_reading_gives_nothing():
    cancel = CancelToken()
    cancel.cancel()
    reader = PassageReader("Who kept it?", [passage(FORGE, 1.0, 1)], "en", MAX_READ)
    assert list(reader.read(answering({}), cancel)) == []
    assert not reader.is_in_none


@pytest.mark.parametrize("words", ["none", "None.", "无", "无。"])
def test_the_word_for_no_answer_is_no_answer(words):
    [found] = read("Who kept the forge?", [FORGE], answering({"forge at": words})).answers
    assert found.text == "" and not found.is_proposed


@pytest.mark.parametrize(
    ("question", "text", "answer", "is_proposed"),
    [
        ("Who kept the forge?", FORGE, "Dick Rolf", True),
        ("Who kept the forge?", FORGE, "Dick Rolf kept the forge.", True),
        ("Who kept the forge?", FORGE, "Dick Rolf, a smith from London", False),
        ("Who kept the forge?", FORGE, "the forge", False),
        ("How many horses?", "He had 26 horses.", "26", True),
        ("How many horses?", "He had 26 horses.", "26 horses", True),
        ("How many horses?", "He had 26 horses.", "2", False),
        ("Which version of SVG?", "It writes SVG 1.1 files.", "SVG 1.1", True),
        ("Which of the 26 horses?", "He had 26 horses.", "26 horses", False),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三", True),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三，他妹妹", True),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "罗三的哥哥", False),
        ("谁守着铁铺？", "罗三守着铁铺，他妹妹卖鱼。", "铁铺", False),
        ("要几个钱？", "要一千一百一十一个钱。", "一千一百一十", False),
        ("要几个钱？", "要一千一百一十一个钱。", "一千一百一十一", True),
        ("要几个钱？", "要一千一百一十一个钱。", "一十一个", False),
    ],
)
def test_only_words_of_the_passage_beyond_the_question_are_proposed(
    question, text, answer, is_proposed
):
    model = answering({text: answer})
    [found] = read(question, [text], model, "zh" if has_han(text) else "en").answers
    assert found.text == answer and found.is_proposed is is_proposed


@pytest.mark.parametrize(
    ("question", "param", "size", "suits"),
    [
        (QUESTION, QueryParam(), 1_500_000_000, True),
        (QUESTION, QueryParam(response_type=SHORT_FORM), 1_500_000_000, True),
        (QUESTION, QueryParam(response_type=LONG_FORM), 1_500_000_000, False),
        (QUESTION, QueryParam(response_type=LIST_FORM), 1_500_000_000, False),
        (QUESTION, QueryParam(user_prompt="In rhymes."), 1_500_000_000, False),
        (QUESTION, QueryParam(), LARGE_MODEL, False),
        ("List all the people whom she helped.", QueryParam(), 1_500_000_000, False),
    ],
)
def test_it_suits_small_models_and_questions_without_a_form(question, param, size, suits):
    model = ScriptedChatModel(n_parameters=size)
    found = RetrievalResult(question, "walk", ())
    assert suits_short_answer(found, param, model) is suits


def test_an_answer_of_one_passage_that_stands_is_the_whole_answer(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    *pieces, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert isinstance(answer, Answer)
    [citation] = answer.citations
    assert answer.text == f"Edmund Marsh [{citation.number}]." == "".join(pieces)
    assert "Edmund Marsh" in citation.quote
    assert model.asked == [], "the prompt of several passages is not read"
    [stage] = [s for s in answer.found.stages if s.name == "answer checked"]
    assert stage.kept and not stage.dropped


TWO_PARTS = "Who was lost near Port Ellis, and who sailed with him?"


@pytest.mark.parametrize("is_second_found", [True, False])
def test_each_part_of_a_question_is_read_with_the_answer_before_it(library, is_second_found):
    second = " Captain Hale" if is_second_found else " none"

    def reply(script, ask, line):
        if not isinstance(ask, Write):
            return reply_alike(script, ask, line)
        asked = script.messages[-1].text
        is_first = "Who sailed" not in asked
        words = second if not is_first else " Edmund Marsh" if "Marsh" in asked else " none"
        return Written(words, n_tokens=2, mean_logprob=-0.1)

    model = ScriptedChatModel(reply=reply)
    pipeline = build_pipeline(library, model)
    pipeline.read_ahead(None, TWO_PARTS, cancel=CancelToken())
    n_read = len(model.script_lines)
    *pieces, answer = pipeline.query_stream(TWO_PARTS)
    assert len(model.script_lines) == n_read, "both parts were read while the person typed"
    first, last = answer.text.splitlines()
    assert first.startswith("- Who was lost near Port Ellis? Edmund Marsh [")
    assert last.startswith(
        "- Who sailed with him? Captain Hale [" if is_second_found else "- Who sailed"
    )
    assert last.endswith(NO_ANSWER["en"]) is not is_second_found
    assert "".join(pieces) == answer.text and answer.found.question == TWO_PARTS
    later = [s.messages[-1].text for s, ask, _ in model.script_lines if "Who sailed" in str(s)]
    assert later
    for text in later:
        assert "Who sailed with him? (Who was lost near Port Ellis? Edmund Marsh)" in text


def test_an_answer_of_another_part_is_rejected_with_that_reason(library):
    def reply(script, ask, line):
        if not isinstance(ask, Write):
            return reply_alike(script, ask, line)
        has_both = "lost near Port Ellis" in script.messages[-1].text
        return Written(" Edmund Marsh" if has_both else " none", n_tokens=2, mean_logprob=-0.1)

    asked = "Who sold a clock, and who had been a sailor with the watch of a lost brig?"
    *_, answer = build_pipeline(library, ScriptedChatModel(reply=reply)).query_stream(asked)
    first, last = answer.text.splitlines()
    assert first == f"- Who sold a clock? {NO_ANSWER['en']}"
    assert last.startswith("- Who had been a sailor with the watch of a lost brig? Edmund Marsh [")
    assert answer.found.check is not None
    failed = {(one.text, one.failed) for one in answer.found.check.checked}
    assert failed == {("Edmund Marsh", "part"), ("Edmund Marsh", "")}


def test_all_names_of_the_people_of_a_question_are_found(library):
    retriever = Retriever(library.writer, HashEmbedder)
    [edmund] = retriever.find_people("Was Edmund Marsh lost near Port Ellis?")
    assert "Edmund Marsh" in edmund
    assert retriever.find_people("Who was lost near Port Ellis?") == []


@pytest.mark.parametrize(("named", "stated"), [("The thief", False), ("Edmund Marsh", True)])
def test_what_a_person_in_the_text_says_of_another_is_not_stated(library, tmp_path, named, stated):
    said = f"“{named} came by night. He hid a silver cup under the old quay.”"
    file = tmp_path / "said.txt"
    file.write_text(f"The rain fell. The wind rose. The tide was low.\n\n{said}", "utf-8")
    add_files(library.writer, [file])
    IndexingService(library.writer, HashEmbedder).run()
    model = answering({"hid a silver cup": " a silver cup"}, answers=["Nobody knows [1]."])
    asked = "What did Edmund Marsh hide under the old quay?"
    *_, answer = build_pipeline(library, model).query_stream(asked)
    assert answer.text.startswith("a silver cup [") is stated
    compared = [s.text for s, ask, _ in model.script_lines if not isinstance(ask, Write)]
    assert any("a silver cup" in text for text in compared), "the model prefers it to nothing"


def test_where_no_answer_stands_the_prompt_of_several_passages_is_read(library):
    model = answering({"Port Ellis": " Edmund Marsh"}, likes=False, answers=["Nobody knows [1]."])
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert len(model.asked) == 1
    assert not answer.text.startswith("Edmund Marsh [")
    assert find_guess(answer.text) is None, "the model prefers that no passage says so"


@pytest.mark.parametrize("written", ["Nobody knows [1].", "Your documents don't seem to say."])
def test_an_answer_in_doubt_leads_the_nearest_passages(library, written):
    def reply(script, ask, line):
        if isinstance(ask, Write):
            has_answer = "Port Ellis with the brig" in script.messages[-1].text
            return Written(" Edmund Marsh" if has_answer else " none", n_tokens=2)
        liked = script.text.find("Edmund Marsh") < script.text.index("does not say")
        return Choice((0.2, 0.0) if liked and "Edmund" in script.text else (0.0, 0.2))

    pipeline = build_pipeline(library, ScriptedChatModel([written], reply=reply))
    *pieces, more = pipeline.query_stream(QUESTION, QueryParam(most_read=MAX_READ + 2))
    assert find_guess(more.text) is not None and "".join(pieces) == more.text
    *_, answer = pipeline.query_stream(QUESTION)
    guess = find_guess(answer.text)
    assert guess is not None and guess[0] == "Edmund Marsh"
    [cited] = {c.quote for c in answer.citations if c.number == guess[1] and "lost" in c.quote}
    assert "Edmund Marsh had been a sailor" in cited or "He was lost near Port Ellis" in cited
    assert "> " in answer.text and not is_stated(answer.text)


@pytest.mark.parametrize(
    ("sentence", "is_guess"),
    [
        ("Edmund Marsh was lost near Port Ellis.", True),
        ("Edmund Marsh was eaten there.", False),
        ("Clara Wren was lost near Port Ellis.", False),  # words of sentences far apart
    ],
)
def test_a_sentence_that_the_model_alone_doubts_leads_the_passages(library, sentence, is_guess):
    def reply(script, ask, line):
        if isinstance(ask, Write):
            return Written(" Zanzibar", n_tokens=2)  # in no passage: never proposed
        return Choice((0.2, 0.0))

    written = f"{sentence.removesuffix('.')} [1]."
    pipeline = build_pipeline(library, ScriptedChatModel([written], reply=reply))
    *_, answer = pipeline.query_stream(QUESTION)
    assert answer.found.check is not None
    assert [(c.text, c.failed) for c in answer.found.check.checked] == [(sentence, "unclear")]
    guess = find_guess(answer.text)
    assert (guess is not None) is is_guess, "every word of it is in its passage"
    assert guess is None or guess[0] == sentence.removesuffix(".")
    assert not is_stated(answer.text)


def test_what_was_read_while_typing_is_not_read_again(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    pipeline = build_pipeline(library, model)
    pipeline.read_ahead(None, QUESTION, cancel=CancelToken())
    n_read = len(model.script_lines)
    assert n_read and model.asked == []
    *_, answer = pipeline.query_stream(QUESTION)
    assert answer.text.startswith("Edmund Marsh [")
    assert len(model.script_lines) == n_read


def test_a_question_stopped_while_passages_are_read_ends(library):
    cancel = CancelToken()

    def reply(script, ask, line):
        cancel.cancel()
        return Written("Edmund Marsh", n_tokens=2)

    model = ScriptedChatModel(["Edmund Marsh [1]."], reply=reply)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, cancel=cancel)
    assert answer.stopped


def test_where_no_passage_answers_the_documents_seem_not_to_have_it(library):
    model = answering({})
    pieces = []
    *pieces, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert answer.text.startswith(UNRELATED["en"]) and "".join(pieces) == answer.text
    assert answer.citations, "the nearest passages are quoted"
    assert model.asked == []


def test_only_the_passages_that_were_read_seem_not_to_have_it(library, tmp_path):
    for n in range(MAX_READ + 2):
        text = f"Nobody lost near Port Ellis was named in letter {n}."
        (tmp_path / f"letter{n}.txt").write_text(text, "utf-8")
    add_files(library.writer, sorted(tmp_path.glob("letter*.txt")))
    IndexingService(library.writer, HashEmbedder).run()
    *_, answer = build_pipeline(library, answering({})).query_stream(QUESTION)
    assert len(answer.found.passages) > MAX_READ
    assert answer.text.startswith(NOT_IN_READ["en"]) and answer.citations
    assert all(is_refusal(text) for text in NOT_IN_READ.values())
    assert answer.prompt.count("Passage: ") == MAX_READ, "the inspector shows what was read"


def test_more_passages_are_read_on_request_and_none_twice(library, tmp_path):
    letters = (
        "Port Ellis had bread and salt for the whole winter.",
        "My brother bought four geese and a ladder in Port Ellis.",
        "They tarred the blue boat at Port Ellis, which took nine days.",
        "Ropes are dear this year, as the chandler of Port Ellis complained.",
        "Snow fell on Port Ellis before the apples were in.",
        "A new bell hangs in the chapel of Port Ellis, cast from old guns.",
        "Whoever sails for Port Ellis should fear the sandbank.",
    )
    for n, text in enumerate(letters):
        (tmp_path / f"letter{n}.txt").write_text(text, "utf-8")
    add_files(library.writer, sorted(tmp_path.glob("letter*.txt")))
    IndexingService(library.writer, HashEmbedder).run()
    model = answering({})
    pipeline = build_pipeline(library, model)
    *_, answer = pipeline.query_stream(QUESTION)
    assert answer.found.n_read == len(model.begun) == MAX_READ
    n_found = len(answer.found.passages)
    place, last = max((i, p) for i, p in enumerate(answer.found.passages, 1) if p.text in letters)
    assert n_found > MAX_READ + 2 and place > MAX_READ
    *_, answer = pipeline.query_stream(QUESTION, QueryParam(most_read=MAX_READ + 2))
    assert answer.found.n_read == len(model.begun) == MAX_READ + 2
    assert answer.text.startswith(NOT_IN_READ["en"])
    *_, answer = pipeline.query_stream(QUESTION, QueryParam(most_read=40))
    assert answer.found.n_read == len(model.begun) == n_found
    assert answer.text.startswith(UNRELATED["en"])
    assert model.asked == [], "the prompt of all is not read"
    model = answering({last.text: last.text.split()[-1].strip(".")})
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, QueryParam(most_read=40))
    assert [one.chunk_id for one in answer.citations] == [last.chunk_id]
    assert answer.citations[0].number == place
    # the others, also those that were read together with it
    assert place - 1 <= answer.found.n_read == len(model.begun) - 1


def test_as_many_passages_are_read_where_the_prompt_has_room_for_one(library, tmp_path):
    for n, fish in enumerate(("cod", "herring", "pike", "eel")):
        text = f"At Port Ellis, on day {n}, they sold much {fish}, and nobody was lost. " * 4
        (tmp_path / f"fish{n}.txt").write_text(text, "utf-8")
    add_files(library.writer, sorted(tmp_path.glob("fish*.txt")))
    IndexingService(library.writer, HashEmbedder).run()
    model = answering({})
    narrow = QueryParam(max_total_tokens=400)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, narrow)
    assert answer.found.n_read == len(model.begun) == MAX_READ
    read = [script.messages[-1].text for script in model.begun]
    for passage in answer.found.passages[:MAX_READ]:
        best = passage.text[passage.best_start - passage.start :][:40]
        assert any(" ".join(best.split())[:30] in text for text in read)
    assert not model.asked, "four passages without the answer are enough"


def test_the_model_is_asked_all_the_same_if_the_user_wants_it(library):
    model = answering({}, answers=["Edmund Marsh [1]."])
    anyway = QueryParam(only_if_found=False)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION, anyway)
    assert len(model.asked) == 1 and answer.text.startswith("Edmund Marsh")


def test_one_passage_without_the_answer_says_little():
    assert not read("Who kept the inn?", [FORGE], answering({})).is_in_none
    assert read("Who kept the inn?", [FORGE, MILL], answering({})).is_in_none
    assert not read("Who sold fish?", [FORGE, MILL], answering({"forge at": "Ada"})).is_in_none


def test_passages_that_could_not_be_read_may_have_the_answer():
    long = f"{FORGE} {MILL}"

    def reply(script, ask, line):
        if long in script.messages[-1].text:
            raise AppError("The passage is too long.")
        return Written(" none", n_tokens=1)

    model = ScriptedChatModel(reply=reply)
    reader = read("Who fed the horse?", [MILL, long, "Marl has two mills."], model)
    assert [one.number for one in reader.answers] == [1, 3]
    assert not reader.is_in_none
    n_begun = len(model.begun)
    assert len(list(reader.read(model))) == 2 and len(model.begun) == n_begun


def test_the_prompt_of_a_short_answer_is_what_the_model_read(library):
    model = answering({"Port Ellis": " Edmund Marsh"})
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert answer.prompt.startswith("You answer a question from a passage")
    assert answer.prompt.count("You answer a question from a passage") == 1
    asked = [s.messages[-1].text for s, ask, _ in model.script_lines if isinstance(ask, Write)]
    assert asked and all(text.removesuffix(PASSAGE) in answer.prompt for text in asked)
    assert answer.n_prompt_tokens == model.count_tokens(answer.prompt)


def answering_together(alone: str, together: str, odds: float) -> ScriptedChatModel:
    """Return a model that is unsure of one passage's answer, and answers all together so."""

    def reply(script, ask, line):
        if isinstance(ask, Write):
            is_joint = "Passages:" in script.messages[-1].text
            words = together if is_joint else alone
            has_answer = "lost near Port Ellis" in script.messages[-1].text
            return Written(words if has_answer else " none", n_tokens=2, mean_logprob=0.0)
        # the text of a choice names both; a sentence of the whole prompt is not preferred
        liked = script.text.find(alone.strip()) < script.text.index("does not say")
        return Choice((odds, 0.0) if liked else (0.0, odds))

    return ScriptedChatModel(["Nobody knows [1]."], reply=reply)


@pytest.mark.parametrize(
    ("together", "odds", "stands"),
    [
        (" Edmund Marsh", 0.5, True),  # all passages together give it too
        (" Ada Rolf", 0.5, False),
        (" none", 0.5, False),
        (" Edmund Marsh", 0.2, False),  # too unsure, even so
        (" Ada Rolf", 0.9, True),  # sure enough alone
    ],
)
def test_an_answer_in_doubt_stands_if_all_passages_together_give_it(
    library, together, odds, stands
):
    model = answering_together(" Edmund Marsh", together, odds)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    assert answer.text.startswith("Edmund Marsh [") is stands


@pytest.mark.parametrize(
    ("together", "odds", "is_guess"),
    [
        (" Edmund Marsh", 0.0, True),
        (" none", 0.3, False),
        (" Ada Rolf", 0.3, False),
        (" Ada Rolf", 0.5, True),  # likely enough alone
    ],
)
def test_an_unsure_answer_leads_the_passages_if_all_together_give_it(
    library, together, odds, is_guess
):
    model = answering_together(" Edmund Marsh", together, odds)
    *_, answer = build_pipeline(library, model).query_stream(QUESTION)
    guess = find_guess(answer.text)
    assert (guess is not None and guess[0] == "Edmund Marsh") is is_guess


def test_all_passages_are_read_together_once_and_only_for_an_answer_in_doubt(library):
    def count_joint(odds: float) -> int:
        model = answering_together(" Edmund Marsh", " Ada Rolf", odds)
        steps: list[str] = []
        pipeline = build_pipeline(library, model)
        list(pipeline.query_stream(QUESTION, on_step=lambda step: steps.append(step.stage)))
        asked = [s.messages[-1].text for s, ask, _ in model.script_lines if isinstance(ask, Write)]
        n = sum("Passages:" in text for text in asked)
        assert bool(n) == ("comparing" in steps)
        return n

    assert count_joint(0.5) == 1
    assert count_joint(0.1) == 1, "it may be shown as one that is likely"
    assert count_joint(2.0) == count_joint(-0.3) == 0


def test_the_best_passage_is_next_to_the_question_when_all_are_read() -> None:
    model = answering({"forge at": " Dick Rolf"})
    reader = read("Who kept the forge?", [FORGE, MILL], model)
    assert reader.confirm(reader.answers[0], model) == pytest.approx(1.9 + AGREEMENT)
    joint = reader.prompt.split("Passages:")[1]
    assert joint.index(MILL) < joint.index(FORGE) < joint.index("Who kept the forge?")
    alone = read("Who kept the forge?", [FORGE], model)
    assert alone.confirm(alone.answers[0], model) == alone.answers[0].confidence


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("Dick Rolf", "Dick Rolf.", 1.0),
        ("A tiny golden key", "a golden key", 0.8),
        ("卫弘", "孝廉卫弘", 0.5),
        ("Dick Rolf", "Ada", 0.0),
        ("Dick Rolf", "", 0.0),
    ],
)
def test_answers_agree_by_the_words_that_they_share(one, other, share) -> None:
    assert measure_agreement(one, other) == pytest.approx(share, abs=0.2)
