"""An `Embedder` and a `Reranker` on a server: OpenAI's /embeddings, and /rerank of others.

Owns the batches, the cutting of texts that the server refuses as too long, and the checks of what
it returns. /rerank is not part of OpenAI's API; llama-server, vLLM and Jina's servers have it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...messages import Message
from ...progress import CancelToken
from ..embedding import find_prefixes
from .client import ServerClient
from .contract import BadServerAnswer, TooLongForServer, name_remote

TEXTS_AT_ONCE = 32  # of one request: a window has about 90 tokens
_LONGEST = 8000  # characters; no embedding model in use reads more than 8,192 tokens
_MOST_CUTS = 6  # from 8,000 to 125 characters
_MOST_DIM = 16_384
_NEAR = ("The clerk copied letters in a cold little room.", "In a chilly office he wrote letters.")
_FAR = "The ship sails to the harbour at high tide with a hold full of oranges."
_QUESTION = "Where did the clerk write letters?"


class RemoteEmbedder:
    """An `Embedder` on a server.

    Args:
        model: what the server calls it; by this name the texts get the model's prefixes.
        dim: of its vectors, as `find_dim` found it.
    """

    is_remote = True

    def __init__(self, client: ServerClient, model: str, dim: int) -> None:
        self.client, self._model, self.dim = client, model, dim
        self.name = name_remote(model, client.address)
        self._prefixes = find_prefixes(model)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        """See `Embedder.embed_passages`; several requests run side by side.

        Raises:
            ServerGone, ServerRefused, BadServerAnswer: see `client`.
        """
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        if not texts:
            return rows
        starts = range(0, len(texts), TEXTS_AT_ONCE)
        prefix = self._prefixes.passage
        parts = [[prefix + t for t in texts[s : s + TEXTS_AT_ONCE]] for s in starts]

        async def embed_all() -> list[np.ndarray]:
            tasks = [asyncio.ensure_future(self._embed(part)) for part in parts]
            try:
                return await asyncio.gather(*tasks)
            finally:
                for task in tasks:  # those that still run after one has failed
                    task.cancel()

        for start, found in zip(starts, self.client.run(embed_all), strict=True):
            rows[start : start + len(found)] = found
        return rows

    def embed_query(self, text: str) -> np.ndarray:
        rows = self.client.run(lambda: self._embed([self._prefixes.query + text]))
        vector: np.ndarray = rows[0]
        return vector

    def close(self) -> None:
        """Leave the connections to their owner."""

    async def _embed(self, texts: list[str], longest: int = _LONGEST) -> np.ndarray:
        """Return unit vectors; a text that is too long for the server is halved until it fits."""
        cut = [text[:longest] or " " for text in texts]
        body = {"model": self._model, "input": cut, "encoding_format": "float"}
        try:
            answer = await self.client.request("/embeddings", body)
        except TooLongForServer:
            if len(texts) > 1:
                return np.concatenate([await self._embed([text], longest) for text in texts])
            shorter = min(longest, len(cut[0])) // 2
            if shorter < _LONGEST >> _MOST_CUTS:
                raise
            return await self._embed(texts, shorter)
        return read_vectors(answer, len(texts), self.dim, self.client.address.site)


def read_vectors(answer: dict[str, Any], n: int, dim: int, site: str) -> np.ndarray:
    """Return the vectors of an answer with unit length, float32, shape (n, dim).

    Args:
        dim: 0 for any.

    Raises:
        BadServerAnswer: others than these were returned.
    """
    data = answer.get("data")
    if not isinstance(data, list) or len(data) != n:
        raise _unusable(site, Message("it does not have one vector for each text"))
    rows: list[Any] = [None] * n
    for place, one in enumerate(data):
        index = one.get("index", place) if isinstance(one, dict) else None
        if not isinstance(index, int) or not 0 <= index < n or rows[index] is not None:
            raise _unusable(site, Message("it does not have one vector for each text"))
        rows[index] = one.get("embedding")
    try:
        found = np.array(rows, dtype=np.float32)
    except (ValueError, TypeError):
        raise _unusable(site, Message("its vectors are no numbers")) from None
    if found.ndim != 2 or not 0 < found.shape[1] <= _MOST_DIM or (dim and found.shape[1] != dim):
        raise _unusable(site, Message("its vectors have another length than before"))
    norms = np.linalg.norm(found, axis=1, keepdims=True)
    if not np.isfinite(found).all() or not (norms > 0).all():
        raise _unusable(site, Message("its vectors are no numbers"))
    return np.asarray(found / norms, dtype=np.float32)


def find_dim(client: ServerClient, model: str, cancel: CancelToken | None = None) -> int:
    """Return the length of a model's vectors, by embedding three sentences of the program.

    Raises:
        BadServerAnswer: it has no vectors, or those of similar texts are as far apart as others.
    """
    site = client.address.site
    body = {"model": model, "input": [*_NEAR, _FAR], "encoding_format": "float"}
    rows = read_vectors(client.post("/embeddings", body, cancel), 3, 0, site)
    if float(rows[0] @ rows[1]) <= float(rows[0] @ rows[2]):
        raise _unusable(site, Message("similar texts are as far apart as others"))
    return int(rows.shape[1])


class RemoteReranker:
    """A `Reranker` on a server.

    Args:
        has_logits: whether its scores are log-odds, as `find_has_logits` found.
    """

    def __init__(self, client: ServerClient, model: str, has_logits: bool) -> None:
        self.client, self._model, self._has_logits = client, model, has_logits
        self.name = name_remote(model, client.address)

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.score`.

        Raises:
            ServerGone, ServerRefused, BadServerAnswer: see `client`.
        """
        if not texts:
            return []
        scores = _rerank(self.client, self._model, question, texts)
        if self._has_logits:
            return [1.0 / (1.0 + math.exp(min(50.0, max(-50.0, -score)))) for score in scores]
        if any(not 0.0 <= score <= 1.0 for score in scores):
            raise _unusable(self.client.address.site, Message("its scores are not from 0 to 1"))
        return scores

    def close(self) -> None:
        """Leave the connections to their owner."""


