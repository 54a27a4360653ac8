"""The door to answering: a question in, a streamed and cited answer out, kept if it has a chat.

Owns the order of the steps and what is remembered between questions: how fast the model reads,
and what it read last. Without a chat model the answer is the passages themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from ...changes import ChangeSet
from ...errors import EnvironmentProblem, UserError
from ...models.protocols import ChatModel
from ...progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ...query import THEME_MODES, QueryParam
from ...store import chats
from ...store.db import Db
from ...text.language import detect_language
from ...themes import CallPlan, ThemesFound
from ...types import Answer, Found, Passage
from ..finding import Finder
from .bridging import Bridge, build_bridge, carry_over
from .history import fetch_history, whole_turns
from .messages import build_talk
from .pace import Pace, count_answer_tokens
from .retrieved import describe_found
from .sayings import (
    BYPASSED,
    NEAREST,
    NOT_FOUND,
    NOT_SAID,
    passages_alone,
    says_nothing,
)
from .steps import Asked, LaidOut, find_for, lay_out, token_counter
from .theme_plan import plan_calls
from .whole_library import prepare_whole, reports_alone
from .writing import add, check, doubt, run_out, write_answer

Written = Iterator[str | Answer]


class Asking:
    """Answers questions of a library.

    Args:
        finder: ranks passages; used in the calling thread only.
        writer: where the question, its answer and what models said are kept.
        find_chat_model: gives the chat model, None where none is installed.
    """

    def __init__(
        self, finder: Finder, writer: Db, find_chat_model: Callable[[], ChatModel | None]
    ) -> None:
        self._finder = finder
        self._writer = writer
        self._find_chat_model = find_chat_model
        self._pace = Pace()
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
                return describe_found(Found(asked.question, param.mode, ()), param)
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

    def _run(self, asked: Asked) -> Written:
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
        elif isinstance(found, ThemesFound) and (
            model is None or laid.reports_suffice or asked.cancel.cancelled
        ):
            answer = replace(reports_alone(found, asked.language), stopped=asked.cancel.cancelled)
        elif model is None or not laid.context.sources:
            answer = passages_alone(found, asked.language)
        else:
            answer = yield from self._answer(asked, found, model, laid, bridge)
            if said := doubt(answer, laid.context, asked.language):
                yield f"\n\n{said}"
                answer = add(answer, said)
            elif says_nothing(answer.text) and found.entities and not answer.stopped:
                near = passages_alone(found, asked.language, NEAREST)
                yield f"\n\n{near.text}"
                answer = replace(add(answer, near.text), citations=near.citations)
        yield replace(answer, seconds=round(asked.spent_s, 2))

    def _prepare(
        self, asked: Asked, model: ChatModel | None
    ) -> tuple[Found, LaidOut, Bridge | None]:
        name = model.name if model else ""
        if asked.param.mode in THEME_MODES:
            rate = self._pace.get_rate(name)
            found, laid = prepare_whole(asked, self._finder, self._writer, model, rate)
            return replace(found, stages=(*found.stages, *laid.context.stages)), laid, None
        is_quick = self._pace.is_quick(name)
        found, needs_history = find_for(asked, self._finder, self._writer, model, is_quick=is_quick)
        bridge = None
        if model is not None and not needs_history:
            bridge = build_bridge(asked, found, self._finder, model)
        if bridge is not None:
            asked, found = bridge.asked, bridge.found
        rate = self._pace.get_rate(name)
        laid = lay_out(asked, found, needs_history, self._writer, model, rate, self._read_before)
        return replace(found, stages=(*found.stages, *laid.context.stages)), laid, bridge

    def _answer(
        self, asked: Asked, found: Found, model: ChatModel, laid: LaidOut, bridge: Bridge | None
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
        if says_nothing(answer.text):
            yield NOT_SAID[asked.language]
            return replace(answer, text=NOT_SAID[asked.language], citations=())
        find_names = self._finder.find_names
        return (yield from carry_over(answer, bridge, find_names, model, asked.cancel))

    def _bypass(self, asked: Asked, model: ChatModel | None) -> Written:
        """Yield the model's own answer, which says that it is not from the documents."""
        param, language = asked.param, asked.language
        found = Found(asked.question, param.mode, ())
        history = whole_turns(param.conversation_history)
        messages = build_talk(asked.question, history, param, language)
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
) -> Asked:
    question = question.strip()
    if not question:
        raise UserError("There is no question.", "Type one.")
    language = "zh" if detect_language(question) == "zh" else "en"
    return Asked(question, param, language, cancel or CancelToken(), on_step, time.monotonic())
