"""Writes answers with a GGUF chat model through llama.cpp's low-level API.

Owns whose turn it is: one caller at a time has the model, whether an answer is written or programs
run in batches. Knows nothing of questions, passages or libraries.
"""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ..crash_log import note_step
from ..errors import Cancelled, EnvironmentProblem, UserError
from ..model import ChatMessage
from ..progress import CancelToken
from ..prompt_program import (
    PASSAGE,
    STOPPED,
    Choice,
    Choose,
    FindCall,
    KeepCall,
    ProgramResult,
    PromptProgram,
    Talk,
)
from .batching.conversation import ProgramConversation, PromptConversation
from .batching.runner import ProgramPrompts, ProgramRunner
from .batching.sequences import SequenceContext
from .llama_library import (
    LlamaModel,
    LlamaPrompt,
    TextStream,
    default_threads,
    is_looping,
    report_call,
)
from .protocols import ChatRun

log = logging.getLogger(__name__)

# Read in pieces: at the starter's 100 tokens/s on two cores, stopping then takes 0.6 s at most.
PREFILL_TOKENS = 64
_SEED = 7
_MOST_STARTS = 4  # instructions: each 28 KB a token with the starter


def _count_equal(a: Sequence[int], b: Sequence[int]) -> int:
    """Return how many tokens two sequences begin with in common."""
    n = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        n += 1
    return n


class ChatContext:
    """The memory of a conversation; `seen` are the tokens in it."""

    def __init__(self, model: LlamaModel, name: str, n_ctx: int, n_threads: int) -> None:
        self._lib, self._name = model.lib, name
        self.seen: list[int] = []
        self._starts: dict[tuple[int, ...], Any] = {}  # states by the tokens that were read
        params = self._lib.llama_context_default_params()
        params.n_ctx = n_ctx
        params.n_batch = params.n_ubatch = PREFILL_TOKENS
        params.n_threads = params.n_threads_batch = n_threads
        self._context = self._lib.llama_init_from_model(model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                "There is not enough memory for {name} with {n_ctx:,} tokens.",
                "Close other programs, lower the context in Settings, or use a smaller model.",
                name=name,
                n_ctx=n_ctx,
            )
        self._memory = self._lib.llama_get_memory(self._context)
        self._batch = self._lib.llama_batch_init(PREFILL_TOKENS, 0, 1)

    def rewind(self, prompt: list[int]) -> int:
        """Forget what differs from `prompt`; return how many of its tokens are still known."""
        # The last token is always read anew, since its logits are needed.
        n = _count_equal(self.seen, prompt[:-1])
        kept = max(self._starts, key=lambda start: _count_equal(start, prompt), default=())
        if n < len(kept) < len(prompt) and kept == tuple(prompt[: len(kept)]):
            n = self._restore(kept)
        if not self._lib.llama_memory_seq_rm(self._memory, 0, n, -1):
            # Models with a running state (Mamba) can't forget half of it.
            self._lib.llama_memory_clear(self._memory, True)
            n = 0
        del self.seen[n:]
        return n

    def keep_start(self) -> None:
        """Keep the state after the tokens read so far; `rewind` restores it."""
        size = self._lib.llama_state_seq_get_size(self._context, 0)
        state = (ctypes.c_uint8 * size)()
        if self._lib.llama_state_seq_get_data(self._context, state, size, 0) == size:
            while len(self._starts) >= _MOST_STARTS:
                del self._starts[next(iter(self._starts))]
            self._starts[tuple(self.seen)] = state

    def _restore(self, start: tuple[int, ...]) -> int:
        """Return to the state after these tokens; return their number, 0 if that fails."""
        state = self._starts[start]
        self._lib.llama_memory_clear(self._memory, True)
        n_bytes = len(state)
        ok = self._lib.llama_state_seq_set_data(self._context, state, n_bytes, 0) == n_bytes
        self.seen = list(start) if ok else []
        return len(self.seen)

    def read(self, tokens: list[int], cancel: CancelToken) -> bool:
        """Take in a prompt; False if stopped meanwhile (what was read stays of use)."""
        for i in range(0, len(tokens), PREFILL_TOKENS):
            if cancel.cancelled:
                return False
            self.decode(tokens[i : i + PREFILL_TOKENS])
        return not cancel.cancelled

    def decode(self, tokens: list[int]) -> None:
        """Run tokens through the model; only the last one's logits are made."""
        batch = self._batch
        n_seen = len(self.seen)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = n_seen + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
            batch.logits[i] = i == len(tokens) - 1
        batch.n_tokens = len(tokens)
        code = self._lib.llama_decode(self._context, batch)
        report_call()
        if code:
            self._lib.llama_memory_clear(self._memory, True)
            self.seen.clear()
            raise EnvironmentProblem(
                "The model {model} stopped working (llama.cpp's code {code}).",
                "Ask again; if it happens often, use a smaller context or another model.",
                model=self._name,
                code=code,
            )
        self.seen.extend(tokens)

    def sample(self, sampler: Any) -> int:
        """Return the next token."""
        return int(self._lib.llama_sampler_sample(sampler, self._context, -1))

    def build_sampler(self, temperature: float) -> Any:
        """Return a new sampler; free it with `free_sampler`."""
        lib = self._lib
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        if temperature <= 0:
            samplers = [lib.llama_sampler_init_greedy()]
        else:
            samplers = [
                lib.llama_sampler_init_top_k(40),
                lib.llama_sampler_init_top_p(0.95, 1),
                lib.llama_sampler_init_min_p(0.05, 1),
                lib.llama_sampler_init_temp(temperature),
                lib.llama_sampler_init_dist(_SEED),
            ]
        for sampler in samplers:
            lib.llama_sampler_chain_add(chain, sampler)
        return chain

    def free_sampler(self, sampler: Any) -> None:
        self._lib.llama_sampler_free(sampler)

    def free(self) -> None:
        if self._context:
            self._lib.llama_batch_free(self._batch)
            self._lib.llama_free(self._context)
            self._context = None


