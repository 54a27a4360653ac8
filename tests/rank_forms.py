"""What servers publish about /rerank: which requests they take, and how they answer.

Each class answers as its server does, refusals included, so that a request with a field missing or
a text that is too long fails here as it fails there. Sources: `tools/server` of llama.cpp and its
tests of it; vLLM's `entrypoints/pooling/scoring`; Jina's API reference; `router/src/http` of
Text Embeddings Inference (TEI).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

Answer = tuple[int, object]
_LONG_WORD = re.compile(r"[a-z]{5,}")


@dataclass
class RankForm:
    """What all servers have: the scores, by words that a text shares with the question.

    Attributes:
        max_tokens: of a question with one text; here a word is a token.
        paths: those that it serves.
        has_shares: whether scores are from 0 to 1; otherwise they are log-odds.
    """

    max_tokens: int = 100_000
    paths: ClassVar[tuple[str, ...]] = ("/v1/rerank",)
    has_shares: ClassVar[bool] = True

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        """Return status and JSON for a request."""
        raise NotImplementedError

    def find_too_long(self, question: str, texts: list[str]) -> int:
        """Return the tokens of the longest text with the question if they are too many, else 0."""
        n = len(question.split()) + max(len(text.split()) for text in texts)
        return n if n > self.max_tokens else 0

    def rank(self, body: dict[str, Any], texts: list[str], label: str) -> list[dict[str, Any]]:
        """Return the ranks of texts, the best one first."""
        words = set(_LONG_WORD.findall(body["query"].casefold()))
        found = [set(_LONG_WORD.findall(text.casefold())) for text in texts]
        scores = [len(words & own) - 0.5 for own in found]
        if self.has_shares:
            scores = [1.0 / (1.0 + math.exp(-score)) for score in scores]
        ranks = [{"index": i, label: score} for i, score in enumerate(scores)]
        return sorted(ranks, key=lambda one: -one[label])


@dataclass
class LlamaRanks(RankForm):
    """llama-server that was started with `--reranking`.

    Attributes:
        has_batches: refuses what is longer than `--ubatch-size`, as builds do that read a text
            with its question in one batch; later ones refuse what is longer than the context.
    """

    has_batches: bool = True
    has_shares: ClassVar[bool] = False
    paths: ClassVar[tuple[str, ...]] = ("/rerank", "/reranking", "/v1/rerank", "/v1/reranking")

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return self.refuse(404, "File Not Found", "not_found_error")
        if not isinstance(body.get("query"), str):
            what = "a string" if "query" in body else "provided"
            return self.refuse(400, f'"query" must be {what}', "invalid_request_error")
        is_tei = "texts" in body
        texts = body.get("documents", body.get("texts"))
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
            why = '"documents" must be a non-empty string array'
            return self.refuse(400, why, "invalid_request_error")
        if n := self.find_too_long(body["query"], texts):
            if self.has_batches:
                why = (
                    f"input ({n} tokens) is too large to process. increase the physical batch size"
                    f" (current batch size: {self.max_tokens})"
                )
                return self.refuse(500, why, "server_error")
            why = (
                f"request ({n} tokens) exceeds the available context size ({self.max_tokens}"
                " tokens), try increasing it"
            )
            return self.refuse(400, why, "exceed_context_size_error")
        label = "score" if is_tei else "relevance_score"
        ranks = self.rank(body, texts, label)[: body.get("top_n", len(texts))]
        if is_tei:
            return 200, ranks
        usage = {"prompt_tokens": 74, "total_tokens": 74}
        model = body.get("model", "gpt-3.5-turbo")
        return 200, {"model": model, "object": "list", "usage": usage, "results": ranks}

    def refuse(self, status: int, why: str, kind: str) -> Answer:
        return status, {"error": {"code": status, "message": why, "type": kind}}


@dataclass
class VllmRanks(RankForm):
    """vLLM that serves a cross-encoder; Jina's and Cohere's paths, scores from 0 to 1."""

    model: str = "bge"
    paths: ClassVar[tuple[str, ...]] = ("/rerank", "/v1/rerank", "/v2/rerank")

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return 404, {"detail": "Not Found"}
        for name, kind in (("query", str), ("documents", list)):
            if not isinstance(body.get(name), kind):
                return self.refuse(400, f"{name}: Field required", "BadRequestError")
        if body.get("model", self.model) != self.model:
            why = f"The model `{body['model']}` does not exist."
            return self.refuse(404, why, "NotFoundError")
        texts = body["documents"]
        if n := self.find_too_long(body["query"], texts):
            why = (
                f"This model's maximum context length is {self.max_tokens} tokens. However, you"
                f" requested {n} tokens in the input for score generation. Please reduce the"
                " length of the input."
            )
            return self.refuse(400, why, "BadRequestError")
        ranks = self.rank(body, texts, "relevance_score")
        results = [
            {**one, "document": {"text": texts[one["index"]], "multi_modal": None}} for one in ranks
        ]
        n_top = body.get("top_n", 0)
        return 200, {
            "id": "rerank-9f6b0a1c",
            "model": self.model,
            "usage": {"prompt_tokens": 56, "total_tokens": 56},
            "results": results[: n_top if n_top > 0 else len(results)],
        }

    def refuse(self, status: int, why: str, kind: str) -> Answer:
        error = {"message": why, "type": kind, "param": None, "code": status}
        return status, {"error": error}


class JinaRanks(RankForm):
    """Jina's service: it needs a key, and cuts long texts itself."""

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return 404, {"detail": "Not Found"}
        if not headers.get("Authorization", "").startswith("Bearer "):
            return 401, {"detail": "Invalid API key"}
        if not {"model", "query", "documents"} <= body.keys():
            return 422, {"detail": "[body] Field required"}
        texts = body["documents"]
        results = self.rank(body, texts, "relevance_score")
        if body.get("return_documents", True):
            results = [{**one, "document": {"text": texts[one["index"]]}} for one in results]
        return 200, {
            "model": body["model"],
            "object": "list",
            "usage": {"total_tokens": 815},
            "results": results[: body.get("top_n", len(texts))],
        }


