"""The side of a chat model that works in batches: its context, made when first used.

Owns the memory that scripts share and what tells this model's answers from another's. Whoever
calls holds the model: one run at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..asks import PASSAGE, Choose, FindCall, Script, ScriptRun
from ..progress import CancelToken
from ..types import ChatMessage
from .llama_native import LlamaModel
from .llama_prompt import LlamaPrompt
from .script_prompts import ScriptPrompts
from .script_runner import ScriptRunner
from .strands import StrandContext

BATCH_CTX = 8192  # cells that the lines of a batch share


class LlamaBatches:
    """Runs scripts over a loaded model."""

    def __init__(self, model: LlamaModel, prompt: LlamaPrompt, name: str, n_ctx: int) -> None:
        self._model, self._prompt = model, prompt
        self._name, self._n_ctx = name, n_ctx
        self._context: StrandContext | None = None
        self._runner: ScriptRunner | None = None

    def run(
        self,
        scripts: Iterable[Script],
        find_call: FindCall | None,
        cancel: CancelToken,
        n_threads: int,
    ) -> Iterator[ScriptRun]:
        """See `ChatModel.run_scripts`."""
        if self._context is None or self._runner is None:
            n_cells = min(BATCH_CTX, max(self._model.n_ctx_train, self._n_ctx))
            self._context = StrandContext(self._model, n_cells, n_threads)
            prompts = ScriptPrompts(self._model, self._prompt.render, self._prompt.tokenize)
            # Files of one name and size hold the same weights, wherever they lie.
            fingerprint = f"{self._name}:{self._model.path.stat().st_size}"
            self._runner = ScriptRunner(self._model, self._context, fingerprint, prompts)
        self._context.set_threads(n_threads)
        return self._runner.run(scripts, find_call, cancel)

    def free(self) -> None:
        self._runner = None
        if self._context is not None:
            self._context.free()
            self._context = None


def build_choice(
    messages: Sequence[ChatMessage], lines: Sequence[str], options: Sequence[str]
) -> Script:
    """Return the script of one question; its value is the list of choices."""
    # What differs from question to question is most often the end of the last message.
    *before, last = messages
    asked = (*before, ChatMessage(last.role, PASSAGE))

    def talk() -> Any:
        return (yield Choose(tuple(lines), tuple(options)))

    return Script("choose", asked, last.text, talk)
