"""Scores passages for a question: with a GGUF reranker, a chat model or a cross-encoder folder.

Owns how a pair of texts becomes tokens. Knows nothing of libraries.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path

from ..errors import EnvironmentProblem, UserError
from ..model import ChatMessage
from ..writing_systems import count_han
from .embedding import load_with_torch
from .llama_library import LlamaModel, default_threads, report_call
from .model_folders import CHAT_RERANKER, is_cross_encoder_folder
from .protocols import ChatModel

_LONGEST = 512
_QUESTION_SHARE = 0.5  # of the tokens, at most
_RANK = 4  # llama.cpp's pooling that gives a score instead of a vector
_SENTENCEPIECE = "t5"  # vocabularies as XLM-RoBERTa's, which part two texts by two end marks


class GgufReranker:
    """A `Reranker` over a GGUF file; calls from several threads queue up."""

    def __init__(self, path: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model.

        Raises:
            UserError: the file is damaged.
            EnvironmentProblem: it can't be run here.
        """
        self.name = name or path.stem
        self._lock = threading.Lock()
        self._model: LlamaModel | None = LlamaModel(path)
        lib = self._lib = self._model.lib
        self._n_tokens = min(self._model.n_ctx_train or _LONGEST, _LONGEST)
        params = lib.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = self._n_tokens
        params.n_threads = params.n_threads_batch = n_threads or default_threads()
        params.embeddings = True
        params.pooling_type = _RANK
        self._context = lib.llama_init_from_model(self._model.handle, params)
        if not self._context:
            self._model.close()
            raise EnvironmentProblem(
                "The reranker {name} could not be started.",
                "Close other programs to free memory, or choose another model.",
                name=path.name,
            )
        self._batch = lib.llama_batch_init(self._n_tokens, 0, 1)
        self._memory = lib.llama_get_memory(self._context)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        with self._lock:
            if self._model is None:
                raise EnvironmentProblem("The model {model} was closed meanwhile.", model=self.name)
            return [self._score(self._join(self._model, question, text)) for text in texts]

    def close(self) -> None:
        with self._lock:
            model, self._model = self._model, None
            if model is not None:
                self._lib.llama_batch_free(self._batch)
                self._lib.llama_free(self._context)
                model.close()

    def _join(self, model: LlamaModel, question: str, text: str) -> list[int]:
        """Return the tokens of both texts with the marks the model was taught with."""
        end_mark = model.tokenize("", add_special=True)[-1:]
        asked = model.tokenize(question, add_special=True)
        most = int(_QUESTION_SHARE * self._n_tokens)
        if len(asked) > most:
            asked = [*asked[: most - 1], *end_mark]
        if model.header.fields.get("tokenizer.ggml.model") == _SENTENCEPIECE:
            asked = [*asked, *end_mark]
        tokens = model.tokenize(text[: self._n_tokens * 16], add_special=False)
        room = self._n_tokens - len(asked) - len(end_mark)
        return [*asked, *tokens[:room], *end_mark]

    def _score(self, tokens: list[int]) -> float:
        lib, batch = self._lib, self._batch
        for place, token in enumerate(tokens):
            batch.token[place] = token
            batch.pos[place] = place
            batch.n_seq_id[place] = 1
            batch.seq_id[place][0] = 0
            batch.logits[place] = 1
        batch.n_tokens = len(tokens)
        if self._memory:
            lib.llama_memory_clear(self._memory, True)
            code = lib.llama_decode(self._context, batch)
        else:
            code = lib.llama_encode(self._context, batch)
        report_call()
        found = lib.llama_get_embeddings_seq(self._context, 0) if not code else None
        if not found:
            raise EnvironmentProblem(
                "The reranker {model} failed (llama.cpp's code {code}).",
                "Close other programs to free memory, or choose another model.",
                model=self.name,
                code=code,
            )
        return 1.0 / (1.0 + math.exp(-min(50.0, max(-50.0, float(found[0])))))


_ASK = (
    "Does the passage help to answer the question? Answer yes or no.\n\n"
    "Passage: {text}\n\nQuestion: {question}"
)
_ASK_ZH = "这段文字有助于回答问题吗？请答“是”或“否”。\n\n文字：{text}\n\n问题：{question}"
_LONGEST_PASSAGE = 1600  # characters of a passage


class ChatReranker:
    """A `Reranker` over a chat model that is loaded anyway."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.name = CHAT_RERANKER

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [self._score(question, text[:_LONGEST_PASSAGE]) for text in texts]

    def _score(self, question: str, text: str) -> float:
        is_chinese = count_han(question) > 0
        ask = (_ASK_ZH if is_chinese else _ASK).format(text=text, question=question)
        options = ("是", "否") if is_chinese else ("Yes", "No")
        choice = self._model.choose([ChatMessage("user", ask)], [""], options)[0]
        yes, no = choice.logprobs
        return 1.0 / (1.0 + math.exp(min(50.0, max(-50.0, no - yes))))

    def close(self) -> None:
        """Leave the chat model to its owner."""


_RERANK_BATCH = 8


class CrossEncoderReranker:
    """A `Reranker` over a folder; calls from several threads queue up."""

    def __init__(self, folder: Path, *, n_threads: int = 0, name: str = "") -> None:
        """Load the model.

        Raises:
            UserError: the folder is no cross-encoder, or its files are damaged.
            EnvironmentProblem: not enough memory, or PyTorch is missing.
        """
        if not is_cross_encoder_folder(folder):
            raise UserError(
                "{name} is not a cross-encoder folder.",
                "Its config.json must name a model for sequence classification with one label.",
                name=folder.name,
            )
        self._lock = threading.Lock()
        self.name = name or folder.name
        self._model = load_with_torch("CrossEncoder", folder, n_threads)
        longest = self._model.max_seq_length or _LONGEST
        self._model.max_seq_length = min(longest, _LONGEST)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                raise EnvironmentProblem("The model {model} was closed meanwhile.", model=self.name)
            from torch.nn import Sigmoid

            scores: list[float] = []
            for start in range(0, len(texts), _RERANK_BATCH):
                part = self._model.predict(
                    [(question, text) for text in texts[start : start + _RERANK_BATCH]],
                    batch_size=_RERANK_BATCH,
                    activation_fn=Sigmoid(),
                    show_progress_bar=False,
                )
                scores += [float(score) for score in part]
                report_call()
        return scores

    def close(self) -> None:
        with self._lock:
            self._model = None
