"""Tests that libraries that run models do not use the network."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import os
from desktop_app.engine.extraction.rules.chinese_tagger import _LacTagger

_LacTagger()
import onnxruntime
print(os.environ["ORT_DISABLE_TELEMETRY"], os.environ["HF_HUB_OFFLINE"], onnxruntime.__version__)
"""


def test_the_chinese_tagger_switches_the_statistics_of_onnxruntime_off():
    env = {k: v for k, v in os.environ.items() if "TELEMETRY" not in k and "OFFLINE" not in k}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=False
    )
    assert done.stdout.split()[:2] == ["1", "1"], done.stderr[-2000:]
