"""Model calls as they are cached: one line of one question about one text is one call.

The key holds everything that the answer depends on: the model, the messages, the text, the line
and what was asked. Values are JSON, so that a cache is readable and outlives versions.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ..model import ChatMessage
from ..prompt_program import Ask, Choice, Choose, PromptProgram, Written


class CallKeys:
    """Gives the cache keys of one script's calls."""

    def __init__(self, model: str, script: PromptProgram) -> None:
        self._model, self._messages, self._text = model, script.messages, script.text
        self._begun: dict[tuple[ChatMessage, ...], hashlib._Hash] = {}  # by instruction

    def get(self, ask: Ask, line: str, text: str = "") -> str:
        """Return the key of one line; an empty `text` means the program's."""
        text = text or self._text
        if isinstance(ask, Choose):
            asked: list[Any] = ["choose", text, line, list(ask.options)]
        else:
            asked = ["write", text, line, ask.max_tokens, repr(ask.guard)]
        key = self._begin(ask.messages or self._messages).copy()
        key.update(_encode(asked))
        return key.hexdigest()

    def _begin(self, messages: tuple[ChatMessage, ...]) -> hashlib._Hash:
        if (begun := self._begun.get(messages)) is None:
            spoken = [[m.role, m.text] for m in messages]
            begun = self._begun[messages] = hashlib.sha256(_encode([self._model, spoken]))
        return begun


def dump_reply(reply: Choice | Written) -> str:
    if isinstance(reply, Choice):
        return json.dumps([round(p, 4) for p in reply.logprobs])
    kept = [reply.text, reply.n_tokens, reply.ended, round(reply.mean_logprob, 4)]
    return json.dumps(kept, ensure_ascii=False)


def load_reply(ask: Ask, value: str) -> Choice | Written | None:
    """Return a kept reply, None if it can't be read."""
    try:
        kept = json.loads(value)
        if isinstance(ask, Choose):
            logprobs = tuple(float(p) for p in kept)
            return Choice(logprobs) if len(logprobs) == len(ask.options) else None
        text, n_tokens, ended, mean = kept
        return Written(str(text), int(n_tokens), str(ended), float(mean))
    except (ValueError, TypeError):
        return None


def _encode(value: object) -> bytes:
    # Half a surrogate pair can come from a damaged PDF.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
