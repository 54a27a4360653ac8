"""A `ChatModel` on a server with OpenAI's API: llama-server, vLLM, Ollama and others.

Owns what is asked of the server and how its replies become `Written` and `Choice`. A server writes
freely: guards can end a line, but not steer it. Probabilities of options are read from the
likeliest next words that the server names (`top_logprobs`); where it names none, nothing is chosen.
"""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from ...errors import AppError, EnvironmentProblem, UserError
from ...messages import Message
from ...model import ChatMessage
from ...progress import CancelToken
from ...prompt_program import (
    PASSAGE,
    STOPPED,
    UNKNOWN_LOGPROB,
    Ask,
    Choice,
    Choose,
    FindCall,
    KeepCall,
    ProgramResult,
    PromptProgram,
    Write,
    Written,
)
from ...writing_systems import count_han, is_wide
from ..batching.conversation import ProgramConversation
from ..llama_chat import choose_by_program
from ..llama_library import TextStream
from ..protocols import ChatRun
from .client import ServerClient
from .contract import (
    FLAG,
    PLAIN,
    BadServerAnswer,
    ChatFeatures,
    ServerGone,
    ServerRefused,
    name_remote,
    unusable_answer,
)

_PATH = "/chat/completions"
_SEED = 7
USUAL_CTX = 4096  # of a server that does not state its context; most have more
MOST_TOP = 256  # llama-server names so many of the likeliest words
_TOPS = (MOST_TOP, 20, 5)  # tried in this order: vLLM, Ollama and OpenAI name 20, some 5
_MOST_BAD = 8  # unusable answers in a row, after which a run ends
_DEEPEST = 6  # words that options may have in common
# How far below the best option one may be that the server does not name: its probability is taken
# as the least of those named, which is the most that it can be. A tenth moves no decision made
# from shares of one half and more.
_UNNAMED_FROM = math.log(0.1)
_LEAST_LOGPROB = -99.0
# Characters of a token, rather too few, so that a prompt is shorter than estimated: tokenizers of
# chat models have 4 and more for English, and 1.3 to 1.8 for Chinese.
_CHARS_A_TOKEN, _WIDE_A_TOKEN = 3.5, 1.0
_CONTINUE = "Continue this line. Write only what comes next, without repeating it:\n{line}"
_CONTINUE_ZH = "请接着写下面这一行，只写后面的内容，不要重复：\n{line}"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many: the tokenizer is elsewhere."""
    n_wide = sum(map(is_wide, text))
    return math.ceil(n_wide / _WIDE_A_TOKEN + (len(text) - n_wide) / _CHARS_A_TOKEN)


def build_body(
    model: str,
    messages: Sequence[ChatMessage],
    features: ChatFeatures,
    *,
    line: str = "",
    max_tokens: int,
    temperature: float = 0.0,
    stream: bool = False,
    n_top: int = -1,
) -> dict[str, Any]:
    """Return the body of a request.

    Args:
        line: how the turn of the model begins.
        n_top: next words to name with each token; 0: only the token itself; -1: none.
    """
    turns = [{"role": m.role, "content": m.text} for m in messages]
    body: dict[str, Any] = {"model": model, "messages": turns}
    if line and features.continues:
        turns.append({"role": "assistant", "content": line})
        if features.continues == FLAG:
            body |= {"continue_final_message": True, "add_generation_prompt": False}
    elif line:
        ask = (_CONTINUE_ZH if count_han(line) else _CONTINUE).format(line=line)
        if turns and turns[-1]["role"] == "user":
            turns[-1] = {"role": "user", "content": f"{turns[-1]['content']}\n\n{ask}"}
        else:
            turns.append({"role": "user", "content": ask})
    body |= {"max_tokens": max_tokens, "temperature": temperature, "seed": _SEED, "stream": stream}
    if stream:
        body["stream_options"] = {"include_usage": True}
    if n_top >= 0:
        body |= {"logprobs": True, "top_logprobs": n_top}
    if features.has_template_options:
        body["chat_template_kwargs"] = {"enable_thinking": False}
    return body


# --- what the server answers ----------------------------------------------------------------------


class ChoicesUnknown(UserError):
    """The server does not state how likely the options are."""


def _no_choices(name: str) -> ChoicesUnknown:
    return ChoicesUnknown(
        "The server does not state how likely each answer is, which this needs ({model}).",
        "Use a server with “logprobs”, such as llama-server, or the model on this computer.",
        model=name,
    )


def read_choice(answer: dict[str, Any], site: str) -> dict[str, Any]:
    """Return the first choice of an answer or event; empty where it has none.

    Raises:
        BadServerAnswer: it has another form.
    """
    choices = answer.get("choices")
    if not isinstance(choices, list) or (choices and not isinstance(choices[0], dict)):
        raise unusable_answer(site, Message("it has no “choices”"))
    return choices[0] if choices else {}


def _read_text(part: object) -> str:
    text = part.get("content") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def read_logprobs(choice: dict[str, Any]) -> list[tuple[float, dict[str, float]]]:
    """Return the log-probability of each token, and those of the likeliest words in its place."""
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    found = []
    for token in content if isinstance(content, list) else []:
        pair = _read_pair(token)
        if pair is None:
            continue
        top: dict[str, float] = {}
        listed = token.get("top_logprobs")
        for one in listed if isinstance(listed, list) else []:
            if (named := _read_pair(one)) is not None:
                top[named[0]] = max(named[1], top.get(named[0], -math.inf))
        found.append((pair[1], top))
    return found


def _read_pair(value: object) -> tuple[str, float] | None:
    if not isinstance(value, dict):
        return None
    token, logprob = value.get("token"), value.get("logprob")
    if not isinstance(token, str) or not isinstance(logprob, (int, float)):
        return None
    return (token, min(0.0, float(logprob))) if math.isfinite(logprob) else None


def _read_count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else 0


@dataclass(slots=True)
class _Cost:
    """Tokens and seconds of the requests of one program."""

    n_prompt: int = 0
    n_written: int = 0
    seconds: float = 0.0

    def add(self, answer: dict[str, Any]) -> None:
        self.n_prompt += _read_count(answer.get("usage"), "prompt_tokens")
        self.n_written += _read_count(answer.get("usage"), "completion_tokens")


class _WrittenLine:
    """Collects the pieces of one line until it ends, or its guard ends it."""

    def __init__(self, ask: Write, line: str, site: str, cost: _Cost) -> None:
        self._ask, self._site, self._cost = ask, site, cost
        self._guard = ask.guard.begin() if ask.guard is not None else None
        self._text = TextStream()
        self._held = line  # llama-server repeats it, and so do those that begin a new turn
        self._pending = ""
        self._shown: list[str] = []
        self._logprobs: list[float] = []
        self._n_events = 0
        self._ended = ""

    def take(self, event: dict[str, Any]) -> bool:
        """Take an event of the stream; return whether more is needed."""
        self._cost.add(event)
        choice = read_choice(event, self._site)
        piece = _read_text(choice.get("delta"))
        self._logprobs += [logprob for logprob, _ in read_logprobs(choice)]
        self._n_events += bool(piece)
        if self._ended:
            return True  # the usage is still to come
        self._feed(self._text.feed(piece.encode("utf-8", "replace")))
        reason = choice.get("finish_reason")
        if reason and not self._ended:
            self._feed(self._text.finish())
            self._ended = self._ended or ("long" if reason == "length" else "finished")
            return True
        return not self._ended

    def finish(self) -> Written:
        """Return the line."""
        if not self._ended:
            self._feed(self._text.finish())
        self._give(self._pending)
        mean = sum(self._logprobs) / len(self._logprobs) if self._logprobs else UNKNOWN_LOGPROB
        text = "".join(self._shown)
        return Written(text, self._n_events, self._ended or "finished", round(mean, 4))

    def _feed(self, text: str) -> None:
        if self._held:
            self._pending += text
            begun = self._pending.lstrip()
            if len(begun) < len(self._held) and self._held.startswith(begun):
                return
            text, self._pending = begun.removeprefix(self._held), ""
            self._held = ""
        self._give(text)

    def _give(self, text: str) -> None:
        """Add text up to where the guard ends the line."""
        self._pending = ""
        guard = self._guard
        for char in text:
            if self._ended:
                return
            if guard is not None and not guard.take(char.encode("utf-8", "replace")):
                if not self._shown and char in "\n ":
                    continue
                if self._ask.guard is not None and self._ask.guard.is_advisory:
                    guard = self._guard = None  # whoever reads the line leaves out what is wrong
                else:
                    self._ended = "finished" if guard.may_end else "long"
                    return
            self._shown.append(char)
            if guard is not None and guard.must_end:
                self._ended = "finished"


# --- the model ------------------------------------------------------------------------------------


class RemoteChat:
    """A `ChatModel` on a server. Calls from several threads run side by side.

    Args:
        model: what the server calls it.
        n_ctx, n_parameters: where the user knows better than the server; 0: as in `features`.
    """

    is_remote = True

    def __init__(
        self,
        client: ServerClient,
        model: str,
        features: ChatFeatures,
        *,
        n_ctx: int = 0,
        n_parameters: int = 0,
    ) -> None:
        self.client, self._model, self.features = client, model, features
        self.name = name_remote(model, client.address)
        self.n_ctx = n_ctx or features.n_ctx or USUAL_CTX
        self.n_parameters = n_parameters or features.n_parameters
        self.can_choose = features.n_top > 0
        self.last_run = ChatRun()

    def count_tokens(self, text: str) -> int:
        """Return an estimate; see `estimate_tokens`."""
        return estimate_tokens(text)

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        """See `ChatModel.stream`; with `max_tokens` 0 nothing is sent.

        Raises:
            ServerGone, ServerRefused, BadServerAnswer, TooLongForServer: see `client`.
        """
        if max_tokens <= 0:
            return
        body = build_body(
            self._model,
            messages,
            self.features,
            max_tokens=max_tokens,
            temperature=temperature,
            stream=True,
        )
        started, first_at = time.perf_counter(), 0.0
        text, cost, is_empty, ended = TextStream(), _Cost(), True, "stopped"
        n_events = 0
        for event in self.client.stream(_PATH, body, cancel):
            cost.add(event)
            choice = read_choice(event, self.client.address.site)
            if reason := choice.get("finish_reason"):
                ended = "long" if reason == "length" else "finished"
            piece = text.feed(_read_text(choice.get("delta")).encode("utf-8", "replace"))
            if piece:
                first_at = first_at or time.perf_counter()
                is_empty, n_events = False, n_events + 1
                yield piece
        if rest := text.finish():
            is_empty = False
            yield rest
        if is_empty and not (cancel is not None and cancel.cancelled):
            raise BadServerAnswer(
                "{site} gave an empty answer.", "Ask again.", site=self.client.address.site
            )
        now = time.perf_counter()
        first_at = first_at or now
        n_prompt = cost.n_prompt or sum(estimate_tokens(m.text) for m in messages)
        n_written = cost.n_written or n_events
        self.last_run = ChatRun(n_prompt, 0, first_at - started, n_written, now - first_at, ended)

    def run_programs(
        self,
        programs: Iterable[PromptProgram],
        *,
        find_call: FindCall | None = None,
        keep_call: KeepCall | None = None,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
        from_scratch: bool = False,
    ) -> Iterator[ProgramResult]:
        """See `ChatModel.run_programs`; as many requests run side by side as the client may send.

        Raises:
            ServerGone, ServerRefused: the programs that had not ended have no result.
            BadServerAnswer: several answers in a row could not be used.
        """
        coming = (ProgramConversation(one, self.name, find_call, keep_call) for one in programs)
        run = _Run(self, cancel or CancelToken())
        try:
            yield from run.iter_results(coming)
        finally:
            run.stop()

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        """See `ChatModel.choose`.

        Raises:
            ChoicesUnknown: the server states no probabilities.
        """
        if not self.can_choose:
            raise _no_choices(self.name)
        return choose_by_program(self.run_programs, messages, lines, options, cancel, "")

    def close(self) -> None:
        self.client.close()

    # --- one line, in the thread of the event loop ------------------------------------------------

    async def write_line(
        self, ask: Write, messages: Sequence[ChatMessage], line: str, cost: _Cost
    ) -> Written:
        """Return how the server continues a line."""
        body = build_body(
            self._model,
            messages,
            self.features,
            line=line,
            max_tokens=ask.max_tokens,
            stream=True,
            n_top=0 if self.can_choose else -1,
        )
        written = _WrittenLine(ask, line, self.client.address.site, cost)
        await self.client.read_stream(_PATH, body, written.take)
        return written.finish()

    async def choose_line(
        self, ask: Choose, messages: Sequence[ChatMessage], line: str, cost: _Cost
    ) -> Choice:
        """Return the probabilities of options after a line.

        Raises:
            ChoicesUnknown: the server does not name the options among its likeliest words.
        """
        if not self.can_choose:
            raise _no_choices(self.name)
        found: dict[int, float] = {}  # by option
        most: dict[int, float] = {}  # of those that are not named
        rests = dict(enumerate(ask.options))
        await self._read_options(messages, line, rests, 0.0, 0, found, most, cost)
        best = max(found.values(), default=-math.inf)
        if any(one - best > _UNNAMED_FROM for one in most.values()):
            raise _no_choices(self.name)
        return Choice(
            tuple(round(max(_LEAST_LOGPROB, (most | found)[option]), 4) for option in rests)
        )

    async def _read_options(
        self,
        messages: Sequence[ChatMessage],
        line: str,
        rests: dict[int, str],
        before: float,
        depth: int,
        found: dict[int, float],
        most: dict[int, float],
        cost: _Cost,
    ) -> None:
        """Find the log-probabilities of what is left of options after a line.

        As a model on this computer, the server reads an option in its longest words: " family" and
        not " f" and "amily". Options that share their first word are read on after it.

        Args:
            rests: by option, the text after the line.
            before: log-probability of the line after that of the question.
            found: gets the log-probabilities by option.
            most: gets what those of options can be at most that the server does not name.
        """
        if depth > _DEEPEST or (depth and not self.features.continues):
            raise _no_choices(self.name)
        top = await self._ask_next(messages, line, cost)
        trims = depth == 0  # templates and servers differ in whether the first word has its space
        # A server that begins a new turn also begins it with a capital letter.
        fold = str if self.features.continues else str.casefold
        words: dict[int, tuple[str, str, float]] = {}  # the longest of each option
        for token, logprob in top.items():
            word = fold(token.lstrip() if trims else token)
            for option, rest in rests.items():
                rest = fold(rest.lstrip() if trims else rest)
                is_begun = bool(word and rest) and rest.startswith(word) and _covers(word, rest)
                is_whole = (
                    bool(rest) and word.startswith(rest) and not word[len(rest) :][:1].isalnum()
                )
                if not is_begun and not is_whole:
                    continue
                known = words.get(option)
                if known is None or (len(word), logprob) > (len(known[0]), known[2]):
                    words[option] = (word, token, logprob)
        groups: dict[str, list[int]] = {}
        for option, (_, token, _) in words.items():
            groups.setdefault(token, []).append(option)
        used = 0.0
        for token, options in groups.items():
            word, _, logprob = words[options[0]]
            used += math.exp(logprob)
            if len(options) == 1:
                found[options[0]] = before + logprob
                continue
            left = {
                option: (rests[option].lstrip() if trims else rests[option])[len(word) :]
                for option in options
            }
            await self._read_options(
                messages, line + token, left, before + logprob, depth + 1, found, most, cost
            )
        for option, rest in rests.items():
            if not rest:  # the beginning of others gets what they leave
                found[option] = before + math.log(max(1.0 - used, 1e-9))
            elif option not in words:
                most[option] = before + min(top.values())

    async def _ask_next(
        self, messages: Sequence[ChatMessage], line: str, cost: _Cost
    ) -> dict[str, float]:
        """Return the log-probabilities of the likeliest next words."""
        body = build_body(
            self._model,
            messages,
            self.features,
            line=line,
            max_tokens=1,
            n_top=self.features.n_top,
        )
        answer = await self.client.request(_PATH, body)
        cost.add(answer)
        found = read_logprobs(read_choice(answer, self.client.address.site))
        if not found or not found[0][1]:
            raise _no_choices(self.name)
        return found[0][1]


def _covers(word: str, rest: str) -> bool:
    """Return whether a word that an option begins with is likely its first token.

    A letter or two begin many options but are tokens of other words: SmolLM2 gave " e" 90 times the
    probability of " enemy". Characters of Chinese are tokens of their own.
    """
    word = word.strip()
    return bool(word) and (is_wide(word[0]) or 2 * len(word) >= len(rest.strip()))


class _Run:
    """Runs conversations side by side; used once."""

    def __init__(self, model: RemoteChat, cancel: CancelToken) -> None:
        self._model, self._cancel = model, cancel
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._futures: set[Future[None]] = set()
        self._waiting: dict[ProgramConversation, int] = {}  # lines without a reply
        self._costs: dict[ProgramConversation, _Cost] = {}
        self._n_bad = 0

    def iter_results(self, coming: Iterator[ProgramConversation]) -> Iterator[ProgramResult]:
        with self._cancel.notifying(lambda: self._done.put(None)):
            is_more = True
            while not self._cancel.cancelled:
                n_open = sum(self._waiting.values())
                if is_more and n_open < self._model.client.n_at_once:
                    conversation = next(coming, None)
                    is_more = conversation is not None
                    if conversation is not None:
                        self._costs[conversation] = _Cost()
                        yield from self._advance(conversation)
                    continue
                if not n_open:
                    return
                if (got := self._done.get()) is not None:
                    yield from self._take(*got)
        for conversation in list(self._costs):
            yield self._end(conversation, STOPPED)

    def stop(self) -> None:
        """Close the connections of what still runs."""
        for future in self._futures.copy():  # others end meanwhile
            future.cancel()
        for conversation in self._costs:
            conversation.close()

    def _advance(self, conversation: ProgramConversation) -> Iterator[ProgramResult]:
        indices = conversation.advance()
        if not indices:
            yield self._end(conversation)
            return
        self._waiting[conversation] = len(indices)
        for index in indices:
            self._submit(conversation, index)

    def _submit(self, conversation: ProgramConversation, index: int) -> None:
        ask: Ask = conversation.ask
        text, line = conversation.get_text(index), ask.lines[index]
        messages = [
            replace(m, text=m.text.replace(PASSAGE, text))
            for m in ask.messages or conversation.program.messages
        ]
        cost, model = self._costs[conversation], self._model

        async def work() -> Written | Choice:
            started = time.perf_counter()
            try:
                if isinstance(ask, Choose):
                    return await model.choose_line(ask, messages, line, cost)
                return await model.write_line(ask, messages, line, cost)
            finally:
                cost.seconds += (time.perf_counter() - started) / model.client.n_at_once

        future = model.client.submit(
            work, lambda result: self._done.put((conversation, index, result))
        )
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)

    def _take(
        self, conversation: ProgramConversation, index: int, result: Any
    ) -> Iterator[ProgramResult]:
        """Take the reply to a line, or the error in its place."""
        if conversation not in self._waiting:  # another line of it failed
            return
        if isinstance(result, (ServerGone, ServerRefused)):
            raise result
        if isinstance(result, AppError):
            self._n_bad += isinstance(result, BadServerAnswer)
            if self._n_bad >= _MOST_BAD:
                raise result
            yield self._end(conversation, result.full_message)
        elif isinstance(result, BaseException):
            raise result
        else:
            self._n_bad = 0
            conversation.add_reply(index, result)
            self._waiting[conversation] -= 1
            if not self._waiting[conversation]:
                del self._waiting[conversation]
                yield from self._advance(conversation)

    def _end(
        self, conversation: ProgramConversation, error: Message | None = None
    ) -> ProgramResult:
        cost = self._costs.pop(conversation)
        self._waiting.pop(conversation, None)
        more = {} if error is None else {"error": error}
        return conversation.end(
            **more, n_prompt=cost.n_prompt, n_written=cost.n_written, seconds=cost.seconds
        )


# --- trying a server ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that a server lists; 0 where it does not state a number."""

    name: str
    n_ctx: int = 0
    n_parameters: int = 0


