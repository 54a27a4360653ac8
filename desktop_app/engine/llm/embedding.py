"""Makes vectors with a GGUF embedding model, or with a sentence-transformers folder.

Owns the contexts (one a core), the cutting of long texts and the packing of several texts into
one call. Knows nothing of libraries or windows.
"""

from __future__ import annotations

import queue
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..crash_log import note_step
from ..errors import EnvironmentProblem, UserError
from ..offline import forbid_downloads
from .llama_library import LlamaModel, default_threads, report_call
from .model_folders import is_model_folder


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model expects before a question and before a passage, as it was trained with them."""

    query: str = ""
    passage: str = ""


# By a word of the model's name: the first that fits, so "e5-mistral" stands before "e5".
_BY_WORD: tuple[tuple[str, Prefixes], ...] = (
    ("e5-mistral", Prefixes("Instruct: Retrieve passages that answer the query\nQuery: ", "")),
    ("e5", Prefixes("query: ", "passage: ")),
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
    ("embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    (
        "qwen3-embedding",
        Prefixes(
            "Instruct: Given a web search query, retrieve relevant passages that answer the "
            "query\nQuery:",
            "",
        ),
    ),
    ("mxbai-embed", Prefixes("Represent this sentence for searching relevant passages: ", "")),
    ("snowflake-arctic", Prefixes("query: ", "")),
    ("bge-m3", Prefixes()),
    ("bge", Prefixes("Represent this sentence for searching relevant passages: ", "")),
)


def find_prefixes(*names: str) -> Prefixes:
    """Return the prefixes for a model known under any of these names (title, file, folder)."""
    low = " ".join(names).lower().replace("_", "-").replace(" ", "-")
    return next((prefixes for word, prefixes in _BY_WORD if word in low), Prefixes())


# Measured with e5 and windows of 80 and 100 tokens: 64, 128, 192 and 256 tokens a call are equally
# fast within 6 %, and beat full calls, since attention runs over the whole call. Fewer need less
# memory: llama.cpp keeps room for the score of each word of the vocabulary (250,000) for each token
# of the longest call, 1 MB a token and context. Flash attention nearly doubles the speed. Several
# contexts of one thread each beat one context of several threads, whose barriers spin: when
# something else wants the processor, two threads fell to a quarter of the speed of one.
PACK_TOKENS = 128
PACK_TEXTS = 8  # in a call: the sequences that a context is made for
_LONGEST = 1024  # tokens of a text, also of a model that reads more; windows have about 100
_MEAN, _UNSPECIFIED = 1, -1  # llama.cpp: LLAMA_POOLING_TYPE_MEAN, …_UNSPECIFIED
_FLASH_ON = 1  # llama.cpp: LLAMA_FLASH_ATTN_TYPE_ENABLED


class _Slot:
    """One context and its batch; used by one thread at a time."""

    def __init__(self, model: LlamaModel, n_tokens: int) -> None:
        self._lib = model.lib
        self._width = model.width
        header = model.header
        own_pooling = header.fields.get(f"{header.architecture}.pooling_type", 0)
        params = self._lib.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = n_tokens
        params.n_seq_max = PACK_TEXTS
        params.kv_unified = True
        params.n_threads = params.n_threads_batch = 1
        params.embeddings = True
        params.pooling_type = _UNSPECIFIED if own_pooling else _MEAN
        params.flash_attn_type = _FLASH_ON
        self._context = self._lib.llama_init_from_model(model.handle, params)
        if not self._context:
            params.flash_attn_type = 0
            self._context = self._lib.llama_init_from_model(model.handle, params)
        if not self._context:
            raise EnvironmentProblem(
                "The embedding model {model} could not be started.",
                "Close other programs to free memory, or choose another model.",
                model=model.path.name,
            )
        self._batch = self._lib.llama_batch_init(n_tokens, 0, 1)
        self._memory = self._lib.llama_get_memory(self._context)

    def run(self, pack: list[list[int]]) -> np.ndarray:
        """Return one unit row a text, float32, shape (len(pack), D)."""
        self._fill(pack)
        if self._memory:
            self._lib.llama_memory_clear(self._memory, True)
            code = self._lib.llama_decode(self._context, self._batch)
        else:
            code = self._lib.llama_encode(self._context, self._batch)
        report_call()
        if code:
            raise EnvironmentProblem(
                "The embedding model failed (llama.cpp's code {code}).",
                "Close other programs to free memory, or choose another model.",
                code=code,
            )
        rows = np.zeros((len(pack), self._width), dtype=np.float32)
        for i in range(len(pack)):
            found = self._lib.llama_get_embeddings_seq(self._context, i)
            rows[i] = np.ctypeslib.as_array(found, shape=(self._width,))
        return _to_unit(rows)

    def free(self) -> None:
        self._lib.llama_batch_free(self._batch)
        self._lib.llama_free(self._context)

    def _fill(self, pack: list[list[int]]) -> None:
        batch = self._batch
        n = 0
        for i, tokens in enumerate(pack):
            for place, token in enumerate(tokens):
                batch.token[n] = token
                batch.pos[n] = place
                batch.n_seq_id[n] = 1
                batch.seq_id[n][0] = i
                batch.logits[n] = 1
                n += 1
        batch.n_tokens = n


def _to_unit(rows: np.ndarray) -> np.ndarray:
    """Return the rows with length 1; a zero row becomes the first unit vector."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    bad = ~np.isfinite(norms[:, 0]) | (norms[:, 0] == 0)
    rows[bad] = 0.0
    rows[bad, 0] = norms[bad] = 1.0
    units: np.ndarray = rows / norms
    return units


