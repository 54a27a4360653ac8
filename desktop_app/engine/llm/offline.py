"""Keeps the libraries that run models from using the network.

They would look for newer files of a model and send statistics; every model is a file on the disk.
"""

from __future__ import annotations

import os

# Read by huggingface_hub, transformers, datasets, tokenizers and others when they are imported.
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def forbid_downloads() -> None:
    """Set the environment of this process and of its children; before such imports."""
    os.environ.update(_ENVIRONMENT)
