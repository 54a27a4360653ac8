"""How one GGUF model wants to be spoken to: its template, its marks, and the tokens of a prompt.

Knows the model's vocabulary, but neither contexts nor what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..types import ChatMessage
from .chat_prompt import CHATML, PLAIN, ChatTemplate
from .llama_native import LlamaModel


class LlamaPrompt:
    """Turns messages into a prompt, and a prompt into tokens."""

    def __init__(self, model: LlamaModel) -> None:
        """Compile the template that the file carries, or one that suits its vocabulary.

        Raises:
            UserError: the template is not valid.
        """
        self._model = model
        self._bos = self._get_mark("bos")
        source = model.header.fields.get("tokenizer.chat_template")
        if not source:
            ends = model.tokenize("<|im_end|>", add_special=False, parse_special=True)
            source = CHATML if len(ends) == 1 else PLAIN
        self._template = ChatTemplate(source, bos=self._bos, eos=self._get_mark("eos"))

    def render(self, messages: Sequence[ChatMessage]) -> str:
        """Return the prompt, ending where the assistant begins.

        Raises:
            UserError: the template refuses these messages.
        """
        return self._template.render(messages)

    def tokenize(self, text: str, is_start: bool = True) -> list[int]:
        """Return the tokens of a prompt or a part of one, control marks read as such."""
        # The tokenizer adds its start mark, unless the template did.
        add_special = is_start and not (self._bos and text.startswith(self._bos))
        return self._model.tokenize(text, add_special=add_special, parse_special=True)

    def _get_mark(self, kind: str) -> str:
        token = getattr(self._model.lib, f"llama_vocab_{kind}")(self._model.vocab)
        if token < 0:
            return ""
        return self._model.get_piece(token, special=True).decode("utf-8", "replace")