DEFAULT_CTX = 8192
BATCH_CTX = 8192  # cells that the lines of a batch share
_LOOK_FOR_LOOPS_EVERY = 8
_CLOSE_WAIT_S = 5.0


def name_in_cache(name: str, path: Path) -> str:
    """Return the model's name in the keys of cached calls."""
    # Files with the same name and size have the same weights.
    return f"{name}:{path.stat().st_size}"


def choose_by_program(
    run_programs: Callable[..., Iterator[ProgramResult]],
    messages: Sequence[ChatMessage],
    lines: Sequence[str],
    options: Sequence[str],
    cancel: CancelToken | None,
    hint: str = "Ask about a shorter text.",
) -> list[Choice]:
    """Answer `ChatModel.choose` with a prompt program of one question.

    Args:
        hint: what the user can do if it fails.
    """
    # What differs from question to question is most often the end of the last message.
    *before, last = messages
    asked = (*before, ChatMessage(last.role, PASSAGE))

    def talk() -> Talk:
        return (yield Choose(tuple(lines), tuple(options)))

    # Read to the end, so that the instruction stays in memory for the next question.
    program = PromptProgram("choose", asked, last.text, talk)
    runs = list(run_programs([program], cancel=cancel))
    if not runs or runs[0].error == STOPPED:
        raise Cancelled
    if runs[0].error:
        raise UserError(runs[0].error, hint)
    choices: list[Choice] = runs[0].value
    return choices


