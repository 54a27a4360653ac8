"""Compares the installed build of llama.cpp with another one, in turns, in one run.

    pip wheel llama-cpp-python==0.3.36 --no-cache-dir -w native     (CMAKE_ARGS=-DGGML_NATIVE=ON)
    pip install --no-deps --target native native/*.whl
    python -m benchmarks.llama_build --other native

Each turn is a process of its own: it reads a prompt (prefill), writes an answer (decode), writes 16
answers side by side (batch) and makes embeddings, with the starter models. The last line holds the
median ratio installed / other of each rate; above 1 the installed build is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from desktop_app.engine import paths

from .common import make_parser, print_result

CHAT, EMBEDDING = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", "multilingual-e5-small-q4_0.gguf"
PROMPT = "The tide came in and the clerk copied another letter by the window. " * 24
PASSAGE = "The keeper of the weigh-house wrote the weights of the day into a narrow book. " * 4


def find_model(name: str) -> Path:
    found = [folder / name for folder in paths.model_folders() if (folder / name).exists()]
    if not found:
        sys.exit(f"{name} is missing: run `inkgraph models install starter`.")
    return found[0]


def measure(threads: int) -> dict[str, float]:
    """Return tokens or passages per second of processor time of this process's build.

    Processor time, because the wall clock says little while other programs run; it is divided by
    the number of threads.
    """
    from desktop_app.engine.llm.embedding import GgufEmbedder
    from desktop_app.engine.llm.llama_chat import LlamaChat
    from desktop_app.engine.model import ChatMessage
    from desktop_app.engine.prompt_program import PASSAGE, PromptProgram, Write

    def rate(n: int, started: float) -> float:
        return n * threads / (time.process_time() - started)

    chat = LlamaChat(find_model(CHAT), n_ctx=4096, n_threads=threads)
    ask = [ChatMessage("user", PROMPT + "\nWrite a long story about this.")]
    started = time.process_time()
    list(chat.stream(ask, max_tokens=1))
    figures = {"prefill": rate(chat.last_run.n_prompt, started)}
    started = time.process_time()
    list(chat.stream(ask, max_tokens=64))  # the prompt is still in memory
    figures["decode"] = rate(chat.last_run.n_written, started)

    def talk():
        return (yield Write(("A story:",), max_tokens=32))

    ask = [ChatMessage("user", f"Write a story about passage {PASSAGE}.")]
    programs = [PromptProgram(str(i), tuple(ask), f"number {i}", talk) for i in range(16)]
    started = time.process_time()
    runs = list(chat.run_programs(programs))
    written = sum(answer.n_tokens for done in runs for answer in done.value)
    figures["batch"] = rate(written, started)
    chat.close()
    embedder = GgufEmbedder(find_model(EMBEDDING), n_threads=threads)
    texts = [f"{i} {PASSAGE}" for i in range(60)]
    embedder.embed_passages(texts[:4])
    started = time.process_time()
    embedder.embed_passages(texts)
    figures["embedding"] = rate(len(texts), started)
    embedder.close()
    return figures


def run_child(other: Path | None, threads: int) -> dict[str, float]:
    before = [str(other)] if other else []
    path = os.pathsep.join([*before, str(paths.CHECKOUT_ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.llama_build", "--measure", f"--threads={threads}"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--other", type=Path, help="a folder with another build of llama_cpp")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.threads)))
        return
    if options.other is None:
        parser.error("--other is missing")
    ratios: dict[str, list[float]] = {}
    for turn in range(options.turns):
        builds = [("installed", None), ("other", options.other)]
        pair = {
            name: run_child(path, options.threads)
            for name, path in builds[:: -1 if turn % 2 else 1]
        }
        for name, rate in pair["installed"].items():
            other = pair["other"][name]
            ratios.setdefault(name, []).append(rate / other)
            print(f"turn {turn + 1}: {name:10} installed {rate:8.1f}/s   other {other:8.1f}/s")
    print_result("llama_build", **{k: round(statistics.median(v), 3) for k, v in ratios.items()})


if __name__ == "__main__":
    main()
