"""Answers a question of a library: rewrite, retrieve, build the context, generate, verify.

Owns the order of these steps and what is kept between questions: the reading speed of each model
and the sources of the last prompt. Without a chat model the answer is a list of passages.
`AnswerPipeline._run` is the whole sequence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ..errors import EnvironmentProblem, UserError
from ..llm.protocols import ChatModel
from ..llm.remote.contract import ServerGone
from ..model import (
    READ_ONE_BY_ONE,
    Answer,
    CallPlan,
    ChatMessage,
    CommunitiesFound,
    Passage,
    RetrievalResult,
    Stage,
)
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..query import GRAPH_MODES, MAX_READ, SHORT_FORM, THEME_MODES, QueryParam
from ..retrieval.keywords import find_keywords
from ..retrieval.name_definitions import DEFINITION, STATED
from ..retrieval.retriever import Retriever
from ..scheduler import Priority, WorkScheduler
from ..store import chats
from ..store.db import Db
from ..text.language import find_asked_language
from .citations import (
    BYPASSED,
    NOT_FOUND,
    NOT_IN_READ,
    NOT_SAID,
    RepetitionDetector,
    append_nearest,
    append_text,
    build_passages_answer,
    check_citations,
    describe_doubt,
    is_refusal,
    number_by_rank,
    stream_by_rank,
)
from .claims import (
    INTRODUCTION,
    SURE,
    SURE_LITERAL,
    ClaimFault,
    JudgedPart,
    Verdict,
    answers_another,
    check_claims,
    is_near,
    judge_quotation,
    judge_short_answer,
    state_quotations,
    state_short_answer,
)
from .context import (
    FIRST_TOKEN_S,
    FoundCallback,
    PreparedContext,
    ReadingSpeed,
    Retrieved,
    UnderstoodQuestion,
    build_context,
    build_conversation,
    build_messages,
    count_answer_tokens,
    count_instructions,
    count_tokens_with,
    cut_unfinished,
    find_language,
    ignore_found,
    name_place,
    needs_explanation,
    plan_budget,
)
from .cross_lingual import translate_back, translate_result
from .global_search import (
    RetrievedReports,
    build_global_context,
    build_reports_answer,
    plan_calls,
    retrieve_reports,
)
from .guesses import (
    choose_sentence_guess,
    choose_short_guess,
    lead_with_guess,
    may_be_guessed,
)
from .query_data import describe_found
from .query_rewriting import (
    N_TURNS,
    RewrittenQuestion,
    is_follow_up,
    keep_complete_turns,
    rewrite_question,
    shorten_history,
)
from .question_parts import split_question
from .report_ranking import excerpt_reports_of
from .short_answers import AGREEMENT, PassageReader, ShortAnswer, suits_short_answer
from .tables.answer import answer_from_tables
from .yes_no import asks_yes_or_no
from .yes_no_answers import YesOrNo, decide_question, state_yes_or_no

AnswerStream = Iterator[str | Answer]

HISTORY_TOKENS = 120
MAX_REPORTS = 4  # of the preset that has reports
ROOM_FOR_HISTORY = 2000  # tokens that the model reads in time


class AnswerPipeline:
    """Answers questions of a library.

    Args:
        retriever: ranks passages; used in the calling thread only.
        writer: stores the question, its answer and the cached model calls.
        find_chat_model: returns the chat model, None if none is installed.
        scheduler: makes background work pause during a question.
        estimate_loading: returns the seconds that the chat model is likely to take to load, 0.0
            where it is loaded or nothing is known.
    """

    def __init__(
        self,
        retriever: Retriever,
        writer: Db,
        find_chat_model: Callable[[], ChatModel | None],
        scheduler: WorkScheduler | None = None,
        estimate_loading: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._retriever = retriever
        self._writer = writer
        self._find_chat_model = find_chat_model
        self._estimate_loading = estimate_loading
        self._reading_speed = ReadingSpeed()
        self._last_sources: tuple[Passage, ...] = ()  # of the last prompt
        self._scheduler = scheduler or WorkScheduler()
        # with the key of what they were made for
        self._last_retrieval: tuple[Hashable, RetrievalResult] | None = None
        self._last_definitions: tuple[Hashable, list[Verdict]] | None = None
        self._last_decision: tuple[Hashable, YesOrNo] | None = None
        self._last_readers: tuple[Hashable, dict[str, PassageReader]] | None = None  # by question

    def ask(
        self,
        chat_id: int | None,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken | None = None,
        on_step: ProgressCallback = ignore_progress,
        on_piece: Callable[[str], None] = lambda piece: None,
        on_found: FoundCallback = ignore_found,
    ) -> Answer:
        """Answer a question and store both in the chat (`chat_id` None stores nothing).

        `on_found` gets the passages before a model reads them.

        A follow-up is rewritten with the turns of the chat, unless `param` has others. The text of
        a stopped answer is stored too, marked as stopped.

        Raises:
            UserError: the question, its mode or its sources cannot be used.
            EnvironmentProblem: the mode needs a chat model and none is installed.
        """
        if chat_id is not None:
            param = self._with_history(chat_id, param)
            with self._writer.session_transaction():
                chats.add_question(self._writer, chat_id, question)
        answer = None
        for piece in self.query_stream(
            question, param, cancel=cancel, on_step=on_step, on_found=on_found
        ):
            if isinstance(piece, Answer):
                answer = piece
            else:
                on_piece(piece)
        assert answer is not None
        if chat_id is not None:
            with self._writer.session_transaction():
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
        on_found: FoundCallback = ignore_found,
    ) -> AnswerStream:
        """Yield the text of the answer as it is generated, then the verified `Answer`.

        `on_found` gets the passages first, before a model reads them; it is not called in modes
        that read reports. Closing the iterator or setting `cancel` stops the model. Raises as
        `ask` does.
        """
        with self._scheduler.hold(Priority.QUESTION):
            asked = replace(_understand(question, param, cancel, on_step), on_found=on_found)
            is_begun = False
            try:
                for piece in self._run(asked):
                    is_begun = True
                    yield piece
            except ServerGone:
                if is_begun:
                    raise
                # One model writes the whole answer: the one on this computer, from the beginning.
                yield from self._run(asked)

    def prefetch(
        self, chat_id: int | None, question: str, param: QueryParam = QueryParam()
    ) -> RetrievalResult | None:
        """Return what will be retrieved for a question that is still being typed.

        `ask` with the same question uses the result. None where a model is needed to retrieve, or
        one on a server.

        Raises:
            UserError: the question, its mode or its sources cannot be used.
        """
        if self._retriever.sends_questions:
            return None  # nothing is sent before the user asks
        asked = _understand(question, self._with_history(chat_id, param), None, ignore_progress)
        with self._scheduler.hold(Priority.VISIBLE_PAGE):
            if not self._needs_no_chat_model(asked):
                return None
            return self._retrieve_cached(asked.question, asked.param)

    def read_ahead(
        self,
        chat_id: int | None,
        question: str,
        param: QueryParam = QueryParam(),
        *,
        cancel: CancelToken,
    ) -> None:
        """Let the chat model read the prompt of a question that is still being typed.

        Nothing is generated. Does nothing while other work is waiting for the processor, and ends
        soon after `cancel` is set; what was read until then is not read again by `ask`.
        """
        asked = _understand(question, self._with_history(chat_id, param), cancel, ignore_progress)
        is_busy = self._scheduler.find_blocker(Priority.ENRICHMENT) is not None
        if is_busy or cancel.cancelled or not self._needs_no_chat_model(asked):
            return
        if self._retriever.sends_questions:
            return
        model = self._find_chat_model()
        if model is None or model.is_remote or cancel.cancelled:
            return  # nothing is sent before the user asks
        retrieved = Retrieved(asked, self._retrieve_cached(asked.question, asked.param))
        if _is_unanswerable(retrieved) or self._state_cell(retrieved) is not None:
            return
        if find_language(retrieved.found.passages) not in ("", asked.language):
            return  # it will be translated first
        prepared = self._build_context(retrieved, model)
        if not prepared.context.sources:
            return
        if self._quote_definitions(retrieved, prepared, model) is not None:
            return
        if self._answer_yes_or_no(retrieved, prepared, model) is not None:
            return
        parts, readers = self._find_short_answers(retrieved, prepared, model)
        is_in_none = bool(readers) and all(reader.is_in_none for reader in readers)
        if any(part.verdict for part in parts) or is_in_none or cancel.cancelled:
            return  # the whole prompt is read only if no short answer stands
        self._last_sources = prepared.context.sources
        for _ in model.stream(prepared.messages, max_tokens=0, cancel=cancel):
            pass

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
            try:
                prepared = self._prepare(asked)
            except ServerGone:
                prepared = self._prepare(asked)  # with the model on this computer
            return describe_found(prepared.found, param, prepared.context.sources)

    def _prepare(self, asked: UnderstoodQuestion) -> PreparedContext:
        model = self._find_chat_model()
        return self._build_context(self._retrieve(asked, self._rewrite(asked, model), model), model)

    def plan(self, param: QueryParam) -> CallPlan:
        """Return the most model calls and the time of an overview or drift question."""
        model = self._find_chat_model()
        return plan_calls(param, model, self._reading_speed.get_rate(model))

    # --- the steps, in order ---------------------------------------------------------------------

    def _run(self, asked: UnderstoodQuestion) -> AnswerStream:
        if asked.param.mode == "bypass":
            yield from self._answer_without_documents(asked, self._find_chat_model())
            return
        asked.on_step(Progress("finding"))
        if self._needs_no_chat_model(asked):  # before the model is loaded, which may take seconds
            found = self._retrieve_cached(asked.question, asked.param)
            asked.on_found(found)
            answer = self._state_cell(Retrieved(asked, found))
            if answer is not None:
                self._last_retrieval = None  # asked again, it is retrieved again
                yield from _finish(asked, answer)
                return
            asked.on_step(Progress("preparing", left_s=self._estimate_loading() or None))
        model = self._find_chat_model()
        rewritten = self._rewrite(asked, model)
        retrieved = self._retrieve(asked, rewritten, model)
        if isinstance(retrieved, Retrieved) and not self._needs_no_chat_model(asked):
            answer = self._state_cell(retrieved)
            if answer is not None:
                yield from _finish(asked, answer)
                return
        if isinstance(retrieved, Retrieved) and _is_unanswerable(retrieved):
            nearest = build_passages_answer(retrieved.found, asked.language)
            yield replace(nearest, seconds=round(asked.spent_s, 2))
            return
        prepared = self._build_context(retrieved, model)
        answer = self._answer_without_generation(asked, prepared, model)
        if answer is None:
            assert model is not None
            answer, prepared, parts, readers = yield from self._answer_in_few_words(
                retrieved, prepared, model
            )
        if answer is None:
            assert model is not None
            draft = yield from self._generate(retrieved, prepared, model)
            answer = yield from self._verify(asked, draft, retrieved, prepared, model, readers)
            guess = choose_short_guess(parts, readers[0].sources) if readers else None
            guess = guess or choose_sentence_guess(answer, prepared.context.sources)
            answer = lead_with_guess(answer, guess, asked.language)
        answer = _number_by_rank(answer, prepared.context.sources)
        yield replace(answer, seconds=round(asked.spent_s, 2))

    def _needs_no_chat_model(self, asked: UnderstoodQuestion) -> bool:
        """Return whether no model but the embedding model is needed to retrieve."""
        param = asked.param
        if param.mode in (*GRAPH_MODES, *THEME_MODES, "bypass"):
            return False
        find_names = self._retriever.find_names
        return not param.conversation_history or not is_follow_up(asked.question, find_names)

    def _retrieve_cached(self, question: str, param: QueryParam) -> RetrievalResult:
        """Return what is retrieved, kept from the last call if nothing has changed since."""
        key = (question, _choose_passages_by(param), self._retriever.fetch_state(param))
        if self._last_retrieval is None or self._last_retrieval[0] != key:
            self._last_retrieval = (key, self._retriever.find(question, param))
        return self._last_retrieval[1]

    def _rewrite(self, asked: UnderstoodQuestion, model: ChatModel | None) -> RewrittenQuestion:
        """Return the question in a form that can be understood without the turns before it."""
        if not asked.param.conversation_history:
            return RewrittenQuestion(asked.question)
        return rewrite_question(
            self._writer,
            asked.question,
            asked.param.conversation_history,
            self._retriever.find_names,
            self._get_helper(asked, model),
            asked.language,
            asked.cancel,
        )

    def _retrieve(
        self, asked: UnderstoodQuestion, rewritten: RewrittenQuestion, model: ChatModel | None
    ) -> Retrieved | RetrievedReports:
        """Return passages, entities and relations; reports in the modes of the whole library."""
        param, question = asked.param, rewritten.question
        if param.mode in THEME_MODES:
            rate = self._reading_speed.get_rate(model)
            return retrieve_reports(asked, question, self._retriever, self._writer, model, rate)
        timings = {} if rewritten.stage is None else {"follow-up": rewritten.stage.ms}
        helper = self._get_helper(asked, model)
        if helper is not None and param.mode in GRAPH_MODES and not param.has_keywords:
            started = time.perf_counter()
            keywords = find_keywords(question, helper, self._writer, cancel=asked.cancel)
            param = replace(param, hl_keywords=keywords.high, ll_keywords=keywords.low)
            timings["keywords by the model"] = round((time.perf_counter() - started) * 1000, 2)
        found = self._retrieve_cached(question, param)
        if not self._needs_no_chat_model(asked):
            asked.on_found(found)
        self._last_retrieval = None  # asked again, it is retrieved again
        found = replace(
            found,
            asked=asked.question if question != asked.question else "",
            timings_ms={**timings, **found.timings_ms},
            stages=(*([rewritten.stage] if rewritten.stage else []), *found.stages),
        )
        retrieved = Retrieved(asked, found, rewritten.needs_history)
        if model is None or rewritten.needs_history:
            return retrieved
        language = find_language(found.passages)
        if language in ("", asked.language):
            return retrieved
        translated = translate_result(retrieved, language, self._retriever, model)
        if translated.found.passages != found.passages:  # the numbers are those of this list
            asked.on_found(translated.found)
        return translated

    def _state_cell(self, retrieved: Retrieved) -> Answer | None:
        """Return the answer that a cell of a table gives, None where the question is not for one.

        The user's own instructions and forms are for a model, as is a question that can't be
        understood alone.
        """
        param = retrieved.asked.param
        wants_text = param.only_need_context or param.only_need_prompt
        has_own_form = param.response_type not in ("", SHORT_FORM)
        has_own_prompt = bool(param.system_prompt or param.user_prompt)
        if wants_text or has_own_form or has_own_prompt or retrieved.needs_history:
            return None
        return answer_from_tables(self._writer, retrieved.found, retrieved.asked.language)

    def _build_context(
        self, retrieved: Retrieved | RetrievedReports, model: ChatModel | None
    ) -> PreparedContext:
        """Return the prompt, limited by the model's context and its reading speed.

        A question that cannot be understood alone gets a short history. A prompt with much room
        gets the history for every follow-up, with the answers; with less room a small model would
        repeat these answers.
        """
        rate = self._reading_speed.get_rate(model)
        if isinstance(retrieved, RetrievedReports):
            return build_global_context(retrieved, model, rate)
        asked, found = retrieved.asked, retrieved.found
        param, language, count = asked.param, asked.language, count_tokens_with(model)
        history, has_room = "", rate * FIRST_TOKEN_S >= ROOM_FOR_HISTORY
        if retrieved.needs_history or (found.asked and has_room):
            turns = param.conversation_history
            history = shorten_history(turns, language, HISTORY_TOKENS, count, with_answers=has_room)
        n_instructions = count_instructions(
            found.question, history, param, language, count, found.meant
        )
        n_ctx = model.n_ctx if model else 0
        budget = plan_budget(param, n_ctx, rate, n_instructions, asked.spent_s)
        reports = []
        if budget.reports and found.entities:
            excerpts = excerpt_reports_of(self._writer, found, param, MAX_REPORTS)
            reports = [one.ranked() for one in excerpts]
        context = build_context(
            self._writer, found, budget, count, language, self._last_sources, reports
        )
        meant = [pair for pair in found.meant if needs_explanation(*pair, context.text)]
        messages = build_messages(found.question, context.text, history, param, language, meant)
        found = replace(found, stages=(*found.stages, *context.stages))
        return PreparedContext(tuple(messages), context, budget.answer, found)

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

    def _answer_in_few_words(
        self, retrieved: Retrieved | RetrievedReports, prepared: PreparedContext, model: ChatModel
    ) -> Generator[
        str, None, tuple[Answer | None, PreparedContext, list[JudgedPart], list[PassageReader]]
    ]:
        """Yield and return an answer that one passage gives, None if no such answer stands.

        Where no passage gives any, these passages seem not to have it, and nothing more is read,
        unless the user wants an answer all the same (`only_if_found`). The answer is about all
        documents only if no other passage was found. Where the user has more passages read than
        usual, the prompt of all is not read again.

        Returns:
            The answer, and the context, where no answer stands with what was read noted in it; the
            parts of the question with what was answered, and what read them.
        """
        asked = retrieved.asked
        answer = self._quote_definitions(retrieved, prepared, model)
        if answer is not None:
            answer = _number_by_rank(answer, prepared.context.sources)
            yield answer.text
            return answer, prepared, [], []
        answer = self._answer_yes_or_no(retrieved, prepared, model)
        if answer is not None:
            yield answer.text
            return answer, prepared, [], []
        parts, readers = self._find_short_answers(retrieved, prepared, model)
        if not readers or asked.cancel.cancelled:
            return None, prepared, [], []
        if not any(part.verdict for part in parts):
            prepared = replace(prepared, found=_note_reading(prepared.found, readers, None))
            found, param = prepared.found, asked.param
            is_given_up = param.most_read > MAX_READ or all(r.is_in_none for r in readers)
            if not (param.only_if_found and is_given_up):
                return None, prepared, parts, readers
            found = replace(found, weak=True)
            head = NOT_IN_READ if len(found.passages) > param.most_read else None
            nearest = build_passages_answer(found, asked.language, head)
            guess = choose_short_guess(parts, readers[0].sources)
            nearest = lead_with_guess(nearest, guess, asked.language)
            nearest = _number_by_rank(nearest, readers[0].sources)
            yield nearest.text
            nearest = replace(
                nearest, prompt=_join_prompts(readers), first_token_s=round(asked.spent_s, 2)
            )
            return nearest, prepared, parts, readers
        sources = readers[0].sources  # of all parts
        answer = state_short_answer(parts, sources, prepared.found, asked.language)
        answer = replace(answer, found=_note_reading(answer.found, readers, answer))
        answer = _number_by_rank(answer, sources)
        yield answer.text
        prompt = _join_prompts(readers)
        answer = replace(
            answer,
            model=model.name,
            prompt=prompt,
            first_token_s=round(asked.spent_s, 2),
            n_prompt_tokens=model.count_tokens(prompt),
        )
        return answer, prepared, parts, readers

    def _quote_definitions(
        self, retrieved: Retrieved | RetrievedReports, prepared: PreparedContext, model: ChatModel
    ) -> Answer | None:
        """Return the sentences that define the name of the question, None where none stands.

        What only a person in the text says needs as much certainty as a written sentence.
        Those of the last call with the same passages are not judged again.
        """
        if not _suits_one_by_one(retrieved, prepared, model):
            return None
        asked, found, sources = retrieved.asked, prepared.found, prepared.context.sources
        defining = [
            (number, one) for number, one in enumerate(sources, 1) if DEFINITION in dict(one.routes)
        ]
        key = (
            model.name,
            found.question,
            tuple((one.chunk_id, number) for number, one in defining),
        )
        if self._last_definitions is None or self._last_definitions[0] != key:
            verdicts = []
            for place, (number, one) in enumerate(defining, 1):
                asked.on_step(Progress("reading", place, len(defining), chunk_id=one.chunk_id))
                span, is_stated = (one.best_start, one.best_end), dict(one.routes)[DEFINITION]
                needed = SURE_LITERAL if is_stated == STATED else SURE
                verdicts.append(
                    judge_quotation(number, span, sources, found, model, asked.cancel, needed)
                )
            if asked.cancel.cancelled:
                return None
            self._last_definitions = key, verdicts
        verdicts = self._last_definitions[1]
        if not any(verdict.stands for verdict in verdicts):
            return None
        answer = state_quotations(verdicts, sources, found, asked.language)
        prompt = "\n\n".join(verdict.claim.evidence for verdict in verdicts)
        return replace(
            answer,
            model=model.name,
            prompt=prompt,
            first_token_s=round(asked.spent_s, 2),
            n_prompt_tokens=model.count_tokens(prompt),
        )

    def _answer_yes_or_no(
        self, retrieved: Retrieved | RetrievedReports, prepared: PreparedContext, model: ChatModel
    ) -> Answer | None:
        """Return the sentence that says yes or no, or that none does; None for other questions.

        Where none does and the user wants an answer all the same (`only_if_found`), the model
        writes one. What was decided in the last call about the same passages is not asked again.
        """
        asked, found = retrieved.asked, prepared.found
        is_suited = _suits_one_by_one(retrieved, prepared, model)
        if not is_suited or not asks_yes_or_no(found.question):
            return None
        most = asked.param.most_read
        passages = tuple((one.chunk_id, one.start, one.end) for one in found.passages)
        key = (model.name, found.question, most, passages)
        if self._last_decision is None or self._last_decision[0] != key:
            find_people, cancel, on_step = self._retriever.find_people, asked.cancel, asked.on_step
            decided = decide_question(
                found, find_people, asked.language, most, model, cancel, on_step
            )
            if asked.cancel.cancelled:
                return None
            self._last_decision = key, decided
        decided = self._last_decision[1]
        if decided.verdict is None and not asked.param.only_if_found:
            return None
        answer = state_yes_or_no(decided, found, asked.language)
        stated_by = model.name if decided.verdict is not None else ""
        return replace(answer, model=stated_by, first_token_s=round(asked.spent_s, 2))

    def _build_name_test(self, question: str) -> Callable[[str], bool]:
        """Return what finds out whether an answer only gives another name of who is asked about."""
        if not self._retriever.asks_about_name(question):
            return lambda _: False
        return lambda text: self._retriever.has_only_names(text, question)

    def _find_short_answers(
        self, retrieved: Retrieved | RetrievedReports, prepared: PreparedContext, model: ChatModel
    ) -> tuple[list[JudgedPart], list[PassageReader]]:
        """Read passages one by one for each part of the question, until an answer of it stands.

        A later part is read with those before it and their answers: "when did he die?" says who
        only with them. What was read in the last call about the same passages is not read again.

        Returns:
            The parts with their readers; none where passages do not suit reading one by one.
        """
        parts: list[JudgedPart] = []
        readers: list[PassageReader] = []
        if not _suits_one_by_one(retrieved, prepared, model):
            return parts, readers
        before: list[str] = []
        questions = split_question(prepared.found.question)
        for question in questions:
            whole = f"{question} ({' '.join(before)})" if before else question
            reader = self._choose_reader(retrieved.asked, whole, prepared, model)
            others = [other for other in questions if other != question]
            verdict, rejected = self._find_short_answer(
                retrieved.asked, reader, prepared, model, question, others
            )
            parts.append(JudgedPart(question, verdict, tuple(rejected)))
            readers.append(reader)
            before += [question, verdict.claim.text] if verdict else [question]
        return parts, readers

    def _find_short_answer(
        self,
        asked: UnderstoodQuestion,
        reader: PassageReader,
        prepared: PreparedContext,
        model: ChatModel,
        part: str,
        others: Sequence[str],
    ) -> tuple[Verdict | None, list[Verdict]]:
        """Return the verdict on the first answer that stands, and on those rejected before it.

        Of a question in several parts, an answer whose sentence has more words of another part
        belongs to that part: two parts often ask the same of two things.

        One that stands by the words of a person in the text is kept until all passages were read:
        another passage may state the fact.
        """
        sources, found = reader.sources, replace(prepared.found, question=reader.question)

        is_only_name = self._build_name_test(part)
        people = self._retriever.find_people(part)

        def judge(one: ShortAnswer, confidence: float) -> Verdict:
            verdict = judge_short_answer(one.text, one.number, confidence, sources, found, people)
            if is_only_name(one.text):
                return Verdict(verdict.claim, False, reason=ClaimFault("alias"))
            if verdict.stands and answers_another(verdict.claim, sources, part, others):
                return Verdict(verdict.claim, False, reason=ClaimFault("part"))
            return verdict

        def compare(one: ShortAnswer) -> Verdict:
            asked.on_step(Progress("comparing"))
            return judge(one, reader.confirm(one, model, asked.cancel))

        rejected: list[tuple[ShortAnswer, Verdict]] = []
        spoken: Verdict | None = None
        for one in reader.read(model, asked.cancel, asked.on_step):
            if not one.is_proposed:
                continue
            verdict = judge(one, one.confidence)
            if is_near(verdict, AGREEMENT):
                verdict = compare(one)
            if verdict.stands and not verdict.claim.is_speech:
                return verdict, [other for _, other in rejected]
            if verdict.stands:
                spoken = spoken or verdict
            else:
                rejected.append((one, verdict))
        if spoken is None and not asked.cancel.cancelled:
            # compared with what all passages answer, one that is likely can be told from the others
            rejected = [
                (one, compare(one) if may_be_guessed(verdict) else verdict)
                for one, verdict in rejected
            ]
        return spoken, [verdict for _, verdict in rejected]

    def _choose_reader(
        self,
        asked: UnderstoodQuestion,
        question: str,
        prepared: PreparedContext,
        model: ChatModel,
    ) -> PassageReader:
        """Return what reads the best passages found: those of the prompt, then further ones.

        The prompt of a slow machine has fewer than are read one by one. It is the reader of the
        last call if the question and the sources are the same.
        """
        found, sources = prepared.found, prepared.context.sources
        most = asked.param.most_read
        key = (model.name, tuple((s.chunk_id, s.start, s.end) for s in sources))
        if self._last_readers is None or self._last_readers[0] != key:
            self._last_readers = key, {}
        known = self._last_readers[1].get(question)
        if known is not None and known.most_read == most:
            return known
        in_prompt = {source.chunk_id for source in sources}
        others = (one for one in found.passages if one.chunk_id not in in_prompt)
        sources = (*sources, *islice(others, max(0, most - len(sources))))
        reader = PassageReader(question, sources, asked.language, most)
        if known is not None:
            reader.answers.extend(one for one in known.answers if one.number <= len(sources))
        self._last_readers[1][question] = reader
        return reader

    def _generate(
        self,
        retrieved: Retrieved | RetrievedReports,
        prepared: PreparedContext,
        model: ChatModel,
    ) -> Generator[str, None, Answer]:
        """Yield the text as it is generated; return the unverified answer.

        The text of a question that was translated is not yielded: it is translated back first.
        """
        is_hidden = isinstance(retrieved, Retrieved) and retrieved.translation is not None

        def write() -> Generator[str, None, Answer]:
            n_read, messages = len(prepared.context.sources), prepared.messages
            for piece in self._stream(
                retrieved.asked, prepared.found, model, messages, prepared.n_answer, n_read
            ):
                if isinstance(piece, Answer):
                    self._last_sources = prepared.context.sources
                    return piece
                if not is_hidden:
                    yield piece
            raise AssertionError("the stream ends with the answer")

        passages = prepared.found.passages
        return (yield from stream_by_rank(write(), prepared.context.sources, passages))

    def _verify(
        self,
        asked: UnderstoodQuestion,
        draft: Answer,
        retrieved: Retrieved | RetrievedReports,
        prepared: PreparedContext,
        model: ChatModel,
        readers: Sequence[PassageReader],
    ) -> Generator[str, None, Answer]:
        """Return the answer with checked citations, in the language of the question.

        Sentences that their passages do not say are replaced by quotations, in the answer only:
        the text that was yielded is a draft. Where the model found no answer, the nearest passages
        are quoted. Yields what is added to the text: the translation, or a warning about a weakly
        supported answer.
        """
        sources, language = prepared.context.sources, asked.language
        answer = check_citations(draft, sources)
        translation = retrieved.translation if isinstance(retrieved, Retrieved) else None
        is_checked = isinstance(retrieved, Retrieved) and not is_refusal(answer.text)
        if is_checked:
            asked.on_step(Progress("checking"))
            answer = check_claims(
                answer,
                sources,
                model,
                asked.cancel,
                language,
                is_translated=translation is not None,
                is_only_name=self._build_name_test(answer.found.question),
                people=self._retriever.find_people(answer.found.question),
                short_answers=[text for one in readers for text in one.texts] if readers else None,
            )
        is_quoted = answer.text.startswith(INTRODUCTION[language])
        if translation is not None and is_refusal(answer.text):
            yield NOT_SAID[language]
            answer = replace(answer, text=NOT_SAID[language], citations=())
        elif translation is not None and not is_quoted:
            find_names = self._retriever.find_names
            pieces = translate_back(answer, translation, find_names, model, asked.cancel)
            answer = yield from stream_by_rank(pieces, sources, prepared.found.passages)
        if doubt := describe_doubt(answer, sources, language, is_checked):
            yield f"\n\n{doubt}"
            return append_text(answer, doubt)
        if is_refusal(answer.text) and prepared.found.passages and not answer.stopped:
            return append_nearest(replace(answer, found=prepared.found), language, len(sources))
        return answer

    # --- around the steps ------------------------------------------------------------------------

    def _stream(
        self,
        asked: UnderstoodQuestion,
        found: RetrievalResult,
        model: ChatModel,
        messages: Sequence[ChatMessage],
        n_answer: int,
        n_read: int = 0,
    ) -> AnswerStream:
        """Yield the text of the answer piece by piece, then the complete, unverified answer.

        A sentence that comes for the second time ends the generation and is cut off.

        Args:
            n_answer: the maximum number of tokens to generate.
            n_read: the number of passages in the prompt.
        """
        prompt = "\n\n".join(m.text for m in messages)
        n_prompt_tokens = model.count_tokens(prompt)
        asked.on_step(Progress("reading", 0, n_read))
        first_token_s = 0.0
        pieces: list[str] = []
        repetition = RepetitionDetector()
        for piece in model.stream(
            messages, max_tokens=n_answer, temperature=asked.param.temperature, cancel=asked.cancel
        ):
            if not pieces:
                first_token_s = asked.spent_s
                asked.on_step(Progress("answering", 0, n_prompt_tokens))
            pieces.append(piece)
            yield piece
            if repetition.add(piece):
                break
        text = "".join(pieces)[: repetition.cut].strip()
        if not asked.cancel.cancelled and model.count_tokens(text) >= n_answer - 2:
            text = cut_unfinished(text)
        self._reading_speed.record(model)
        yield Answer(
            text,
            (),
            found,
            model=model.name,
            prompt=prompt,
            stopped=asked.cancel.cancelled,
            first_token_s=round(first_token_s, 2),
            n_prompt_tokens=n_prompt_tokens,
        )

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
        for piece in self._stream(asked, found, model, messages, count_answer_tokens(param)):
            if isinstance(piece, Answer):
                yield f"\n\n{BYPASSED[language]}"
                answer = append_text(piece, BYPASSED[language])
                yield replace(answer, seconds=round(asked.spent_s, 2))
            else:
                yield piece

    def _with_history(self, chat_id: int | None, param: QueryParam) -> QueryParam:
        """Return the parameters with the turns of the chat, unless they have others."""
        if chat_id is None or param.conversation_history:
            return param
        return replace(param, conversation_history=_fetch_history(self._writer, chat_id))

    def _get_helper(self, asked: UnderstoodQuestion, model: ChatModel | None) -> ChatModel | None:
        """Return the model for short calls before the answer, None where it reads too slowly."""
        is_slow = model is None or not self._reading_speed.is_fast(model)
        return None if is_slow or asked.param.mode in THEME_MODES else model


def _understand(
    question: str, param: QueryParam, cancel: CancelToken | None, on_step: ProgressCallback
) -> UnderstoodQuestion:
    question = question.strip()
    if not question:
        raise UserError("The question is empty.", "Type one.")
    language = find_asked_language(question)
    return UnderstoodQuestion(
        question, param, language, cancel or CancelToken(), on_step, time.monotonic()
    )


def _finish(asked: UnderstoodQuestion, answer: Answer) -> AnswerStream:
    """Yield the text of an answer that no model wrote, then the answer."""
    yield answer.text
    yield replace(answer, seconds=round(asked.spent_s, 2))


def _number_by_rank(answer: Answer, sources: Sequence[Passage]) -> Answer:
    """Return the answer; its citations have the ranks of their passages as numbers."""
    text, citations = number_by_rank(answer.text, answer.citations, answer.found.passages, sources)
    return replace(answer, text=text, citations=citations)


def _join_prompts(readers: Sequence[PassageReader]) -> str:
    return "\n\n".join(reader.prompt for reader in readers)


def _note_reading(
    found: RetrievalResult, readers: Sequence[PassageReader], answer: Answer | None
) -> RetrievalResult:
    """Return what was found with the passages that were read one by one as a stage.

    Kept are those that gave an answer, dropped are those that gave none that stands.
    """
    cited = {one.chunk_id for one in answer.citations} if answer is not None else set()
    numbers = dict.fromkeys(one.number for reader in readers for one in reader.answers)
    read = [readers[0].sources[number - 1] for number in numbers]
    kept = tuple(name_place(one) for one in read if one.chunk_id in cited)
    dropped = tuple(name_place(one) for one in read if one.chunk_id not in cited)
    return replace(found, stages=(*found.stages, Stage(READ_ONE_BY_ONE, kept, dropped)))


def _suits_one_by_one(
    retrieved: Retrieved | RetrievedReports, prepared: PreparedContext, model: ChatModel
) -> bool:
    """Return whether single passages are asked first (`short_answers`)."""
    if not isinstance(retrieved, Retrieved) or retrieved.translation is not None:
        return False
    param = retrieved.asked.param
    return not retrieved.needs_history and suits_short_answer(prepared.found, param, model)


def _is_unanswerable(retrieved: Retrieved) -> bool:
    """Return whether the model is not asked, because nothing near the question was found."""
    param = retrieved.asked.param
    wants_text = param.only_need_context or param.only_need_prompt
    is_asked_alone = param.only_if_found and not wants_text and not retrieved.needs_history
    return is_asked_alone and retrieved.found.weak


def _choose_passages_by(param: QueryParam) -> QueryParam:
    """Return the parameters without those that retrieval does not use."""
    return replace(param, conversation_history=(), temperature=0.0, response_type="")


def _fetch_history(db: Db, chat_id: int) -> tuple[ChatMessage, ...]:
    """Return the last turns of a chat, oldest first; follow-ups in their rewritten form."""
    kept = chats.fetch_messages(db, chat_id)[-2 * N_TURNS :]
    turns: list[ChatMessage] = []
    for row in kept:
        if row.role == "assistant" and turns and turns[-1].role == "user":
            understood = chats.fetch_answer(db, row.id)
            if understood is not None and understood.found.asked:
                turns[-1] = ChatMessage("user", understood.found.question)
        turns.append(ChatMessage(row.role, row.text))
    return tuple(turns)
