"""What it costs to run models in processes of their own, and what altered model files do.

The same work runs in this process and in the process of a model (`engine.llm.hosted_models`), in
turn, with the installed models: embedding, enrichment, and the time to the first piece of an
answer. Ratios are given of the time and (Linux) of the processor time of both processes together,
which other programs disturb less. Then GGUF files are altered, each loaded and used; every one must
work or give a sentence.
"""

from __future__ import annotations

import argparse
import os
import random
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from desktop_app.engine import paths
from desktop_app.engine.errors import AppError
from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.llm.host_child import NativeModel, load_native
from desktop_app.engine.llm.host_protocol import HostSpec
from desktop_app.engine.llm.hosted_models import HostedChat, HostedEmbedder, HostedModel
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.services.library import Library

from .common import load_carol, make_parser, print_result
from .enriched import copy_library, enrich, find_model, index_texts

MODEL = "qwen2.5-coder-1.5b"
WINDOW_CHARS = 320
BATCH = 64  # windows at a time, as indexing does
N_ALTERED = 30
PARTS = ("embedding", "chat", "altered")
_ASKED = "Answer in one sentence. Passage: {text}\n\nQuestion: who is named in it?"


def main() -> int:
    options = _read_options()
    text = load_carol()
    registry = ModelRegistry(paths.model_folders())
    chat_path = find_model(registry, options.model).path
    embedder = next(row for row in registry.list_models() if row.role == "embedding" and row.active)
    registry.close()
    assert chat_path is not None and embedder.path is not None
    figures: dict[str, Any] = {}
    if "embedding" in options.parts:
        figures |= measure_embedding(
            HostSpec("embedding", embedder.path, n_threads=options.threads), text, options
        )
        print(figures, flush=True)
    if "chat" in options.parts:
        figures |= measure_chat(
            HostSpec("chat", chat_path, n_threads=options.threads), text, options
        )
        print(figures, flush=True)
    if "altered" in options.parts:
        figures |= measure_altered()
    print_result("host", **figures)
    return 0 if figures.get("altered_told", N_ALTERED) == N_ALTERED else 1


def _read_options() -> argparse.Namespace:
    parser = make_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="of each, in turn")
    parser.add_argument("--windows", type=int, default=256, help="embedded in one round")
    parser.add_argument("--chars", type=int, default=5000, help="enriched in one round")
    parser.add_argument("--answers", type=int, default=8, help="begun in one round")
    parser.add_argument(
        "--threads",
        type=int,
        default=0,
        help="0 lets the machine decide; with 1 no thread spins while it waits for another",
    )
    parser.add_argument("--model", default=MODEL, help=f"part of its name (default: {MODEL})")
    parser.add_argument("--parts", nargs="*", default=PARTS, choices=PARTS)
    return parser.parse_args()