def list_server_models(
    client: ServerClient, cancel: CancelToken | None = None
) -> list[ListedModel]:
    """Return the models of a server, in its order.

    Raises:
        BadServerAnswer: it does not list them as OpenAI's API does.
    """
    listed = client.get("/models", cancel).get("data")
    if not isinstance(listed, list):
        raise unusable_answer(client.address.site, Message("it lists no models"))
    found = []
    for one in listed:
        if isinstance(one, dict) and isinstance(one.get("id"), str) and one["id"]:
            meta = one.get("meta")  # llama-server; vLLM has `max_model_len`
            n_ctx = _read_count(meta, "n_ctx") or _read_count(one, "max_model_len")
            found.append(ListedModel(one["id"], n_ctx, _read_count(meta, "n_params")))
    return found


_COUNTING = [ChatMessage("user", "Write the numbers from 1 to 20, separated by commas.")]
_BEGUN, _REST = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,", "12"  # even the smallest models go on so
_YES_OR_NO = [ChatMessage("user", "Is water wet? Answer with yes or no only.")]


def find_features(
    client: ServerClient, model: ListedModel, cancel: CancelToken | None = None
) -> ChatFeatures:
    """Return what a server can do with a chat model, by a few short requests of no content.

    Raises:
        ServerGone, ServerRefused, BadServerAnswer: it does not answer the plainest request.
    """
    features = ChatFeatures(
        has_template_options=True, n_ctx=model.n_ctx, n_parameters=model.n_parameters
    )

    def ask(
        messages: Sequence[ChatMessage], tried: ChatFeatures, **more: Any
    ) -> dict[str, Any] | None:
        body = build_body(model.name, messages, tried, **more)
        try:
            return read_choice(client.post(_PATH, body, cancel), client.address.site)
        except (ServerRefused, UserError, BadServerAnswer):
            return None

    if ask(_YES_OR_NO, features, max_tokens=1) is None:
        features = replace(features, has_template_options=False)
        body = build_body(model.name, _YES_OR_NO, features, max_tokens=1)
        read_choice(client.post(_PATH, body, cancel), client.address.site)  # its error is shown
    for continues in (FLAG, PLAIN):
        tried = replace(features, continues=continues)
        choice = ask(_COUNTING, tried, line=_BEGUN, max_tokens=4)
        text = "" if choice is None else _read_text(choice.get("message"))
        # llama-server repeats what was begun, others do not.
        if text.lstrip().removeprefix(_BEGUN).lstrip().startswith(_REST):
            features = tried
            break
    for n_top in _TOPS:
        choice = ask(_YES_OR_NO, features, max_tokens=1, n_top=n_top)
        if choice is not None and (named := read_logprobs(choice)) and len(named[0][1]) > 1:
            return replace(features, n_top=n_top)
    return features


def check_found(model: ListedModel | None, name: str, client: ServerClient) -> ListedModel:
    """Return the model.

    Raises:
        EnvironmentProblem: the server does not list it.
    """
    if model is None:
        raise EnvironmentProblem(
            "{site} has no model “{name}”.",
            "Choose one that it lists.",
            site=client.address.site,
            name=name,
        )
    return model
