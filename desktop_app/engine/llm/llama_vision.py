"""Describes pictures with a GGUF chat model and its projector, through llama.cpp's libmtmd.

Owns both loaded files and the context of one prompt at a time. Knows nothing of documents: it gets
pixels and messages. Runs in a process of its own only (`host_child`).
"""

from __future__ import annotations

import ctypes
import logging
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..crash_log import note_step
from ..errors import EnvironmentProblem, UserError
from ..model import ChatMessage
from ..progress import CancelToken
from .gguf_header import load_header
from .llama_library import (
    LlamaModel,
    LlamaPrompt,
    TextStream,
    default_threads,
    get_log_callback,
    is_looping,
    report_call,
)
from .projectors import fits, get_width
from .protocols import PictureDescription

log = logging.getLogger(__name__)

VISION_CTX = 4096  # tokens: a prompt of 300, a picture of at most 2,000, and the answer
# A picture whose tokens see each other (Gemma 3: 256 of them) must be read in one batch.
_BATCH_TOKENS = 512
# Of models that take pictures of any size. One token is 28 by 28 pixels with Qwen2.5-VL.
MAX_PICTURE_TOKENS = 1024
MAX_PIXELS = 4096 * 4096
_REPEAT_LAST, _REPEAT_PENALTY = 64, 1.1  # small models repeat themselves about pictures
_LOOK_FOR_LOOPS_EVERY = 8


