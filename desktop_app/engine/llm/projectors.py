"""Pairs projectors with the chat models that they belong to.

A chat model that describes pictures comes as two GGUF files: the model, and its projector, which
turns a picture into vectors of the model's width. Reads the heads of the files only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UserError
from ..messages import NO_MESSAGE, Message
from .gguf_header import GgufHeader, load_header

# The architectures of the chat models of a kind of projector, where llama.cpp has one of their own:
# a text model of the same width would take the vectors and write nonsense.
_ARCHITECTURES = {
    "qwen2vl_merger": ("qwen2vl",),
    "qwen2.5vl_merger": ("qwen2vl",),
    "qwen3vl_merger": ("qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"),
    "gemma3": ("gemma3",),
    "gemma3nv": ("gemma3n",),
    "gemma4v": ("gemma4",),
    "llama4": ("llama4",),
    "cogvlm": ("cogvlm",),
}
_FOR_PICTURES = frozenset(name for names in _ARCHITECTURES.values() for name in names) - {
    "gemma3",  # the smallest one reads text only
    "qwen35",
    "qwen35moe",
}
# Words in the names of chat models that are made to read pictures.
_PICTURE_NAMES = re.compile(
    r"(?:^|[-_. ])(?:vl|vlm|vision|smolvlm2?|llava|minicpm-?v|internvl\d?|pixtral|moondream2?)"
    r"(?=$|[-_. \d])",
    re.I,
)
_WORD = re.compile(r"[a-z0-9.]+")
# What says nothing about the model in a file's name: its kind, its precision, its training.
_COMMON = re.compile(
    r"mmproj|model|projector|instruct|chat|it|gguf|clip|vision|the|v?\d|i?q\d.*|b?f16|f32|fp16|"
    r"k|m|s|l|xl|\d"
)


@dataclass(frozen=True, slots=True)
class ModelPair:
    """A projector and its chat model, or why there is none.

    Attributes:
        chat: the chat model's file, None if it is not here.
        lack: what is missing and what to do; empty if nothing is.
    """

    chat: Path | None = None
    lack: Message = NO_MESSAGE


def is_for_pictures(header: GgufHeader, name: str) -> bool:
    """Return whether a chat model is made to read pictures, by its kind or its names."""
    names = (name, header.title)
    return header.architecture in _FOR_PICTURES or any(map(_PICTURE_NAMES.search, names))


def get_width(projector: GgufHeader) -> int:
    """Return the width that a projector says it makes vectors of, 0 if it says none."""
    return int(projector.fields.get("clip.vision.projection_dim", 0))


def fits(projector: GgufHeader, chat: GgufHeader) -> bool:
    """Return whether a chat model can read the vectors of a projector, by width and kind."""
    kind = projector.fields.get("clip.projector_type") or projector.fields.get(
        "clip.vision.projector_type", ""
    )
    wanted = _ARCHITECTURES.get(str(kind))
    if wanted is not None and chat.architecture not in wanted:
        return False
    # Old files give another width than they make: their last tensors have the true one.
    return chat.n_embd > 0 and chat.n_embd in {get_width(projector), *projector.connector_sizes}


def find_pair(projector: Path, chats: Sequence[Path]) -> ModelPair:
    """Return the chat model that a projector belongs to, or what is missing.

    Width and kind must fit. Of several models, the one with the most words of the projector's names
    is taken, then the one in the same folder, then the first of `chats`; a model whose names have
    nothing in common with the projector's is taken only if the projector has no name of its own.

    Raises:
        UserError: the projector is damaged.
    """
    header = load_header(projector)
    if not header.fields.get("clip.has_vision_encoder", False):
        return ModelPair(lack=Message("It reads sounds, not pictures. Nothing here uses it."))
    own = _find_words(projector, header)
    fitting: list[tuple[int, bool, Path]] = []
    for path in chats:
        try:
            chat = load_header(path)
        except UserError:
            continue
        if fits(header, chat):
            n_common = len(own & _find_words(path, chat))
            fitting.append((n_common, path.parent == projector.parent, path))
    best = max(fitting, key=lambda found: found[:2], default=None)
    if best is None:
        return ModelPair(
            lack=Message(
                "Its chat model is missing: add the GGUF file of the model that this projector "
                "came with (its vectors have {n:,} numbers).",
                n=get_width(header),
            )
        )
    if own and not best[0]:
        return ModelPair(
            lack=Message(
                "Its chat model is missing. “{model}” would fit by its size, but has another name: "
                "if they belong together, call the projector mmproj-{model}.gguf.",
                model=best[2].stem,
            )
        )
    return ModelPair(best[2])


def _find_words(path: Path, header: GgufHeader) -> frozenset[str]:
    """Return the words that name a model, in its file's name and in the file."""
    names = (path.stem, header.title, str(header.fields.get("general.basename", "")))
    words = _WORD.findall(" ".join(names).lower())
    return frozenset(word.strip(".") for word in words if not _COMMON.fullmatch(word)) - {""}