class GgufEmbedder:
    """An `Embedder` over a GGUF file. Rows have length 1; calls from several threads queue up."""

    is_remote = False

    def __init__(self, path: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model.

        Raises:
            UserError: the file is damaged.
            EnvironmentProblem: it can't be run here.
        """
        self._idle = threading.Condition()
        self._n_callers = 0
        self._model: LlamaModel | None = LlamaModel(path)
        self.name = name or path.stem
        self.dim = self._model.width
        self.n_tokens_max = min(self._model.n_ctx_train or _LONGEST, _LONGEST)
        self._prefixes = find_prefixes(self._model.header.title, path.name, self.name)
        self._slots: queue.Queue[_Slot] = queue.Queue()
        self._n_slots = 0
        try:
            for _ in range(n_threads or default_threads()):
                self._slots.put(_Slot(self._model, max(self.n_tokens_max, PACK_TOKENS)))
                self._n_slots += 1
        except EnvironmentProblem:
            self.close()
            raise

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has for this model, uncut and without its prefix."""
        with self._in_use() as model:
            return len(model.tokenize(text, add_special=False))

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        with self._in_use() as model:
            packs = list(self._iter_packs(model, texts))
            n_workers = min(self._n_slots, len(packs))
            if n_workers <= 1:
                for start, pack in packs:
                    rows[start : start + len(pack)] = self._run(pack)
                return rows
            with ThreadPoolExecutor(n_workers, "embed") as pool:
                done = pool.map(self._run, (pack for _, pack in packs))
                for (start, pack), part in zip(packs, done, strict=True):
                    rows[start : start + len(pack)] = part
        return rows

    def embed_query(self, text: str) -> np.ndarray:
        with self._in_use() as model:
            vector: np.ndarray = self._run([self._cut(model, self._prefixes.query + text)])[0]
            return vector

    def close(self) -> None:
        """Free the model once no call uses it any more."""
        with self._idle:
            model, self._model = self._model, None
            if model is None:
                return
            self._idle.wait_for(lambda: self._n_callers == 0)
            for _ in range(self._n_slots):
                self._slots.get().free()
            model.close()

    @contextmanager
    def _in_use(self) -> Iterator[LlamaModel]:
        """Give the model and keep it from being freed meanwhile."""
        with self._idle:
            model = self._model
            if model is None:
                raise EnvironmentProblem(
                    "The embedding model {model} was closed meanwhile.",
                    "Try again.",
                    model=self.name,
                )
            self._n_callers += 1
        note_step(f"making embeddings with {self.name}")
        try:
            yield model
        finally:
            with self._idle:
                self._n_callers -= 1
                self._idle.notify_all()

    def _iter_packs(
        self, model: LlamaModel, texts: Sequence[str]
    ) -> Iterator[tuple[int, list[list[int]]]]:
        """Yield tokens of texts that go into one call, with the place of the first."""
        pack: list[list[int]] = []
        n_packed = start = 0
        for at, text in enumerate(texts):
            tokens = self._cut(model, self._prefixes.passage + text)
            if pack and (n_packed + len(tokens) > PACK_TOKENS or len(pack) == PACK_TEXTS):
                yield start, pack
                pack, n_packed, start = [], 0, at
            pack.append(tokens)
            n_packed += len(tokens)
        if pack:
            yield start, pack

    def _cut(self, model: LlamaModel, text: str) -> list[int]:
        """Return the tokens of a text, never more than the model reads: it would abort."""
        limit = self.n_tokens_max
        # A token rarely spans more than 16 characters, so this spares the rest of a whole book.
        text = unicodedata.normalize("NFC", text[: limit * 16])
        tokens = model.tokenize(text, add_special=True)
        if not tokens:
            tokens = model.tokenize(".", add_special=True) or [0]
        if len(tokens) > limit:
            tokens = [*tokens[: limit - 1], tokens[-1]]  # the last one is the end mark
        return tokens

    def _run(self, pack: list[list[int]]) -> np.ndarray:
        slot = self._slots.get()
        try:
            return slot.run(pack)
        finally:
            self._slots.put(slot)


_BATCH = 16  # texts in a call of sentence-transformers, after which another thread has its turn


def load_with_torch(kind: str, folder: Path, n_threads: int) -> Any:
    """Return a model of a folder, loaded by sentence-transformers without asking any network.

    PyTorch is imported here, on first use only.

    Args:
        kind: a class of sentence-transformers.
    """
    try:
        forbid_downloads()
        import sentence_transformers
        import torch
        from transformers.utils.logging import disable_progress_bar
    except ImportError as error:
        raise EnvironmentProblem(
            "PyTorch and sentence-transformers are not installed, which this model needs.",
            "Install them, or use a GGUF reranker."
            if kind == "CrossEncoder"
            else "Install them, or use a GGUF embedding model.",
        ) from error
    hide_progress: Callable[[], None] = disable_progress_bar
    hide_progress()  # it would write to the terminal
    if n_threads:
        torch.set_num_threads(n_threads)
    try:
        return getattr(sentence_transformers, kind)(
            str(folder), device="cpu", local_files_only=True
        )
    except MemoryError as error:
        raise EnvironmentProblem(
            "There is not enough memory for {model}.", "Close other programs.", model=folder.name
        ) from error
    except Exception as error:  # safetensors' own error has no public base
        known = (OSError, ValueError, RuntimeError, KeyError, TypeError)
        if not isinstance(error, known) and type(error).__name__ != "SafetensorError":
            raise
        raise UserError(
            "The model in {name} can't be loaded: {reason}",
            "Get it again.",
            name=folder.name,
            reason=error,
        ) from error


class SentenceTransformerEmbedder:
    """An `Embedder` over a folder. Rows have length 1; calls from several threads queue up."""

    is_remote = False

    def __init__(self, folder: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model.

        Raises:
            UserError: the folder is not a model, or its files are damaged.
            EnvironmentProblem: not enough memory, or PyTorch is missing.
        """
        if not is_model_folder(folder):
            raise UserError(
                "{name} is not a sentence-transformers folder.",
                "It needs modules.json and model.safetensors.",
                name=folder.name,
            )
        self._lock = threading.Lock()
        self.name = name or folder.name
        self._prefixes = find_prefixes(self.name, folder.name)
        self._model: Any = load_with_torch("SentenceTransformer", folder, n_threads)
        self.dim = int(self._embed([""]).shape[1])

    def count_tokens(self, text: str) -> int:
        """Return how many tokens a text has for this model, uncut."""
        with self._lock:
            return len(self._get_model().tokenizer.tokenize(text))

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.concatenate(
            [
                self._embed([self._prefixes.passage + text for text in texts[i : i + _BATCH]])
                for i in range(0, len(texts), _BATCH)
            ]
        )

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self._embed([self._prefixes.query + text])[0]
        return vector

    def close(self) -> None:
        with self._lock:
            self._model = None

    def _get_model(self) -> Any:
        if self._model is None:
            raise EnvironmentProblem(
                "The model {model} was closed meanwhile.", "Try again.", model=self.name
            )
        return self._model

    def _embed(self, texts: list[str]) -> np.ndarray:
        with self._lock:
            rows = self._get_model().encode(
                texts,
                batch_size=_BATCH,
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        report_call()
        return np.asarray(rows, dtype=np.float32)


def load_embedder(
    path: Path, *, n_threads: int = 0, name: str = ""
) -> GgufEmbedder | SentenceTransformerEmbedder:
    """Return the model at `path`, ready to use.

    Args:
        n_threads: 0 for what suits this machine.
        name: how libraries remember it; the file's own name if empty.

    Raises:
        UserError: there is no embedding model at `path`, or it is damaged.
        EnvironmentProblem: it can't be run here.
    """
    if path.is_dir():
        return SentenceTransformerEmbedder(path, n_threads=n_threads, name=name)
    if path.is_file():
        return GgufEmbedder(path, n_threads=n_threads, name=name)
    raise UserError("There is no model at {path}.", "Choose another one in Models.", path=path)