class LlamaVision:
    """A chat model with its projector; calls from several threads queue up.

    Raises:
        UserError: a file is damaged, or the two do not fit together.
        EnvironmentProblem: they can't be run here.
    """

    def __init__(
        self,
        path: Path,
        projector: Path,
        *,
        n_threads: int = 0,
        n_gpu_layers: int = 0,
        name: str = "",
    ) -> None:
        self._lock = threading.Lock()
        self.name = name or path.stem
        self._context: Any = None
        self._reader: Any = None
        head = load_header(projector)
        self._model = LlamaModel(path, n_gpu_layers=n_gpu_layers)
        self._n_threads = n_threads or default_threads()
        try:
            if not fits(head, self._model.header):
                raise UserError(
                    "The projector {projector} does not fit {model}: it makes vectors of {n:,} "
                    "numbers, the model reads {n_model:,}.",
                    "Get the projector that belongs to this model.",
                    projector=projector.name,
                    model=path.name,
                    n=get_width(head),
                    n_model=self._model.header.n_embd,
                )
            self._prompt = LlamaPrompt(self._model)
            self._load_projector(projector, use_gpu=n_gpu_layers != 0)
            self.n_ctx = min(VISION_CTX, self._model.n_ctx_train or VISION_CTX)
            self._open_context()
        except Exception:
            self.close()
            raise

    def _load_projector(self, projector: Path, *, use_gpu: bool) -> None:
        try:
            from llama_cpp import mtmd_cpp
        except Exception as error:  # raises what it likes when its library doesn't load
            raise EnvironmentProblem(
                "Pictures can't be described here: llama-cpp-python was built without libmtmd "
                "({reason}).",
                "Close Inkgraph and start it again: it builds what is missing.",
                reason=error,
            ) from error
        self._mtmd = mtmd_cpp
        note_step(f"loading the projector {projector.name}")
        nothing = ctypes.c_void_p(0)
        mtmd_cpp.mtmd_log_set(get_log_callback(), nothing)
        mtmd_cpp.mtmd_helper_log_set(get_log_callback(), nothing)
        params = mtmd_cpp.mtmd_context_params_default()
        params.use_gpu = use_gpu
        params.print_timings = False
        params.n_threads = self._n_threads
        params.warmup = False  # it would encode a picture of the largest size
        params.image_max_tokens = MAX_PICTURE_TOKENS
        self._reader = mtmd_cpp.mtmd_init_from_file(
            os.fsencode(projector), self._model.handle, params
        )
        report_call()
        if not self._reader or not mtmd_cpp.mtmd_support_vision(self._reader):
            raise EnvironmentProblem(
                "The projector {projector} could not be loaded.",
                "It may be damaged, or of a kind that is not supported yet; get it again, or use "
                "another model.",
                projector=projector.name,
            )
        self._marker = mtmd_cpp.mtmd_default_marker().decode("ascii")

    def _open_context(self) -> None:
        lib = self._model.lib
        params = lib.llama_context_default_params()
        params.n_ctx = self.n_ctx
        params.n_batch = params.n_ubatch = _BATCH_TOKENS
        params.n_threads = params.n_threads_batch = self._n_threads
        self._context = lib.llama_init_from_model(self._model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                "There is not enough memory for {name} with {n_ctx:,} tokens.",
                "Close other programs, or use a smaller model.",
                name=self.name,
                n_ctx=self.n_ctx,
            )

    def describe(
        self,
        messages: Sequence[ChatMessage],
        pixels: bytes,
        width: int,
        height: int,
        *,
        max_tokens: int,
        cancel: CancelToken | None = None,
    ) -> PictureDescription:
        """Return what the model writes about a picture, which stands before the last message.

        Args:
            pixels: red, green and blue, row by row; `3 * width * height` bytes.

        Raises:
            UserError: the picture and the messages don't fit into the context.
            EnvironmentProblem: the model stopped working.
            Cancelled: the token was set.
        """
        if not 0 < width * height <= MAX_PIXELS or len(pixels) != 3 * width * height:
            raise ValueError("a picture of another size")
        cancel = cancel or CancelToken()
        with self._lock:
            note_step(f"describing a picture with {self.name}")
            started = time.perf_counter()
            n_read = self._read(messages, pixels, width, height, max_tokens, cancel)
            read_at = time.perf_counter()
            text, n_written, ended = self._write(n_read, max_tokens, cancel)
            written_at = time.perf_counter()
            return PictureDescription(
                text, ended, n_read, read_at - started, n_written, written_at - read_at
            )

    def _build_prompt(self, messages: Sequence[ChatMessage]) -> str:
        """Return the prompt with the marker of the picture in it."""
        plain = [ChatMessage(m.role, m.text.replace(self._marker, " ")) for m in messages]
        *before, last = plain
        asked = [*before, ChatMessage(last.role, f"{self._marker}\n{last.text}")]
        text = self._prompt.render(asked)
        if text.count(self._marker) != 1:  # a template that takes lists of parts only (SmolVLM)
            text = self._prompt.render(asked, as_parts=True)
        if text.count(self._marker) != 1:
            raise UserError("The model's chat template takes no pictures.", "Choose another model.")
        return text

    def _read(
        self,
        messages: Sequence[ChatMessage],
        pixels: bytes,
        width: int,
        height: int,
        max_tokens: int,
        cancel: CancelToken,
    ) -> int:
        """Take in the prompt and the picture; return the number of positions."""
        mtmd = self._mtmd
        text = self._build_prompt(messages).encode("utf-8", "replace")
        asked = mtmd.mtmd_input_text()
        asked.text, asked.text_len = text, len(text)
        asked.add_special = self._prompt.needs_start(text.decode("utf-8"))
        asked.parse_special = True
        buffer = (ctypes.c_uint8 * len(pixels)).from_buffer_copy(pixels)
        bitmap = mtmd.mtmd_bitmap_init(width, height, buffer)
        chunks = mtmd.mtmd_input_chunks_init()
        try:
            bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
            code = mtmd.mtmd_tokenize(self._reader, chunks, ctypes.byref(asked), bitmaps, 1)
            report_call()
            if code:
                raise UserError(
                    "The model can't read this picture (llama.cpp's code {code}).", code=code
                )
            n_tokens = int(mtmd.mtmd_helper_get_n_tokens(chunks))
            if n_tokens + max_tokens > self.n_ctx:
                raise UserError(
                    "The picture is {n:,} tokens long; the model {model} reads {n_context:,}.",
                    "Use another model.",
                    n=n_tokens,
                    model=self.name,
                    n_context=self.n_ctx,
                )
            return self._read_chunks(chunks, cancel)
        finally:
            mtmd.mtmd_input_chunks_free(chunks)
            mtmd.mtmd_bitmap_free(bitmap)

    def _read_chunks(self, chunks: Any, cancel: CancelToken) -> int:
        lib, mtmd = self._model.lib, self._mtmd
        lib.llama_memory_clear(lib.llama_get_memory(self._context), True)
        at = ctypes.c_int32(0)
        n_chunks = int(mtmd.mtmd_input_chunks_size(chunks))
        for number in range(n_chunks):
            cancel.check()
            chunk = mtmd.mtmd_input_chunks_get(chunks, number)
            code = mtmd.mtmd_helper_eval_chunk_single(
                *(self._reader, self._context, chunk, at.value, 0, _BATCH_TOKENS),
                *(number == n_chunks - 1, ctypes.byref(at)),
            )
            report_call()
            if code:
                raise self._fail(code)
        return at.value

    def _write(self, at: int, max_tokens: int, cancel: CancelToken) -> tuple[str, int, str]:
        """Return the text after the prompt, the number of its tokens, and how it ended."""
        lib, model = self._model.lib, self._model
        chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        n_vocab = lib.llama_vocab_n_tokens(model.vocab)
        penalties = lib.llama_sampler_init_penalties(
            n_vocab, _REPEAT_LAST, _REPEAT_PENALTY, 0.0, 0.0
        )
        lib.llama_sampler_chain_add(chain, penalties)
        lib.llama_sampler_chain_add(chain, lib.llama_sampler_init_greedy())
        batch = lib.llama_batch_init(1, 0, 1)
        shown = TextStream()
        parts: list[str] = []
        written: list[int] = []
        ended = "long"
        try:
            while len(written) < max_tokens:
                cancel.check()
                token = int(lib.llama_sampler_sample(chain, self._context, -1))
                if model.ends_turn(token):
                    ended = "finished"
                    break
                written.append(token)
                parts.append(shown.feed(model.get_piece(token)))
                if len(written) % _LOOK_FOR_LOOPS_EVERY == 0 and is_looping(written):
                    ended = "loop"
                    break
                batch.token[0], batch.pos[0], batch.logits[0] = token, at, True
                batch.n_seq_id[0], batch.seq_id[0][0], batch.n_tokens = 1, 0, 1
                if code := lib.llama_decode(self._context, batch):
                    raise self._fail(code)
                report_call()
                at += 1
        finally:
            lib.llama_batch_free(batch)
            lib.llama_sampler_free(chain)
        parts.append(shown.finish())
        return "".join(parts), len(written), ended

    def _fail(self, code: int) -> EnvironmentProblem:
        return EnvironmentProblem(
            "The model {model} stopped working (llama.cpp's code {code}).",
            "Try again; if it happens often, use another model.",
            model=self.name,
            code=code,
        )

    def close(self) -> None:
        """Free the model; nothing may run any more."""
        if self._reader:
            self._mtmd.mtmd_free(self._reader)
            self._reader = None
        if self._context:
            self._model.lib.llama_free(self._context)
            self._context = None
        self._model.close()