@contextmanager
def open_both(spec: HostSpec, kind: type[HostedModel]) -> Iterator[tuple[NativeModel, HostedModel]]:
    own, hosted = load_native(spec), kind(spec)
    try:
        yield own, hosted
    finally:
        hosted.close()
        own.close()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a round took: seconds, and processor seconds of both processes together."""

    seconds: float
    processor_s: float


def measure(work: Callable[[], object], pid: int = 0) -> Cost:
    """Run a round; `pid` is the process of a model."""
    started, used = time.perf_counter(), read_processor_s(pid)
    work()
    return Cost(time.perf_counter() - started, read_processor_s(pid) - used)


def read_processor_s(pid: int) -> float:
    """Return the processor time of this process and of another one."""
    own = time.process_time()
    if not pid or not sys.platform.startswith("linux"):
        return own
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def alternate(
    rounds: int, work: Callable[[Any], object], own: Any, hosted: HostedModel
) -> list[tuple[Cost, Cost]]:
    """Return the costs of both, in pairs; who begins changes from round to round."""
    pairs = []
    for number in range(rounds):
        if number % 2:
            second = measure(partial(work, hosted), hosted.host_pid)
            pairs.append((measure(partial(work, own)), second))
        else:
            first = measure(partial(work, own))
            pairs.append((first, measure(partial(work, hosted), hosted.host_pid)))
    return pairs


def compare(name: str, pairs: list[tuple[Cost, Cost]], n: float, unit: str) -> dict[str, float]:
    """Return the rates of both and their ratios; `n` units were done in each round."""
    return {
        f"{name}_own_{unit}_per_s": round(n / median(own.seconds for own, _ in pairs), 1),
        f"{name}_host_{unit}_per_s": round(n / median(host.seconds for _, host in pairs), 1),
        f"{name}_ratio": round(median(own.seconds / host.seconds for own, host in pairs), 3),
        f"{name}_processor_ratio": round(
            sum(own.processor_s for own, _ in pairs) / sum(host.processor_s for _, host in pairs), 3
        ),
    }


def measure_embedding(spec: HostSpec, text: str, options: argparse.Namespace) -> dict[str, Any]:
    starts = range(0, options.windows * WINDOW_CHARS, WINDOW_CHARS)
    windows = [text[start : start + WINDOW_CHARS] for start in starts]

    def embed(model: Any) -> None:
        for start in range(0, len(windows), BATCH):
            model.embed_passages(windows[start : start + BATCH])

    def embed_queries(model: Any) -> None:
        for window in windows[:40]:
            model.embed_query(window[:40])

    with open_both(spec, HostedEmbedder) as (own, hosted):
        embed(own)
        embed(hosted)
        pairs = alternate(options.rounds, embed, own, hosted)
        queries = alternate(options.rounds, embed_queries, own, hosted)
    more_s = median(host.seconds - own.seconds for own, host in queries)
    return {
        **compare("embedding", pairs, len(windows), "windows"),
        "query_more_ms": round(more_s / 40 * 1000, 2),
    }


def measure_chat(spec: HostSpec, text: str, options: argparse.Namespace) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder,
        open_both(spec, HostedChat) as (own, hosted),
    ):
        library = Library(Path(folder) / "host.inkgraph")
        index_texts(library, {"A Christmas Carol": text[: options.chars]}, Path(folder) / "texts")
        numbers = iter(range(1000))

        def enrich_copy(model: Any) -> None:
            copy = copy_library(library, f"copy{next(numbers)}")
            try:
                enrich(copy, model, EnrichSettings(n_threads=options.threads))
            finally:
                copy.close()

        waits: dict[int, list[float]] = {id(own): [], id(hosted): []}

        def begin_answers(model: Any) -> None:
            for number in range(options.answers):
                start = 10_000 + number * 300
                asked = _ASKED.format(text=text[start : start + 300])
                started = time.perf_counter()
                stream = model.stream([ChatMessage("user", asked)], max_tokens=2)
                next(stream)
                waits[id(model)].append(time.perf_counter() - started)
                stream.close()

        first = alternate(options.rounds, begin_answers, own, hosted)
        more_s = [b - a for a, b in zip(waits[id(own)], waits[id(hosted)], strict=True)]
        figures = {
            "first_token_own_ms": round(median(waits[id(own)]) * 1000, 1),
            "first_token_more_ms": round(median(more_s) * 1000, 1),
            "first_token_best_more_ms": round(
                (min(waits[id(hosted)]) - min(waits[id(own)])) * 1000, 1
            ),
            "first_token_processor_ratio": compare("a", first, 1, "a")["a_processor_ratio"],
        }
        print(figures, flush=True)
        pairs = alternate(options.rounds, enrich_copy, own, hosted)
        library.close()
    return figures | compare("enrichment", pairs, options.chars, "chars")


# --- altered files --------------------------------------------------------------------------------


def measure_altered() -> dict[str, Any]:
    """Load and use altered GGUF files; count those that work and those that give a sentence."""
    n_works = n_told = 0
    with tempfile.TemporaryDirectory(prefix="inkgraph-bench-") as folder:
        chat = write_chat_model(Path(folder) / "chat.gguf").read_bytes()
        embedding = write_embedding_model(Path(folder) / "embedding.gguf").read_bytes()
        for number, (role, what, content) in enumerate(iter_altered(chat, embedding)):
            path = Path(folder) / f"altered{number}.gguf"
            path.write_bytes(content)
            try:
                use(HostSpec(role, path, n_ctx=512 if role == "chat" else 0, n_threads=1))
                outcome = "works"
                n_works += 1
            except AppError as error:
                outcome = str(error)
            n_told += bool(outcome.strip())
            print(f"  {role}, {what}: {outcome}", flush=True)
            path.unlink()
    return {"altered": number + 1, "altered_told": n_told, "altered_work": n_works}


def use(spec: HostSpec) -> None:
    """Load a model in its process and use all that it can do."""
    if spec.role == "embedding":
        embedder = HostedEmbedder(spec)
        try:
            embedder.embed_passages(["The tide came in."] * 3)
        finally:
            embedder.close()
        return
    chat = HostedChat(spec)
    try:
        list(chat.stream([ChatMessage("user", "Name three colours.")], max_tokens=8))
        chat.choose([ChatMessage("user", "Is it?")], ["It is"], [" yes", " no"])
    finally:
        chat.close()


def iter_altered(chat: bytes, embedding: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield the role, what was altered, and the content of each file."""
    draw = random.Random(5)
    fields = ("block_count", "attention.head_count", "embedding_length", "feed_forward_length")
    for role, content, start in (("chat", chat, "llama"), ("embedding", embedding, "bert")):
        yield role, "2^40 tensors", put(content, 8, "<Q", 1 << 40)
        yield role, "no tensor", put(content, 8, "<Q", 0)
        yield role, "3 fields", put(content, 16, "<Q", 3)
        yield role, "2^60 fields", put(content, 16, "<Q", 1 << 60)
        yield role, "half of it", content[: len(content) // 2]
        yield role, "last 1,000 bytes cut", content[:-1000]
        yield role, "NaN weights", content[:-200_000] + b"\xff" * 200_000
        yield role, "random weights", content[:-200_000] + draw.randbytes(200_000)
        yield role, "nested lists", nest_lists(content)
        for field in fields:
            key = f"{start}.{field}".encode()
            at = content.index(key) + len(key) + 4
            value = 0 if field == "embedding_length" else 999
            yield role, f"{field} {value}", put(content, at, "<I", value)
        for _ in range(2):
            altered = bytearray(content)
            for _ in range(20):
                altered[draw.randrange(24, 12_000)] = draw.randrange(256)
            yield role, "20 bytes of the head", bytes(altered)


def put(content: bytes, at: int, layout: str, value: int) -> bytes:
    packed = struct.pack(layout, value)
    return content[:at] + packed + content[at + len(packed) :]


def nest_lists(content: bytes) -> bytes:
    """Return the file with a first field of 3,000 lists in each other."""
    key = b"nested"
    lists = struct.pack("<IQ", 9, 1) * 3000 + struct.pack("<IQ", 4, 0)
    field = struct.pack("<Q", len(key)) + key + struct.pack("<I", 9) + lists
    (n_fields,) = struct.unpack_from("<Q", content, 16)
    return content[:16] + struct.pack("<Q", n_fields + 1) + field + content[24:]


if __name__ == "__main__":
    raise SystemExit(main())
