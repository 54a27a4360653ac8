"""Tests the check of what a chat model can do: each measure, the limit of time, kept results."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_app.engine import paths
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.llm.machine import KeptByModel
from desktop_app.engine.llm.protocols import ChatRun
from desktop_app.engine.llm.registry import ModelRegistry, ModelRow
from desktop_app.engine.messages import NO_MESSAGE
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.prompt_program import Ask, Choice, Choose, PromptProgram, Written
from desktop_app.engine.scheduler import Priority, WorkScheduler
from desktop_app.engine.services.capability_results import (
    ModelCapabilities,
    Share,
    describe_use,
    list_measures,
)
from desktop_app.engine.services.demo import load_demo_questions
from desktop_app.engine.services.evaluation.measures import answer_in_text
from desktop_app.engine.services.model_capabilities import (
    CapabilityChecks,
    CapabilityQuestion,
    check_capabilities,
    has_valid_marks,
    load_capability_questions,
)
from desktop_app.engine.writing_systems import stems
from tests.fakes import SAYS_NOTHING, ScriptedChatModel

QUESTIONS = load_capability_questions()
SMALL, LARGE = 1_500_000_000, 7_000_000_000
REFUSALS = {"en": "Your documents don't seem to say.", "zh": "您的文档中似乎没有提到。"}


class Reader(ScriptedChatModel):
    """Answers the questions of the check.

    Args:
        says: what it answers to a question, other than the right answer or nothing.
        doubts: whether it prefers "the passage does not say" to each of its answers.
        marks: what it writes behind a sentence.
    """

    def __init__(
        self,
        says: dict[str, str] | None = None,
        *,
        doubts: bool = False,
        marks: str = " [2]",
        n_parameters: int = SMALL,
    ) -> None:
        super().__init__(reply=self._reply, n_parameters=n_parameters)
        self._says, self._doubts, self._marks = says or {}, doubts, marks
        self.last_run = ChatRun(300, 100, 2.0, 30, 1.5, "finished")

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        one = find_question(messages[-1].text)
        answer = self._answer(one, messages[-1].text)
        if not answer:
            return iter([REFUSALS[one.language]])
        is_zh = one.language == "zh"
        text = f"答案是{answer}{self._marks}。" if is_zh else f"It is {answer}{self._marks}."
        return iter([text])

    def _answer(self, one: CapabilityQuestion, prompt: str) -> str:
        if one.text in self._says:
            return self._says[one.text]
        shown = "".join(prompt.split())
        return next((a for a in one.answers if "".join(a.split()) in shown), "")

    def _reply(self, program: PromptProgram, ask: Ask, _line: str) -> Choice | Written:
        prompt = program.messages[-1].text + program.text
        if isinstance(ask, Choose):
            has_nothing_first = any(f"A. {words}" in prompt for words in SAYS_NOTHING)
            return Choice((0.0, -9.0) if has_nothing_first == self._doubts else (-9.0, 0.0))
        one = find_question(program.messages[-1].text)
        return Written(self._answer(one, prompt) or "none", 3, "finished", -0.1)


def find_question(prompt: str) -> CapabilityQuestion:
    return next(one for one in QUESTIONS if one.text in prompt)


def pick(language: str, *, has_answer: bool = True) -> list[CapabilityQuestion]:
    return [q for q in QUESTIONS if q.language == language and bool(q.answers) == has_answer]


# --- the questions -------------------------------------------------------------------------------


def test_the_first_paragraph_alone_has_the_answer():
    assert len(QUESTIONS) == 10
    for one in QUESTIONS:
        first, *others = (passage.text for passage in one.passages)
        if one.answers:
            assert answer_in_text(one.answers, first) == 1.0
            assert not any(answer in text for text in others for answer in one.answers)
        assert not any(answer in one.text for answer in one.answers)
        assert one.language == ("zh" if re.search("[一-龥]", one.text) else "en")


def test_passages_are_where_they_say_in_the_demo_texts():
    for one in QUESTIONS:
        for passage in one.passages:
            [file] = paths.resource("demo").glob(f"{passage.title}.*")
            assert file.read_text("utf-8")[passage.start : passage.end] == passage.text


def test_the_program_was_not_tuned_with_the_questions():
    known = {text for q in load_demo_questions() for text in (q.question, *q.paraphrases)}
    assert known.isdisjoint(one.text for one in QUESTIONS)


def test_each_measure_has_its_questions_and_begins_early():
    sizes = [len(pick("en")), len(pick("zh")), len(pick("en", has_answer=False))]
    assert sizes == [3, 3, 3] and len(pick("zh", has_answer=False)) == 1
    assert sum(one.is_written for one in QUESTIONS) == 4
    assert [(q.language, bool(q.answers)) for q in QUESTIONS[:3]] == [
        ("en", True),
        ("zh", True),
        ("en", False),
    ]


# --- the measures --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_parameters", [SMALL, LARGE])
def test_a_model_that_reads_well_is_right_everywhere(n_parameters: int):
    model = Reader(n_parameters=n_parameters)
    found = check_capabilities(model)
    assert found.citations == Share(4, 4) and found.refusals == Share(4, 4)
    assert found.english == found.chinese == Share(3, 3)
    assert (found.read_rate, found.write_rate) == (100.0, 20.0)
    assert found.first_s >= 0 and found.n_asked == found.n_questions == 10 and found.version
    assert bool(model.script_lines) == (n_parameters == SMALL)  # one passage at a time


@pytest.mark.parametrize("n_parameters", [SMALL, LARGE])
def test_wrong_answers_count_for_their_language_only(n_parameters: int):
    [wrong] = [q for q in pick("zh") if q.answers == ("塾师",)]
    found = check_capabilities(Reader({wrong.text: "白芦渡"}, n_parameters=n_parameters))
    assert found.english == Share(3, 3) and found.chinese == Share(2, 3)
    [bird] = [q for q in pick("en") if q.answers == ("swan",)]
    found = check_capabilities(Reader({bird.text: "wren"}, n_parameters=n_parameters))
    assert found.english == Share(2, 3) and found.chinese == Share(3, 3)


def test_a_written_answer_in_another_language_is_not_right():
    [bird] = [q for q in pick("en") if q.answers == ("swan",)]
    model = Reader(n_parameters=LARGE)
    model.stream = lambda *_, **__: iter(["她想要 swan [1]。"])  # type: ignore[method-assign]
    assert check_capabilities(model, questions=[bird]).english == Share(0, 1)
    model.stream = lambda *_, **__: iter(["She wanted a swan [1]."])  # type: ignore[method-assign]
    assert check_capabilities(model, questions=[bird]).english == Share(1, 1)


def test_an_answer_that_the_model_does_not_doubt_is_no_refusal():
    made_up = {q.text: "a certain Mr. Nobody" for q in pick("en", has_answer=False)}
    found = check_capabilities(Reader(made_up))
    assert found.refusals == Share(1, 4)
    # a word of both passages, so that the model compares it with "the passage does not say"
    # about an age: of somebody's father the rules refuse it before the model doubts it
    first = next(q for q in pick("en", has_answer=False) if q.text.startswith("How old"))
    one, other = (stems(passage.text) for passage in first.passages)
    stated = {first.text: min(one & other - stems(first.text))}
    assert check_capabilities(Reader(stated)).refusals == Share(3, 4)
    assert check_capabilities(Reader(stated, doubts=True)).refusals == Share(4, 4)
    assert check_capabilities(Reader(stated, n_parameters=LARGE)).refusals == Share(3, 4)


def test_answers_without_marks_are_no_citations():
    found = check_capabilities(Reader(marks=""))
    assert found.citations == Share(0, 4) and found.english == Share(3, 3)
    assert check_capabilities(Reader(marks=" [3]")).citations == Share(0, 4)


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ("She left the house [2].", True),
        ("She left the house. [2]", True),
        ("She left [1]. She came back [1, 2].", True),
        ("她离开了家[2]。后来又回来了【1】。", True),
        ("- She left [1].\n- She came back [2].", True),
        ("She left the house.", False),
        ("She left [1]. She came back.", False),
        ("She left. She came back [1].", False),
        ("她离开了家。后来又回来了[1]。", False),
        ("She left [3].", False),
        ("She left [0].", False),
        ("She left [n].", False),
        ("[1]", False),
        ("", False),
        ("Your documents don't seem to say. [1]", False),
    ],
)
def test_every_sentence_needs_a_mark_of_a_passage(text: str, is_valid: bool):
    assert has_valid_marks(text, 2) is is_valid


# --- time, and stopping --------------------------------------------------------------------------


def test_what_is_not_asked_in_time_stays_unmeasured():
    now = iter(range(0, 10_000, 30))
    found = check_capabilities(Reader(), limit_s=100.0, clock=lambda: float(next(now)))
    assert 0 < found.n_asked < 3
    assert found.english.n == 1 and found.refusals.n == 0
    words = {str(title): str(result) for title, result in list_measures(found)}
    assert words["Not in the documents"] == "not measured" and words["English"] == "1 of 1"
    assert any("There was time for" in sentence for sentence in describe_use(found))


class Slow(Reader):
    """Writes until it is stopped."""

    def stream(self, messages, *, max_tokens=512, temperature=0.0, cancel=None) -> Iterator[str]:
        stopped = threading.Event()
        with cancel.notifying(stopped.set):
            yield "It"
            assert stopped.wait(30)


def test_an_answer_that_takes_too_long_is_stopped_and_counts_for_nothing():
    found = check_capabilities(Slow(), limit_s=0.05)
    assert found.n_asked == 0 and found.citations.n == found.english.n == 0
    assert not found.write_rate


def test_the_user_can_stop_it_and_the_result_before_is_kept(tmp_path: Path):
    row, checks = make_checks(tmp_path, Reader())
    before, cancel = checks.check(row), CancelToken()

    def stop(progress: Progress) -> None:
        if progress.done == 2:
            cancel.cancel()

    with pytest.raises(Cancelled):
        checks.check(row, cancel, stop)
    assert checks.find(row) == before


def test_each_question_is_shown_before_it_is_asked():
    steps: list[tuple[str, int, str]] = []
    check_capabilities(Reader(), on_progress=lambda p: steps.append((p.stage, p.done, p.question)))
    assert steps == [
        ("loading", 0, ""),
        *(("asking", place, one.text) for place, one in enumerate(QUESTIONS)),
    ]


# --- kept results --------------------------------------------------------------------------------


def make_checks(
    folder: Path, model: ScriptedChatModel, scheduler: WorkScheduler | None = None
) -> tuple[ModelRow, CapabilityChecks]:
    path = folder / "m.gguf"
    path.write_bytes(b"GGUF")
    row = ModelRow("m", "chat", "M", 4, (), "", 0, True, path, True, NO_MESSAGE)

    @contextmanager
    def borrow(name: str) -> Iterator[ScriptedChatModel]:
        assert name == "m"
        yield model

    return row, CapabilityChecks(borrow, scheduler, KeptByModel(folder / "kept.json"))


def test_results_are_kept_for_the_same_file_only(tmp_path: Path):
    row, checks = make_checks(tmp_path, Reader())
    assert checks.find(row) is None
    found = checks.check(row)
    assert checks.find(row) == found and found.checked_at > 0
    row.path.write_bytes(b"GGUF of another model")
    assert checks.find(row) is None
    served = replace(row, path=None)
    checks.check(served)
    assert checks.find(served) is not None and checks.find(replace(served, name="n")) is None


@pytest.mark.parametrize("text", ["", "[]", '{"m": 3}', '{"m": {"citations": {"right": "x"}}}'])
def test_a_damaged_file_of_results_is_as_none(tmp_path: Path, text: str):
    row, checks = make_checks(tmp_path, Reader())
    (tmp_path / "kept.json").write_text(text)
    assert checks.find(replace(row, path=None)) is None


def test_background_work_waits_meanwhile(tmp_path: Path):
    scheduler, blockers = WorkScheduler(), []
    row, checks = make_checks(tmp_path, Reader(), scheduler)
    checks.check(
        row, on_progress=lambda _: blockers.append(scheduler.find_blocker(Priority.IMPORT))
    )
    assert set(blockers) == {Priority.QUESTION}
    assert scheduler.find_blocker(Priority.IMPORT) is None


# --- in words ------------------------------------------------------------------------------------


def describe(**values) -> str:
    good = {"citations": Share(4, 4), "refusals": Share(4, 4), "english": Share(3, 3)}
    return " ".join(map(str, describe_use(ModelCapabilities(**(good | values)))))


def test_the_results_are_put_into_words():
    assert describe(chinese=Share(3, 3)) == (
        "Good for questions about English and Chinese texts. "
        "It usually notices when the documents don't have the answer."
    )
    assert "English texts. Don't trust its answers about Chinese" in describe(chinese=Share(1, 3))
    assert "Some of its answers about Chinese" in describe(chinese=Share(2, 3))
    poor = describe(english=Share(0, 3), chinese=Share(1, 3), refusals=Share(1, 4))
    assert "about English or Chinese texts" in poor and "it may make one up" in poor
    silent = describe(english=Share(0, 3), chinese=Share(0, 3))
    assert "seldom gives any answer" in silent and "usually notices" not in silent
    assert "leaves out the numbers" in describe(citations=Share(2, 4))
    assert "slow" in describe(first_s=14.0) and "slow" not in describe(first_s=11.0)


# --- a real model --------------------------------------------------------------------------------


@pytest.mark.model
def test_a_real_model_is_measured(small_models: Path, models_are_not_tried: None):
    questions = [QUESTIONS[0], QUESTIONS[2]]
    registry = ModelRegistry([small_models])
    try:
        with registry.borrow_chat("smollm2-135m") as model:
            found = check_capabilities(model, questions=questions, limit_s=300.0)
    finally:
        registry.close()
    assert found.citations.n == found.english.n == found.refusals.n == 1 and found.chinese.n == 0
    assert found.read_rate > 0 and found.write_rate > 0 and found.first_s > 0
    assert found.citations.right == 0  # 135 million parameters are too few for the format
