"""Turns messages into the text that a chat model was trained on.

Owns the rendering of the template a GGUF file carries, and what to do when it has none. Text of
documents can't pose as the frame: its control marks are broken up first.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from ..errors import UserError
from ..model import ChatMessage
from .llama_library import LlamaModel

_MARK = re.compile(r"<(?=\|[^<>|\s]{1,40}\|>)|<(?=/?(?:s|start_of_turn|end_of_turn|bos|eos)>)")

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
PLAIN = (
    "{% for m in messages %}{{ m.role|capitalize }}: {{ m.content }}\n\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


class ChatTemplate:
    """A compiled template, run in Jinja's sandbox: model files come from anywhere."""

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        """Compile a template.

        Raises:
            UserError: it is not valid.
        """
        import jinja2
        from jinja2.ext import loopcontrols
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        self._errors = (jinja2.TemplateError, TypeError, ValueError, KeyError)
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
        )
        environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
        environment.globals["raise_exception"] = _raise
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateError as error:
            raise UserError(
                "The model's chat template is not valid: {reason}",
                "Choose another model.",
                reason=error,
            ) from error
        self._bos, self._eos = bos, eos

    def render(self, messages: Sequence[ChatMessage]) -> str:
        """Return the prompt, ending where the assistant begins; thinking is turned off.

        Raises:
            UserError: the template refuses these messages, even without a system message.
        """
        turns = [{"role": m.role, "content": break_marks(m.text)} for m in messages]
        try:
            return self._render(turns)
        except self._errors:
            # Some templates (Gemma) know no system role.
            try:
                return self._render(_fold_system(turns))
            except self._errors as error:
                raise UserError(
                    "The model's chat template refuses the conversation: {reason}",
                    "Choose another model, or begin a new chat.",
                    reason=error,
                ) from error

    def _render(self, turns: list[dict[str, str]]) -> str:
        return self._template.render(
            messages=turns,
            add_generation_prompt=True,
            enable_thinking=False,
            bos_token=self._bos,
            eos_token=self._eos,
            tools=None,
            documents=None,
        )


def break_marks(text: str) -> str:
    """Return the text with control marks such as <|im_end|> made plain words."""
    return _MARK.sub("< ", text)


def _fold_system(turns: list[dict[str, str]]) -> list[dict[str, str]]:
    head = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system")
    rest = [dict(turn) for turn in turns if turn["role"] != "system"]
    if head and rest:
        rest[0]["content"] = f"{head}\n\n{rest[0]['content']}"
    return rest or [{"role": "user", "content": head}]


def _raise(message: str) -> None:
    raise ValueError(message)


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
