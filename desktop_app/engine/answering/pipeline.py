"""The door to answering: a question in, a streamed and cited answer out, kept if it has a chat.

Owns the order of the steps and what is remembered between questions: how fast the model reads,
and what it read last. Without a chat model the answer is the passages themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..changes import ChangeSet
from ..errors import EnvironmentProblem, UserError
from ..llm.protocols import ChatModel
from ..model import Answer, CallPlan, ChatMessage, CommunitiesFound, Passage, RetrievalResult
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..query import THEME_MODES, QueryParam
from ..retrieval.retriever import Retriever
from ..store import chats
from ..store.db import Db
from ..text.language import detect_language
from ..text.sentences import split_sentences
from .answer_templates import (
    BYPASSED,
    NEAREST,
    NOT_FOUND,
    NOT_SAID,
    OWN_WORDS,
    WEAK,
    build_passages_answer,
    is_refusal,
)
from .citations import RepetitionDetector, check_marks, is_in_their_words
from .context import Context, cut_unfinished
from .cross_lingual import QuestionTranslation, build_question_translation, translate_query
from .global_search import plan_calls
from .preparation import (
    PreparedContext,
    UnderstoodQuestion,
    prepare_context,
    retrieve_for,
    token_counter,
)
from .prompt import ReadingSpeed, build_conversation, count_answer_tokens
from .query_data import describe_found
from .query_rewriting import fetch_history, whole_turns
from .whole_library import build_reports_answer, prepare_global_context


def write_answer(
    asked: UnderstoodQuestion,
    found: RetrievalResult,
    model: ChatModel,
    messages: Sequence[ChatMessage],
    n_answer: int,
) -> Generator[str, None, Answer]:
    """Yield what the model writes; return all of it, unchecked. What it says twice ends it."""
    prompt = "\n\n".join(m.text for m in messages)
    n_prompt_tokens = model.count_tokens(prompt)
    asked.on_step(Progress("reading", 0, n_prompt_tokens))
    first_token_s = 0.0
    pieces: list[str] = []
    repeating = RepetitionDetector()
    wished = {"max_tokens": n_answer, "temperature": asked.param.temperature}
    for piece in model.stream(messages, **wished, cancel=asked.cancel):
        if not pieces:
            first_token_s = asked.spent_s
            asked.on_step(Progress("answering", 0, n_prompt_tokens))
        pieces.append(piece)
        yield piece
        if repeating.take(piece):
            break
    text = "".join(pieces)[: repeating.cut].strip()
    if not asked.cancel.cancelled and model.count_tokens(text) >= n_answer - 2:
        text = cut_unfinished(text)
    return Answer(
        text,
        (),
        found,
        model=model.name,
        prompt=prompt,
        stopped=asked.cancel.cancelled,
        first_token_s=round(first_token_s, 2),
        n_prompt_tokens=n_prompt_tokens,
    )


def run_out(writing: Generator[str, None, Answer]) -> Answer:
    """Return what a generator returns, without what it yields."""
    while True:
        try:
            next(writing)
        except StopIteration as end:
            return end.value


def check(answer: Answer, context: Context) -> Answer:
    """Return an answer with checked marks, without any where it only says that nothing is said."""
    sources = () if is_refusal(answer.text) else context.sources
    text, citations = check_marks(answer.text, sources, split_sentences, answer.found.question)
    return replace(answer, text=text, citations=citations)


def doubt(answer: Answer, context: Context, language: str) -> str:
    """Return what is to be said of an answer that little speaks for, "" for others."""
    if answer.found.weak:
        return WEAK[language]
    if answer.stopped or is_refusal(answer.text):
        return ""
    question = answer.found.question
    backed = is_in_their_words(answer.text, context.sources, question)
    return "" if backed else OWN_WORDS[language]


def add(answer: Answer, said: str) -> Answer:
    return replace(answer, text=f"{answer.text}\n\n{said}".strip())


Written = Iterator[str | Answer]


class AnswerPipeline:
    """Answers questions of a library.

    Args:
        finder: ranks passages; used in the calling thread only.
        writer: where the question, its answer and what models said are kept.
        find_chat_model: gives the chat model, None where none is installed.
    """

    def __init__(
        self, finder: Retriever, writer: Db, find_chat_model: Callable[[], ChatModel | None]
    ) -> None:
        self._finder = finder
        self._writer = writer
        self._find_chat_model = find_chat_model
        self._pace = ReadingSpeed()
        self._read_before: tuple[Passage, ...] = ()  # the sources of the last prompt
        self.is_busy = False  # read by background work, which then makes way

    def ask(
        self,
        chat_id: int | None,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
        on_piece: Callable[[str], None] = lambda piece: None,
    ) -> Answer:
        """Answer a question and keep both in the chat (`chat_id` None keeps nothing).

        A follow-up is understood by the chat's own turns, unless `param` gives others. A stopped
        answer is kept as far as it got, marked as stopped.

        Raises:
            UserError: the question, its mode or its sources can't be used as they are.
            EnvironmentProblem: the mode needs a chat model and there is none.
        """
        if chat_id is not None:
            if not param.conversation_history:
                turns = fetch_history(self._writer, chat_id)
                param = replace(param, conversation_history=turns)
            with self._writer.transaction():
                chats.add_question(self._writer, chat_id, question)
        answer = None
        for piece in self.query_stream(question, param, cancel=cancel, on_step=on_step):
            if isinstance(piece, Answer):
                answer = piece
            else:
                on_piece(piece)
        assert answer is not None
        if chat_id is not None:
            with self._writer.transaction():
                chats.add_answer(self._writer, chat_id, answer)
        return answer

    def query(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """Answer a question and keep nothing; raises as `ask` does."""
        return self.ask(None, question, param, cancel=cancel)

    def query_stream(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
    ) -> Written:
        """Yield the answer's text as it is written, then the checked `Answer`.

        Closing the iterator early, or setting `cancel`, stops the model. Raises as `ask` does.
        """
        self.is_busy = True
        try:
            yield from self._run(_begin(question, param, cancel, on_step))
        finally:
            self.is_busy = False

    def query_data(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
    ) -> dict[str, Any]:
        """Return what would be answered from: entities, relations, chunks, references, keywords.

        With it what each stage kept and dropped, and how long it took. The chat model is asked
        only where a follow-up or a mode needs it before finding.
        """
        self.is_busy = True
        try:
            asked = _begin(question, param, cancel, ignore_progress)
            if param.mode == "bypass":
                return describe_found(RetrievalResult(asked.question, param.mode, ()), param)
            found, laid, _ = self._prepare(asked, self._find_chat_model())
            return describe_found(found, param, laid.context.sources)
        finally:
            self.is_busy = False

    def plan(self, param: QueryParam) -> CallPlan:
        """Return how many calls a question in overview or drift takes at most, and how long."""
        model = self._find_chat_model()
        return plan_calls(param, model, self._pace.get_rate(model.name if model else ""))

    def changes(self, chat_id: int) -> ChangeSet:
        return ChangeSet(chats=frozenset({chat_id}))

    # --- the steps -------------------------------------------------------------------------------

    def _run(self, asked: UnderstoodQuestion) -> Written:
        model, param = self._find_chat_model(), asked.param
        if param.mode == "bypass":
            yield from self._bypass(asked, model)
            return
        asked.on_step(Progress("finding"))
        found, laid, bridge = self._prepare(asked, model)
        if param.only_need_context or param.only_need_prompt:
            text = laid.prompt if param.only_need_prompt else laid.context.text
            answer = Answer(
                text or NOT_FOUND[asked.language],
                (),
                found,
                prompt=laid.prompt,
                n_prompt_tokens=token_counter(model)(laid.prompt),
            )
        elif isinstance(found, CommunitiesFound) and (
            model is None or laid.reports_suffice or asked.cancel.cancelled
        ):
            answer = replace(
                build_reports_answer(found, asked.language), stopped=asked.cancel.cancelled
            )
        elif model is None or not laid.context.sources:
            answer = build_passages_answer(found, asked.language)
        else:
            answer = yield from self._answer(asked, found, model, laid, bridge)
            if said := doubt(answer, laid.context, asked.language):
                yield f"\n\n{said}"
                answer = add(answer, said)
            elif is_refusal(answer.text) and found.entities and not answer.stopped:
                near = build_passages_answer(found, asked.language, NEAREST)
                yield f"\n\n{near.text}"
                answer = replace(add(answer, near.text), citations=near.citations)
        yield replace(answer, seconds=round(asked.spent_s, 2))

    def _prepare(
        self, asked: UnderstoodQuestion, model: ChatModel | None
    ) -> tuple[RetrievalResult, PreparedContext, QuestionTranslation | None]:
        name = model.name if model else ""
        if asked.param.mode in THEME_MODES:
            rate = self._pace.get_rate(name)
            found, laid = prepare_global_context(asked, self._finder, self._writer, model, rate)
            return replace(found, stages=(*found.stages, *laid.context.stages)), laid, None
        is_quick = self._pace.is_quick(name)
        found, needs_history = retrieve_for(
            asked, self._finder, self._writer, model, is_quick=is_quick
        )
        bridge = None
        if model is not None and not needs_history:
            bridge = build_question_translation(asked, found, self._finder, model)
        if bridge is not None:
            asked, found = bridge.asked, bridge.found
        rate = self._pace.get_rate(name)
        laid = prepare_context(
            asked, found, needs_history, self._writer, model, rate, self._read_before
        )
        return replace(found, stages=(*found.stages, *laid.context.stages)), laid, bridge

    def _answer(
        self,
        asked: UnderstoodQuestion,
        found: RetrievalResult,
        model: ChatModel,
        laid: PreparedContext,
        bridge: QuestionTranslation | None,
    ) -> Generator[str, None, Answer]:
        """Yield what is written in the person's language; return it checked."""
        put = asked if bridge is None else bridge.asked
        writing = write_answer(put, found, model, laid.messages, laid.n_answer)
        answer = (yield from writing) if bridge is None else run_out(writing)
        self._pace.keep(model)
        self._read_before = laid.context.sources
        answer = check(answer, laid.context)
        if bridge is None:
            return answer
        if is_refusal(answer.text):
            yield NOT_SAID[asked.language]
            return replace(answer, text=NOT_SAID[asked.language], citations=())
        find_names = self._finder.find_names
        return (yield from translate_query(answer, bridge, find_names, model, asked.cancel))

    def _bypass(self, asked: UnderstoodQuestion, model: ChatModel | None) -> Written:
        """Yield the model's own answer, which says that it is not from the documents."""
        param, language = asked.param, asked.language
        found = RetrievalResult(asked.question, param.mode, ())
        history = whole_turns(param.conversation_history)
        messages = build_conversation(asked.question, history, param, language)
        prompt = "\n\n".join(m.text for m in messages)
        if param.only_need_context or param.only_need_prompt:
            yield Answer(prompt if param.only_need_prompt else "", (), found, prompt=prompt)
            return
        if model is None:
            raise EnvironmentProblem(
                "Without documents only a chat model can answer, and none is installed.",
                "Get one under Models, or choose another mode.",
            )
        n_answer = count_answer_tokens(param)
        answer = yield from write_answer(asked, found, model, messages, n_answer)
        self._pace.keep(model)
        yield f"\n\n{BYPASSED[language]}"
        yield replace(add(answer, BYPASSED[language]), seconds=round(asked.spent_s, 2))


def _begin(
    question: str, param: QueryParam, cancel: CancelToken | None, on_step: ProgressCallback
) -> UnderstoodQuestion:
    question = question.strip()
    if not question:
        raise UserError("There is no question.", "Type one.")
    language = "zh" if detect_language(question) == "zh" else "en"
    return UnderstoodQuestion(
        question, param, language, cancel or CancelToken(), on_step, time.monotonic()
    )
