"""How models are run on this machine, and where they lie; plain data with its words."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings import RESTART, option


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """0 lets the machine or the model decide (of layers: none on a graphics card)."""

    folder: str = option(
        "",
        "Models folder",
        "Models are large; another disk may have more room. Existing models are not moved.",
        kind="folder",
        zero="Default folder",
        applies=RESTART,
    )
    n_threads: int = option(
        0,
        "CPU threads",
        "Fewer threads leave room for other programs. More threads than processor cores make "
        "answers slower.",
        least=1,
        most=256,
        zero="Automatic",
        applies=RESTART,
    )
    n_ctx: int = option(
        0,
        "Context of the chat model",
        "This is how much text the model reads at once. A larger context needs more memory.",
        unit="tokens",
        least=512,
        most=131_072,
        zero="Automatic",
        expert=True,
        applies=RESTART,
    )
    n_gpu_layers: int = option(
        0,
        "GPU layers",
        "Needs a llama.cpp build with GPU support; 999 puts all layers on the GPU.",
        unit="layers",
        least=1,
        most=999,
        zero="None (CPU only)",
        expert=True,
        applies=RESTART,
    )
