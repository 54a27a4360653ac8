"""How models are run on this machine, and where they lie; plain data with its words."""

from __future__ import annotations

from dataclasses import dataclass

from ..messages import Message
from ..settings import RESTART, option


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """0 lets the machine or the model decide (of layers: none on a graphics card)."""

    folder: str = option(
        "",
        Message("Where models lie"),
        Message(
            "Models are large: another disk may have more room. Those there now are not moved."
        ),
        kind="folder",
        zero=Message("Usual folder"),
        applies=RESTART,
    )
    n_threads: int = option(
        0,
        Message("Threads of the processor"),
        Message("Fewer leave room for other programs; more than there are cores slow things down."),
        unit="threads",
        least=1,
        most=256,
        zero=Message("As suits the machine"),
        applies=RESTART,
    )
    n_ctx: int = option(
        0,
        Message("Context of the chat model"),
        Message("How much it reads at once. More needs more memory."),
        unit="tokens",
        least=512,
        most=131_072,
        zero=Message("As suits the model"),
        expert=True,
        applies=RESTART,
    )
    n_gpu_layers: int = option(
        0,
        Message("Layers on the graphics card"),
        Message("Needs a build of llama.cpp that knows the card; 999 puts all of them there."),
        unit="layers",
        least=1,
        most=999,
        zero=Message("None: the processor only"),
        expert=True,
        applies=RESTART,
    )