def _rerank(
    client: ServerClient,
    model: str,
    question: str,
    texts: Sequence[str],
    cancel: CancelToken | None = None,
    longest: int = _LONGEST,
) -> list[float]:
    """Return the scores of texts; one that is too long for the server is halved until it fits.

    One long passage must not cost all others their ranking: llama-server reads 512 tokens unless
    its `--ubatch-size` is raised, and refuses the whole request.
    """
    cut = [text[:longest] or " " for text in texts]
    body = {"model": model, "query": question, "documents": cut, "top_n": len(cut)}
    try:
        answer = client.post("/rerank", body, cancel)
    except TooLongForServer:
        if len(texts) > 1:
            return [
                score
                for text in texts
                for score in _rerank(client, model, question, [text], cancel, longest)
            ]
        shorter = min(longest, len(cut[0])) // 2
        if shorter < _LONGEST >> _MOST_CUTS:
            raise
        return _rerank(client, model, question, texts, cancel, shorter)
    return _read_scores(answer, len(cut), client.address.site)


def _read_scores(answer: dict[str, Any], n: int, site: str) -> list[float]:
    """Return the scores of an answer in the order of the texts.

    Raises:
        BadServerAnswer: it does not have one for each text.
    """
    results = answer.get("results")
    scores: list[float | None] = [None] * n
    for one in results if isinstance(results, list) else []:
        index = one.get("index") if isinstance(one, dict) else None
        score = one.get("relevance_score") if isinstance(one, dict) else None
        if not isinstance(index, int) or not 0 <= index < n:
            continue
        if isinstance(score, (int, float)) and math.isfinite(score):
            scores[index] = float(score)
    found = [score for score in scores if score is not None]
    if len(found) != n:
        raise _unusable(site, Message("it does not have one score for each text"))
    return found


def find_has_logits(client: ServerClient, model: str, cancel: CancelToken | None = None) -> bool:
    """Return whether a server's scores are log-odds instead of 0 to 1, by three sentences.

    Raises:
        BadServerAnswer: it does not rank the answers to a question first.
    """
    *near, far = _rerank(client, model, _QUESTION, [*_NEAR, _FAR], cancel)
    if min(near) <= far:
        raise _unusable(
            client.address.site, Message("it does not rank the answers to a question first")
        )
    return any(not 0.0 <= score <= 1.0 for score in (*near, far))


def _unusable(site: str, why: Message) -> BadServerAnswer:
    return BadServerAnswer(
        "The answer of {site} can't be used: {why}.",
        "Choose another model of the server.",
        site=site,
        why=why,
    )