class TeiRanks(RankForm):
    """Text Embeddings Inference, which has another request and answers with a bare list."""

    paths: ClassVar[tuple[str, ...]] = ("/rerank",)

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return 404, ""
        if "query" not in body or "texts" not in body:
            why = "Failed to deserialize the JSON body into the target type: missing field `texts`"
            return 422, {"error": why, "error_type": "Validation"}
        return 200, self.rank(body, body["texts"], "score")


class CohereRanks(RankForm):
    """Cohere's service, by an address that ends in `/v2`."""

    paths: ClassVar[tuple[str, ...]] = ("/v2/rerank",)

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return 404, {"message": "not found"}
        if not headers.get("Authorization", "").startswith("Bearer "):
            return 401, {"message": "no api key supplied"}
        texts = body["documents"]
        results = self.rank(body, texts, "relevance_score")[: body.get("top_n", len(texts))]
        meta = {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}
        return 200, {"results": results, "id": "07734bd2", "meta": meta}


class InfinityRanks(RankForm):
    """infinity, which names the texts as null unless they are asked for."""

    paths: ClassVar[tuple[str, ...]] = ("/rerank", "/v1/rerank")

    def answer(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Answer:
        if path not in self.paths:
            return 404, {"detail": "Not Found"}
        ranks = self.rank(body, body["documents"], "relevance_score")
        results = [{**one, "document": None} for one in ranks][: body.get("top_n")]
        usage = {"prompt_tokens": 815, "total_tokens": 815}
        return 200, {
            "object": "rerank", "results": results, "model": body["model"], "usage": usage,
            "id": "infinity-6f1c", "created": 1,
        }  # fmt: skip