class LlamaChat:
    """A `ChatModel` over a GGUF file; calls from several threads queue up.

    `last_run` tells what the last answer cost. A stream that is not read to its end must be
    closed (or dropped), for it holds the model.
    """

    can_choose, is_remote = True, False

    def __init__(
        self,
        path: Path,
        *,
        n_ctx: int = 0,
        n_threads: int = 0,
        n_gpu_layers: int = 0,
        name: str = "",
    ) -> None:
        """Load the model.

        Args:
            n_ctx: 0 for 8192, or what the model was trained for if that is less.
            n_threads: 0 for what suits this machine.

        Raises:
            UserError: the file is damaged.
            EnvironmentProblem: it can't be run here.
        """
        self._lock = threading.Lock()
        self._closing = CancelToken()
        self._model = LlamaModel(path, n_gpu_layers=n_gpu_layers)
        self.name = name or path.stem
        trained = self._model.n_ctx_train or DEFAULT_CTX
        self.n_ctx = min(n_ctx or DEFAULT_CTX, trained)
        self.n_parameters = int(self._model.lib.llama_model_n_params(self._model.handle))
        self.last_run = ChatRun()
        self._n_threads = n_threads or default_threads()
        self._context: ChatContext | None = None
        self._batches: SequenceContext | None = None  # for prompt programs, made at the first one
        self._runner: ProgramRunner | None = None
        try:
            self._prompt = LlamaPrompt(self._model)
            self._context = ChatContext(self._model, self.name, self.n_ctx, self._n_threads)
        except Exception:
            self._free()
            raise

    def count_tokens(self, text: str) -> int:
        self._check_open()
        return len(self._model.tokenize(text, add_special=False))

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int = 512,
        temperature: float = 0.0,
        cancel: CancelToken | None = None,
    ) -> Iterator[str]:
        """Yield the answer piece by piece, ending early (without raising) when cancelled.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
        """
        prompt, thinking = self.read_prompt(messages)
        n_most = min(max_tokens, self.n_ctx - len(prompt))
        n_start = self._count_start(messages, prompt)
        cancel = cancel or CancelToken()
        return self._iter_text(prompt, n_start, n_most, temperature, cancel, thinking)

    def _count_start(self, messages: Sequence[ChatMessage], prompt: list[int]) -> int:
        """Return how many tokens of a prompt are its instruction; 0 without one."""
        if len(messages) < 2 or messages[0].role != "system":
            return 0
        other = [messages[0], ChatMessage(messages[1].role, "")]
        begun = self._prompt.tokenize(self._prompt.render(other))
        return min(_count_equal(begun, prompt), len(prompt) - 1)

    def read_prompt(self, messages: Sequence[ChatMessage]) -> tuple[list[int], bool]:
        """Return the tokens of a prompt, and whether it opens a thinking block.

        Raises:
            UserError: the messages don't fit into `n_ctx`.
        """
        self._check_open()
        text = self._prompt.render(messages)
        prompt = self._prompt.tokenize(text)
        if len(prompt) >= self.n_ctx:
            raise UserError(
                "The question and its sources are {n:,} tokens long; the model {model} reads "
                "{n_context:,}.",
                "Ask with fewer sources, start a new chat, or raise the context in Settings.",
                n=len(prompt),
                model=self.name,
                n_context=self.n_ctx,
            )
        return prompt, text.rstrip().endswith("<think>")

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
        """See `ChatModel.run_programs`; the model is held until the iterator ends or is closed.

        Raises:
            EnvironmentProblem: the model was closed before the programs ended.
        """
        name = name_in_cache(self.name, self._model.path)
        conversations = (
            ProgramConversation(program, name, find_call, keep_call) for program in programs
        )
        return self.run_conversations(
            conversations, cancel=cancel, n_threads=n_threads, from_scratch=from_scratch
        )

    def run_conversations(
        self,
        conversations: Iterable[PromptConversation],
        *,
        cancel: CancelToken | None = None,
        n_threads: int = 0,
        from_scratch: bool = False,
    ) -> Iterator[ProgramResult]:
        """Run conversations of prompt programs; see `run_programs`."""
        cancel = cancel or CancelToken()
        with self._turn(cancel) as ours:
            if not ours:
                return
            n_threads = n_threads or self._n_threads
            if self._batches is None or self._runner is None:
                n_cells = min(BATCH_CTX, max(self._model.n_ctx_train, self.n_ctx))
                self._batches = SequenceContext(self._model, n_cells, n_threads)
                prompts = ProgramPrompts(self._model, self._prompt.render, self._prompt.tokenize)
                self._runner = ProgramRunner(self._model, self._batches, prompts)
            self._batches.set_threads(n_threads)
            if from_scratch:
                self._runner.forget()
            token = CancelToken(cancel, self._closing)
            with closing(self._runner.run(conversations, token)) as runs:
                for run in runs:
                    if self._closing.cancelled and run.error == STOPPED:
                        break  # the caller did not cancel; `_check_open` raises below
                    yield run
            if not cancel.cancelled:
                self._check_open()

    def choose(
        self,
        messages: Sequence[ChatMessage],
        lines: Sequence[str],
        options: Sequence[str],
        *,
        cancel: CancelToken | None = None,
    ) -> list[Choice]:
        """See `ChatModel.choose`."""
        return choose_by_program(self.run_programs, messages, lines, options, cancel)

    def close(self) -> None:
        """Free the model: prompt programs are aborted, an answer is completed.

        A caller that still uses the model after a while frees it at its end.
        """
        self._closing.cancel()
        if self._lock.acquire(timeout=_CLOSE_WAIT_S):
            self._free()
            self._lock.release()

    def _iter_text(
        self,
        prompt: list[int],
        n_start: int,
        n_most: int,
        temperature: float,
        cancel: CancelToken,
        thinking: bool,
    ) -> Iterator[str]:
        with self._turn(cancel) as ours:
            if not ours:
                return
            context = self._context
            assert context is not None  # `_turn` raises if the model was closed
            started = time.perf_counter()
            n_reused = context.rewind(prompt)
            n_start = max(n_start, n_reused)
            read_all = context.read(prompt[n_reused:n_start], cancel)
            if read_all and n_start > n_reused:
                context.keep_start()
            read_all = read_all and context.read(prompt[n_start:], cancel)
            read_at = time.perf_counter()
            self.last_run = ChatRun(len(prompt), n_reused, read_at - started, ended="stopped")
            if not read_all or n_most <= 0:
                return
            shown = TextStream(thinking=thinking)
            written: list[int] = []
            ended = "stopped"
            sampler = context.build_sampler(temperature)
            try:
                while not cancel.cancelled:
                    token = context.sample(sampler)
                    if self._model.ends_turn(token):
                        ended = "finished"
                        break
                    written.append(token)
                    if piece := shown.feed(self._model.get_piece(token)):
                        yield piece
                    if len(written) >= n_most:
                        ended = "long"
                        break
                    if len(written) % _LOOK_FOR_LOOPS_EVERY == 0 and is_looping(written):
                        ended = "loop"
                        break
                    context.decode([token])
                if rest := shown.finish():
                    yield rest
            finally:
                context.free_sampler(sampler)
                took = time.perf_counter() - read_at
                self.last_run = ChatRun(
                    *(len(prompt), n_reused, read_at - started, len(written), took, ended)
                )
                log.debug("%s: %s", self.name, self.last_run)

    @contextmanager
    def _turn(self, cancel: CancelToken) -> Iterator[bool]:
        """Wait for the model; False if cancelled while waiting."""
        while not self._lock.acquire(timeout=0.1):
            if cancel.cancelled:
                yield False
                return
        try:
            self._check_open()
            note_step(f"using the chat model {self.name}")
            yield not cancel.cancelled
        finally:
            if self._closing.cancelled:
                self._free()
            self._lock.release()

    def _check_open(self) -> None:
        if self._closing.cancelled:
            raise EnvironmentProblem(
                "The model {model} was closed meanwhile.", "Try again.", model=self.name
            )

    def _free(self) -> None:
        self._runner = None
        if self._batches is not None:
            self._batches.free()
            self._batches = None
        if self._context is not None:
            self._context.free()
            self._context = None
        self._model.close()
