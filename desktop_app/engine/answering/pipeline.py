"""Answers a question of a library: rewrite, retrieve, build the context, generate, verify.

Owns the order of these steps and what is kept between questions: the reading speed of each model
and the sources of the last prompt. Without a chat model the answer is a list of passages.
`AnswerPipeline._run` is the whole sequence; each step is one function of another module.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from ..changes import ChangeSet
from ..errors import EnvironmentProblem, UserError
from ..llm.protocols import ChatModel
from ..model import Answer, CallPlan, CommunitiesFound, Passage, RetrievalResult
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..query import THEME_MODES, QueryParam
from ..retrieval.retriever import Retriever
from ..scheduler import Priority, WorkScheduler
from ..store import chats
from ..store.db import Db
from ..text.readers.document_builder import detect_language
from .answer_templates import (
    BYPASSED,
    NEAREST,
    NOT_FOUND,
    NOT_SAID,
    build_passages_answer,
    is_refusal,
)
from .cross_lingual import translate_back, translate_result
from .generation import generate, run_to_end
from .global_search import plan_calls
from .preparation import (
    PreparedContext,
    build_passage_context,
    count_tokens_with,
    retrieve_passages,
    rewrite,
)
from .prompt import ReadingSpeed, build_conversation, count_answer_tokens
from .query_data import describe_found
from .query_rewriting import RewrittenQuestion, fetch_history, keep_complete_turns
from .question import Retrieved, UnderstoodQuestion
from .verification import append_text, describe_doubt, verify
from .whole_library import (
    RetrievedReports,
    build_global_context,
    build_reports_answer,
    retrieve_reports,
)

AnswerStream = Iterator[str | Answer]


class AnswerPipeline:
    """Answers questions of a library.

    Args:
        retriever: ranks passages; used in the calling thread only.
        writer: stores the question, its answer and the cached model calls.
        find_chat_model: returns the chat model, None if none is installed.
        scheduler: makes background work pause during a question.
    """

    def __init__(
        self,
        retriever: Retriever,
        writer: Db,
        find_chat_model: Callable[[], ChatModel | None],
        scheduler: WorkScheduler | None = None,
    ) -> None:
        self._retriever = retriever
        self._writer = writer
        self._find_chat_model = find_chat_model
        self._reading_speed = ReadingSpeed()
        self._last_sources: tuple[Passage, ...] = ()  # of the last prompt
        self._scheduler = scheduler or WorkScheduler()

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
        """Answer a question and store both in the chat (`chat_id` None stores nothing).

        A follow-up is rewritten with the turns of the chat, unless `param` has others. The text of
        a stopped answer is stored too, marked as stopped.

        Raises:
            UserError: the question, its mode or its sources cannot be used.
            EnvironmentProblem: the mode needs a chat model and none is installed.
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
        """Answer a question without storing it. Raises as `ask` does."""
        return self.ask(None, question, param, cancel=cancel)

    def query_stream(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
    ) -> AnswerStream:
        """Yield the text of the answer as it is generated, then the verified `Answer`.

        Closing the iterator or setting `cancel` stops the model. Raises as `ask` does.
        """
        with self._scheduler.hold(Priority.QUESTION):
            yield from self._run(_understand(question, param, cancel, on_step))

    def query_data(
        self,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
    ) -> dict[str, Any]:
        """Return what was retrieved: entities, relations, chunks, references and keywords.

        Also returns what each stage kept and dropped, and its time. The chat model is called only
        for query rewriting and for modes that need it during retrieval.
        """
        with self._scheduler.hold(Priority.QUESTION):
            asked = _understand(question, param, cancel, ignore_progress)
            if param.mode == "bypass":
                return describe_found(RetrievalResult(asked.question, param.mode, ()), param)
            model = self._find_chat_model()
            rewritten = rewrite(
                asked, self._retriever, self._writer, self._get_helper(asked, model)
            )
            retrieved = self._retrieve(asked, rewritten, model)
            prepared = self._build_context(retrieved, model)
            return describe_found(prepared.found, param, prepared.context.sources)

    def plan(self, param: QueryParam) -> CallPlan:
        """Return the most model calls and the time of an overview or drift question."""
        model = self._find_chat_model()
        return plan_calls(param, model, self._reading_speed.get_rate(model.name if model else ""))

    def changes(self, chat_id: int) -> ChangeSet:
        return ChangeSet(chats=frozenset({chat_id}))

    # --- the steps, in order ---------------------------------------------------------------------

    def _run(self, asked: UnderstoodQuestion) -> AnswerStream:
        model = self._find_chat_model()
        if asked.param.mode == "bypass":
            yield from self._answer_without_documents(asked, model)
            return
        asked.on_step(Progress("finding"))
        rewritten = rewrite(asked, self._retriever, self._writer, self._get_helper(asked, model))
        retrieved = self._retrieve(asked, rewritten, model)
        prepared = self._build_context(retrieved, model)
        answer = self._answer_without_generation(asked, prepared, model)
        if answer is None:
            assert model is not None
            draft = yield from self._generate(retrieved, prepared, model)
            answer = yield from self._verify(asked, draft, retrieved, prepared, model)
        yield replace(answer, seconds=round(asked.spent_s, 2))

    def _retrieve(
        self, asked: UnderstoodQuestion, rewritten: RewrittenQuestion, model: ChatModel | None
    ) -> Retrieved | RetrievedReports:
        """Return passages, entities and relations; reports in the modes of the whole library."""
        if asked.param.mode in THEME_MODES:
            rate = self._get_reading_rate(model)
            return retrieve_reports(
                asked, rewritten.question, self._retriever, self._writer, model, rate
            )
        helper = self._get_helper(asked, model)
        retrieved = retrieve_passages(asked, rewritten, self._retriever, self._writer, helper)
        if model is None or rewritten.needs_history:
            return retrieved
        return translate_result(retrieved, self._retriever, model)

    def _build_context(
        self, retrieved: Retrieved | RetrievedReports, model: ChatModel | None
    ) -> PreparedContext:
        rate = self._get_reading_rate(model)
        if isinstance(retrieved, RetrievedReports):
            return build_global_context(retrieved, model, rate)
        return build_passage_context(retrieved, self._writer, model, rate, self._last_sources)

    def _answer_without_generation(
        self, asked: UnderstoodQuestion, prepared: PreparedContext, model: ChatModel | None
    ) -> Answer | None:
        """Return the answer where no text is to be generated, None otherwise."""
        found, param = prepared.found, asked.param
        if param.only_need_context or param.only_need_prompt:
            text = prepared.prompt if param.only_need_prompt else prepared.context.text
            return Answer(
                text or NOT_FOUND[asked.language],
                (),
                found,
                prompt=prepared.prompt,
                n_prompt_tokens=count_tokens_with(model)(prepared.prompt),
            )
        if isinstance(found, CommunitiesFound) and (
            model is None or prepared.reports_suffice or asked.cancel.cancelled
        ):
            answer = build_reports_answer(found, asked.language)
            return replace(answer, stopped=asked.cancel.cancelled)
        if model is None or not prepared.context.sources:
            return build_passages_answer(found, asked.language)
        return None

    def _generate(
        self,
        retrieved: Retrieved | RetrievedReports,
        prepared: PreparedContext,
        model: ChatModel,
    ) -> Generator[str, None, Answer]:
        """Yield the text as it is generated; return the unverified answer.

        The text of a question that was translated is not yielded: it is translated back first.
        """
        writing = generate(
            retrieved.asked, prepared.found, model, prepared.messages, prepared.n_answer
        )
        translated = isinstance(retrieved, Retrieved) and retrieved.translation is not None
        draft = run_to_end(writing) if translated else (yield from writing)
        self._reading_speed.record(model)
        self._last_sources = prepared.context.sources
        return draft

    def _verify(
        self,
        asked: UnderstoodQuestion,
        draft: Answer,
        retrieved: Retrieved | RetrievedReports,
        prepared: PreparedContext,
        model: ChatModel,
    ) -> Generator[str, None, Answer]:
        """Return the answer with checked citations, in the language of the question.

        Yields what is added to the text: the translation, a warning about a weakly supported
        answer, or the nearest passages where the model found no answer.
        """
        answer, language = verify(draft, prepared.context), asked.language
        translation = retrieved.translation if isinstance(retrieved, Retrieved) else None
        if translation is not None and is_refusal(answer.text):
            yield NOT_SAID[language]
            answer = replace(answer, text=NOT_SAID[language], citations=())
        elif translation is not None:
            find_names = self._retriever.find_names
            answer = yield from translate_back(answer, translation, find_names, model, asked.cancel)
        if doubt := describe_doubt(answer, prepared.context, language):
            yield f"\n\n{doubt}"
            return append_text(answer, doubt)
        if is_refusal(answer.text) and prepared.found.entities and not answer.stopped:
            nearest = build_passages_answer(prepared.found, language, NEAREST)
            yield f"\n\n{nearest.text}"
            return replace(append_text(answer, nearest.text), citations=nearest.citations)
        return answer

    # --- around the steps ------------------------------------------------------------------------

    def _answer_without_documents(
        self, asked: UnderstoodQuestion, model: ChatModel | None
    ) -> AnswerStream:
        """Yield the model's own answer, with the note that it is not from the documents."""
        param, language = asked.param, asked.language
        found = RetrievalResult(asked.question, param.mode, ())
        history = keep_complete_turns(param.conversation_history)
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
        answer = yield from generate(asked, found, model, messages, n_answer)
        self._reading_speed.record(model)
        yield f"\n\n{BYPASSED[language]}"
        answer = append_text(answer, BYPASSED[language])
        yield replace(answer, seconds=round(asked.spent_s, 2))

    def _get_helper(self, asked: UnderstoodQuestion, model: ChatModel | None) -> ChatModel | None:
        """Return the model for short calls before the answer, None where it reads too slowly."""
        if model is None or asked.param.mode in THEME_MODES:
            return None
        return model if self._reading_speed.is_fast(model.name) else None

    def _get_reading_rate(self, model: ChatModel | None) -> float:
        return self._reading_speed.get_rate(model.name if model is not None else "")


def _understand(
    question: str, param: QueryParam, cancel: CancelToken | None, on_step: ProgressCallback
) -> UnderstoodQuestion:
    question = question.strip()
    if not question:
        raise UserError("There is no question.", "Type one.")
    language = "zh" if detect_language(question) == "zh" else "en"
    return UnderstoodQuestion(
        question, param, language, cancel or CancelToken(), on_step, time.monotonic()
    )
