"""Kills every writing command, and the child processes, at random moments; nothing may be lost.

A small library is made from the benchmark texts. A parent process that has loaded the program
forks a process for each command and kills it (SIGKILL) after a time drawn from the command's
measured duration. After each kill the library is opened in another process, checked, and compared
with what it has to hold:

- `steps` (merge, split, delete, undo, …): several corrections in one process. The library must be
  exactly as after the last correction that printed its success, or after the next one.
- `resumed` (add, import, reindex, enrich, …): every document stays; the same command is killed up
  to three times and then runs to its end; the library must then be as after a run without kills,
  and no chunk whose evidence was stored is extracted again. `enrich` works on many chunks at once:
  the answers of the model that arrived before a kill and were not stored may be those of one chunk
  at most, and no stored answer is asked for again. What the model was writing at the kill is lost.

`python -m benchmarks.crash --kills 1000 --seed 1 --out kills.jsonl` continues an interrupted run
of the same seed: each kill is a line of the file, and each drawn from the seed and its number.

Not covered: the start of a process (the forked process has its modules loaded), the window, a
power cut (what was written stays in the system's memory), Windows.
"""

from __future__ import annotations

import argparse
import atexit
import ctypes
import hashlib
import io
import json
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .common import data_file, make_parser, print_result

HANG_S = 300.0  # no command of this benchmark takes as long
ORPHAN_S = 10.0  # children of a killed command have to end within this time
CHAIN = 3  # kills of a resumed command before it runs to its end
MODELS = ("multilingual-e5-small-q4_0.gguf", "smollm2-135m-instruct-q4_1.gguf")
_PR_SET_CHILD_SUBREAPER = 36
_BEGIN = "@begin "
# Child processes by the names of their modules.
VICTIMS = {"reader": "reader_child", "text": "text_analysis.child", "model host": "host_child"}


@dataclass(frozen=True)
class Scenario:
    """Commands that run in one process.

    Attributes:
        kind: "steps" or "resumed", see the module.
        victim: "command", or the child process that is killed, see `VICTIMS`.
        weight: its share of the kills.
    """

    name: str
    kind: str
    commands: tuple[tuple[str, ...], ...]
    weight: int = 10
    victim: str = "command"


@dataclass
class Kill:
    """One kill and what was found after it; `faults` is empty if all is well.

    Attributes:
        n_answers: of the model, that arrived before the kills of a chain.
        n_lost: of these, not stored.
        n_in_flight: chunks that were being worked on at the kills.
    """

    number: int
    scenario: str
    moment_s: float
    landed: bool = False  # False: the command had ended before
    n_confirmed: int = 0
    n_answers: int = 0
    n_lost: int = 0
    n_in_flight: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Ended:
    """How a forked process ended: its exit code (None if killed), output and duration."""

    code: int | None
    output: str
    errors: str
    seconds: float
    n_orphans: int = 0
    hit_victim: bool = False


# --- processes ----------------------------------------------------------------------------------


def fork(work: Callable[[], int], folder: Path) -> int:
    """Run `work` in a forked process, its output in `folder`; return the process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 70
    atexit._clear()  # what the parent has to clean up
    weakref.finalize._registry.clear()  # type: ignore[attr-defined]
    try:
        for number, name in ((1, "out"), (2, "err")):
            file = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(file, number)
        # Line by line: a success counts as confirmed when it was printed.
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0, closefd=False), "utf-8", None, None,
                                      True, True)  # fmt: skip
        sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", 0, closefd=False), "utf-8", None, None,
                                      True, True)  # fmt: skip
        code = work()
        atexit._run_exitfuncs()
    except BaseException:
        traceback.print_exc()
    os._exit(code)


def run_commands(library: Path, commands: tuple[tuple[str, ...], ...]) -> Callable[[], int]:
    """Return the work of a process that runs commands one after another."""

    def work() -> int:
        from desktop_app.cli import run_command
        from desktop_app.engine import crash_log

        crash_log.start_session("command")
        record_answers(library.with_name("answers"))
        for number, command in enumerate(commands):
            print(f"{_BEGIN}{number}")
            if code := run_command(expand(command, library)):
                return code
        return 0

    return work


def record_answers(path: Path) -> None:
    """Write the chunk and the key of each answer of the model to a file when it arrives."""
    from desktop_app.engine.llm.batching.conversation import ProgramConversation

    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    add_reply = ProgramConversation.add_reply

    def record(self: Any, index: int, reply: Any) -> None:
        if isinstance(self.program.key, tuple):  # of enrichment
            os.write(file, f"{self.program.key[0]} {self._get_key(index)}\n".encode())
        add_reply(self, index, reply)

    ProgramConversation.add_reply = record  # type: ignore[method-assign]


def read_answers(path: Path) -> list[tuple[str, str]]:
    """Return the (chunk, key) that `record_answers` wrote."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [(line.split()[0], line.split()[1]) for line in lines]


def expand(command: tuple[str, ...], library: Path) -> list[str]:
    """Return a command with its library, and its place for other files."""
    words = [word.replace("{folder}", str(library.parent)) for word in command]
    return [words[0], "--library", str(library), *words[1:]]


def await_end(
    pid: int, folder: Path, kill_after_s: float | None = None, victim: str = "command"
) -> Ended:
    """Wait for a forked process, and kill it or its child after a time."""
    started, killed, hit = time.monotonic(), kill_after_s is None, False
    watch = os.pidfd_open(pid)
    try:
        while True:
            passed = time.monotonic() - started
            left = HANG_S - passed if killed else (kill_after_s or 0.0) - passed
            if left > 0 and select.select([watch], [], [], left)[0]:
                break
            if killed:
                os.kill(pid, signal.SIGKILL)
                break
            killed = True
            target = pid if victim == "command" else find_victim(pid, victim)
            if target is not None:
                hit = True
                os.kill(target, signal.SIGKILL)
    finally:
        os.close(watch)
    _, status = os.waitpid(pid, 0)
    seconds = time.monotonic() - started
    code = os.waitstatus_to_exitcode(status)
    return Ended(
        code=None if code < 0 else code,
        output=(folder / "out").read_text("utf-8", "replace"),
        errors=(folder / "err").read_text("utf-8", "replace"),
        seconds=seconds,
        n_orphans=reap_orphans(),
        hit_victim=hit,
    )


def find_victim(pid: int, victim: str) -> int | None:
    """Return the process id of a child of a command, None if it has none of this kind."""
    module = VICTIMS[victim]
    for child in Path(f"/proc/{pid}/task/{pid}").parent.glob("*/children"):
        for number in child.read_text().split():
            try:
                words = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(module.encode() in word for word in words):
                return int(number)
    return None


def reap_orphans() -> int:
    """Wait for the children of a killed command, which are ours now; return how many stay."""
    deadline = time.monotonic() + ORPHAN_S
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.02)
        except ChildProcessError:
            return 0
    left = [int(n) for n in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return len(left)


def call(work: Callable[[], Any], folder: Path) -> Any:
    """Return the result of `work`, run in a forked process."""

    def write() -> int:
        (folder / "result").write_text(json.dumps(work()), "utf-8")
        return 0

    (folder / "result").unlink(missing_ok=True)
    ended = await_end(fork(write, folder), folder)
    if ended.code != 0:
        raise RuntimeError(ended.errors[-2000:] or "killed: it took too long")
    return json.loads((folder / "result").read_text("utf-8"))


# --- what a library holds -------------------------------------------------------------------------

CURATION = ("merged", "never_merged", "entity_edit", "alias", "split_mention", "deleted_name",
            "hand_relation", "hand_entity", "collection", "report_edit",
            "annotation", "document_edit")  # fmt: skip
GRAPH = {
    "entity": "SELECT name, type, n_mentions, n_relations, n_documents FROM entity",
    # A relation has no direction: which end comes first depends on the ids of their names.
    "relation": "SELECT min(a.name, b.name), max(a.name, b.name), round(r.weight, 6),"
    " r.n_evidence, r.keywords, r.kind FROM relation r"
    " JOIN entity a ON a.id = r.source_id JOIN entity b ON b.id = r.target_id",
    "mention": "SELECT d.sha256, d.row_number, n.text, m.start, x.strategy, x.model FROM mention m"
    " JOIN name n ON n.id = m.name_id JOIN document d ON d.id = m.document_id"
    " JOIN extraction x ON x.id = m.extraction_id",
    "chunk": "SELECT d.sha256, d.row_number, c.order_no, c.text FROM chunk c"
    " JOIN document d ON d.id = c.document_id",
    "community": "SELECT level, title, n_members, top_names FROM community",
}


def _digest(rows: list[tuple[Any, ...]]) -> str:
    return hashlib.sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()[:16]


def inspect(library: Path) -> dict[str, Any]:
    """Open a library as a command does and return its problems and a digest of each part."""
    from desktop_app.cli.command_context import open_library

    with open_library(
        argparse.Namespace(library=library, passphrase_file=None, passphrase=None)
    ) as opened:
        return read_state(opened.writer)


def read_state(db: Any) -> dict[str, Any]:
    state: dict[str, Any] = {"problems": db.integrity_problems()}
    for table in CURATION:
        columns = [
            row[1] for row in db.rows(f"PRAGMA table_info({table})") if not row[1].endswith("_at")
        ]
        rows = db.rows(f"SELECT {','.join(columns)} FROM {table}")
        state[table] = [len(rows), _digest(rows)]
    for name, sql in GRAPH.items():
        rows = db.rows(sql)
        state[name] = [len(rows), _digest(rows)]
    state["history"] = [list(row) for row in db.rows("SELECT label, undone FROM history")]
    texts = dict(db.rows("SELECT document_id, text FROM document_text"))
    originals = dict(db.rows("SELECT document_id, content FROM original"))
    state["documents"] = {
        f"{file_name} {row_number}": [
            title,
            doc_state,
            hashlib.sha256(originals[i]).hexdigest() == sha if i in originals else row_number > 0,
            hashlib.sha256(texts.get(i, "").encode()).hexdigest()[:16],
        ]
        for i, file_name, row_number, title, doc_state, sha in db.rows(
            "SELECT id, file_name, row_number, title, state, sha256 FROM document"
        )
    }
    # By place: the id of a chunk may be given again after it was deleted.
    state["extracted"] = {
        f"{file_name} {row_number} {order_no} {strategy}": created_at
        for file_name, row_number, order_no, strategy, created_at in db.rows(
            "SELECT d.file_name, d.row_number, c.order_no, x.strategy, x.created_at"
            " FROM extraction x JOIN chunk c ON c.id = x.chunk_id"
            " JOIN document d ON d.id = c.document_id WHERE x.state = 'done'"
        )
    }
    state["enriched"] = db.column(
        "SELECT chunk_id FROM extraction WHERE state = 'done' AND strategy <> 'instant'"
    )
    state["answers"] = db.column("SELECT key FROM model_cache")
    state["n_vectors"] = db.value("SELECT count(*) FROM embedding")
    return state


def content(state: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a state that two runs with the same result have in common."""
    apart = ("extracted", "enriched", "answers", "problems")
    return {name: part for name, part in state.items() if name not in apart}


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    return ", ".join(sorted(name for name in wanted if found.get(name) != wanted[name]))


# --- the library and the scenarios ----------------------------------------------------------------


def write_texts(folder: Path) -> None:
    """Write the documents: parts of two novels, an EPUB, and a graph to import."""
    folder.mkdir()
    carol = data_file("en_novels", "gutenberg", "christmas_carol.txt").read_text("utf-8-sig")
    start = carol.index("MARLEY was dead") if "MARLEY was dead" in carol else 4_000
    for number in range(3):
        part = carol[start + number * 9_000 : start + (number + 1) * 9_000]
        (folder / f"carol{number}.txt").write_text(part, "utf-8")
    shuihu = data_file("zh_novels", "shuihu", "shuihu_120.txt").read_text("utf-8-sig")
    (folder / "shuihu.txt").write_text(shuihu[20_000:24_000], "utf-8")
    (folder / "small.txt").write_text(carol[start + 40_000 : start + 43_000], "utf-8")
    alice = data_file("en_novels", "gutenberg", "alice.txt").read_text("utf-8-sig")
    (folder / "alice.txt").write_text(alice[2_000:12_000], "utf-8")
    (folder / "second.txt").write_text(alice[12_000:20_000], "utf-8")
    rows = [
        json.dumps({"title": f"Row {n}", "text": alice[20_000 + n * 800 : 20_800 + n * 800]})
        for n in range(12)
    ]
    (folder / "rows.jsonl").write_text("\n".join(rows), "utf-8")
    graph = {
        "chunks": [
            {
                "content": alice[40_000 + n * 1_500 : 41_500 + n * 1_500],
                "source_id": f"doc{n // 4}",
                "file_path": f"import{n // 4}.txt",
                "chunk_order_index": n % 4,
            }
            for n in range(16)
        ],
        "entities": [
            {"entity_name": name, "entity_type": "person", "description": "", "source_id": "doc0"}
            for name in ("Alice", "Gryphon", "Mock Turtle", "Duchess", "Hatter")
        ],
        "relationships": [
            {
                "src_id": "Alice",
                "tgt_id": "Gryphon",
                "description": "They talk.",
                "keywords": "talk",
                "weight": 2.0,
                "source_id": "doc0",
            }
        ],
    }
    (folder / "graph.json").write_text(json.dumps(graph), "utf-8")


def seed_commands(texts: Path) -> tuple[tuple[str, ...], ...]:
    names = ("carol0.txt", "carol1.txt", "shuihu.txt", "small.txt")
    return (("add", *(str(texts / name) for name in names)), ("communities",))


def choose_names(library: Path) -> dict[str, Any]:
    """Return names for the corrections: the most frequent ones, and sentences for splits."""
    from desktop_app.engine.services.library import Library
    from desktop_app.engine.services.library_reader import LibraryReader

    opened = Library(library)
    reader = LibraryReader(opened.writer)
    rows = [row for row in reader.top_entities(60) if len(row.name) > 2]
    splits = []
    for row in rows:
        sentences = [m.sentence for _, m in reader.list_mentions(row.id)]
        if len(set(sentences)) > 2 and sentences.count(sentences[0]) == 1:
            splits.append([row.name, sentences[0]])
    opened.close()
    return {"names": [row.name for row in rows], "splits": splits[:8]}


def build_scenarios(texts: Path, chosen: dict[str, Any]) -> list[Scenario]:
    """Return every writing command of this program."""
    from desktop_app.cli import COMMANDS

    names, splits = chosen["names"], chosen["splits"]
    deleted = ("carol1.txt", "shuihu.txt", "carol0.txt")
    pairs = [(names[i], names[i + 1]) for i in range(10, 26, 2)]
    merges = tuple(("entity", "merge", a, b) for a, b in pairs)
    new = [str(texts / name) for name in ("alice.txt", "second.txt", "rows.jsonl")]
    found = [
        Scenario("merge", "steps", merges, 14),
        Scenario(
            "split", "steps",
            tuple(("entity", "split", name, f"{name} II", "--sentence", sentence)
                  for name, sentence in splits), 12,
        ),
        Scenario(
            "names", "steps",
            (*(("entity", "rename", n, f"{n} the Elder") for n in names[:3]),
             *(("entity", "retype", n, "place") for n in names[3:5]),
             *(("entity", "alias", n, f"Old {n}") for n in names[5:7]),
             *(("entity", "delete", n) for n in names[7:10]),
             ("entity", "never", names[30], names[31])), 10,
        ),
        Scenario(
            "delete", "steps",
            tuple(("delete", name, "--yes") for name in deleted), 10,
        ),
        Scenario(
            "undo", "steps",
            (*merges[:3], ("undo",), ("undo",), ("redo",), ("undo",), ("redo",), ("redo",),
             *merges[3:5], ("undo",)), 10,
        ),
        Scenario("communities", "resumed", (("communities", "--again"),), 6),
        Scenario("report", "resumed", (("report", "--no-model", "--again"),), 6),
        Scenario("add", "resumed", (("add", "--no-embed", *new),), 12),
        Scenario("add, embedding", "resumed", (("add", *new),), 3),
        Scenario("reindex", "resumed", (("reindex", "--no-embed"),), 8),
        Scenario("import", "resumed", (("import", "--no-embed", str(texts / "graph.json")),), 8),
        Scenario("enrich", "resumed", (("enrich", "--document", "carol0.txt"),), 3),
        Scenario("reader", "resumed", (("add", "--no-embed", *new),), 6, "reader"),
        Scenario("text analysis", "resumed", (("add", "--no-embed", *new),), 6, "text"),
    ]  # fmt: skip
    if "backup" in COMMANDS:
        backup = ("backup", "--to", "{folder}/copy.inkgraph")
        found.append(Scenario("backup", "resumed", (backup,), 6))
    if find_spec("desktop_app.engine.llm.host_child") is not None:
        enrich = ("enrich", "--document", "carol0.txt")
        found.append(Scenario("model host", "resumed", (enrich,), 3, "model host"))
    return found


# --- the run --------------------------------------------------------------------------------------


@dataclass
class Reference:
    """A run without a kill: the states after each step, the end, and the duration."""

    states: list[dict[str, Any]]
    seconds: float
    end: dict[str, Any]


class Bench:
    """Runs scenarios against copies of one library."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.texts = folder / "texts"
        self.library = folder / "work" / "library.inkgraph"
        self.base = folder / "base.inkgraph"
        self.scenarios: list[Scenario] = []
        self.references: dict[str, Reference] = {}

    def prepare(self, only: str = "") -> None:
        """Make the library, and run each scenario, or some, without a kill."""
        write_texts(self.texts)
        self.library.parent.mkdir()
        ended = self._run(seed_commands(self.texts))
        if ended.code:
            sys.exit(f"the library could not be made:\n{ended.errors[-3000:]}")
        shutil.copyfile(self.library, self.base)
        chosen = call(lambda: choose_names(self.library), self.folder)
        scenarios = build_scenarios(self.texts, chosen)
        self.scenarios = [s for s in scenarios if not only or s.name in only.split(",")]
        for scenario in self.scenarios:
            self.references[scenario.name] = self._measure(scenario)
            reference = self.references[scenario.name]
            print(f"  {scenario.name}: {reference.seconds:.2f} s", flush=True)

    def _measure(self, scenario: Scenario) -> Reference:
        states = []
        self._reset()
        if scenario.kind == "steps":
            states.append(content(self.check()))
            for command in scenario.commands:
                ended = self._run((command,))
                if ended.code:
                    sys.exit(f"{' '.join(command)} failed:\n{ended.errors[-2000:]}")
                states.append(content(self.check()))
            self._reset()
        runs = []
        for _ in range(2):
            self._reset()
            ended = self._run(scenario.commands)
            if ended.code:
                sys.exit(f"{scenario.name} failed:\n{ended.errors[-2000:]}")
            runs.append(ended.seconds)
        return Reference(states, max(runs), self.check())

    def _reset(self) -> None:
        shutil.rmtree(self.library.parent)
        self.library.parent.mkdir()
        shutil.copyfile(self.base, self.library)

    def _run(
        self,
        commands: tuple[tuple[str, ...], ...],
        kill_after_s: float | None = None,
        victim: str = "command",
    ) -> Ended:
        pid = fork(run_commands(self.library, commands), self.folder)
        return await_end(pid, self.folder, kill_after_s, victim)

    def check(self, library: Path | None = None) -> dict[str, Any]:
        state: dict[str, Any] = call(lambda: inspect(library or self.library), self.folder)
        return state

    def kill(self, number: int) -> Kill:
        """Run one kill; it depends only on the seed and its number."""
        rng = random.Random(f"{self.seed}/{number}")
        scenario = rng.choices(self.scenarios, [s.weight for s in self.scenarios])[0]
        reference = self.references[scenario.name]
        kill = Kill(number, scenario.name, round(rng.uniform(0, reference.seconds), 4))
        try:
            if scenario.kind == "steps":
                self._kill_steps(scenario, reference, kill)
            else:
                self._kill_resumed(scenario, reference, kill, rng)
        except RuntimeError as error:
            kill.faults.append(f"the library could not be checked: {error}")
        return kill

    def _kill_steps(self, scenario: Scenario, reference: Reference, kill: Kill) -> None:
        self._reset()
        ended = self._run(scenario.commands, kill.moment_s)
        kill.landed = ended.code is None
        self._note(ended, kill)
        kill.n_confirmed = count_confirmed(ended.output)
        state = self.check()
        kill.faults += state["problems"]
        allowed = reference.states[kill.n_confirmed : kill.n_confirmed + 2]
        if content(state) not in allowed:
            kill.faults.append(
                f"not as after {kill.n_confirmed} confirmed steps: "
                + " / ".join(differences(content(state), one) for one in allowed)
            )

    def _kill_resumed(
        self, scenario: Scenario, reference: Reference, kill: Kill, rng: random.Random
    ) -> None:
        from desktop_app.engine.services.indexing import MAX_ATTEMPTS

        self._reset()
        state = before = self.check()
        for link in range(rng.randint(1, CHAIN)):
            moment = kill.moment_s if link == 0 else rng.uniform(0, reference.seconds)
            stored_answers = state["answers"]
            ended = self._run(scenario.commands, moment, scenario.victim)
            landed = ended.hit_victim if scenario.victim != "command" else ended.code is None
            kill.landed |= landed
            kill.n_confirmed += landed  # kills of this chain
            self._note(ended, kill)
            state = self.check()
            kill.faults += state["problems"]
            self._compare_answers(kill, stored_answers, state)
            for name, document in before["documents"].items():
                now = state["documents"].get(name)
                if now is None or not now[2] or (now[1] == "ready" and now[3] != document[3]):
                    kill.faults.append(f"document {name} is lost or altered: {now}")
            for table in CURATION:
                if state[table] != before[table]:
                    kill.faults.append(f"{table} changed")
            copy = self.library.with_name("copy.inkgraph")
            if copy.exists() and content(self.check(copy)) != content(before):
                kill.faults.append("an incomplete backup has the name of a complete one")
            if not landed:
                break
        stored = state["extracted"]
        commands = scenario.commands
        if scenario.victim == "command" and kill.n_confirmed >= MAX_ATTEMPTS:
            # A document under which the program ended twice is refused by the next run, and read
            # again when the user asks for it.
            stored_answers = state["answers"]
            self._run(commands)
            state = self.check()
            self._compare_answers(kill, stored_answers, state)
        failed = [n for n, d in state["documents"].items() if d[1] == "failed"]
        if failed and (scenario.victim != "command" or kill.n_confirmed >= MAX_ATTEMPTS):
            names = tuple(sorted({name.rpartition(" ")[0] for name in failed}))
            commands = (("reindex", "--no-embed", *names), *commands)
        stored_answers = state["answers"]
        ended = self._run(commands)
        if ended.code:
            kill.faults.append(f"the same command then failed: {ended.errors[-500:]}")
        end = self.check()
        kill.faults += end["problems"]
        self._compare_answers(kill, stored_answers, end)
        if scenario.name != "reindex":  # which extracts all documents again, as it was asked to
            again = [p for p, at in end["extracted"].items() if p in stored and at != stored[p]]
            if again:
                kill.faults.append(f"{len(again)} stored chunks were extracted again: {again[:3]}")
        wanted, found = content(reference.end), content(end)
        if scenario.commands[0][0] == "enrich":  # what a model finds differs with its batches
            for part in ("entity", "relation", "mention", "community", "n_vectors"):
                wanted.pop(part), found.pop(part)
            if end["extracted"].keys() != reference.end["extracted"].keys():
                kill.faults.append("not every chunk was enriched in the end")
        if found != wanted:
            kill.faults.append(f"not as without kills: {differences(found, wanted)}")

    def _compare_answers(self, kill: Kill, before: list[str], state: dict[str, Any]) -> None:
        """Compare the answers that arrived in the last run with those stored before and after."""
        answers = read_answers(self.library.with_name("answers"))
        lost = [(chunk, key) for chunk, key in answers if key not in set(state["answers"])]
        if (n_chunks := len({chunk for chunk, _ in lost})) > 1:
            kill.faults.append(f"{len(lost)} answers of {n_chunks} chunks were lost")
        if again := sum(key in set(before) for _, key in answers):
            kill.faults.append(f"{again} stored answers were asked for again")
        kill.n_answers += len(answers)
        kill.n_lost += len(lost)
        kill.n_in_flight += len({int(chunk) for chunk, _ in answers} - set(state["enriched"]))

    def _note(self, ended: Ended, kill: Kill) -> None:
        if ended.n_orphans:
            kill.faults.append(f"{ended.n_orphans} child processes stayed")
        if "Traceback" in ended.errors:
            kill.faults.append(ended.errors[ended.errors.index("Traceback") :][-600:])


def count_confirmed(output: str) -> int:
    """Return how many commands printed something after their beginning."""
    parts = output.split(_BEGIN)[1:]
    return sum("\n" in part.partition("\n")[2] for part in parts)


def warm_up(folder: Path) -> None:
    """Load the modules that the commands import, without starting threads or opening a library."""
    import importlib

    library = folder / "warm" / "library.inkgraph"
    library.parent.mkdir()
    text = folder / "warm.txt"
    text.write_text("Alice met the Duchess in Oxford. 宋江见了武松。", "utf-8")

    def collect() -> list[str]:
        from desktop_app.cli import run_command

        before = set(sys.modules)
        for command in (
            ("add", str(text)),
            ("communities",),
            ("report", "--no-model"),
            ("entity", "rename", "Alice", "Alicia"),
            ("undo",),
        ):
            run_command(expand(command, library))
        return sorted(set(sys.modules) - before)

    for name in call(collect, folder):
        if not name.startswith(("llama_cpp", "_", "multiprocessing")) and "_main_" not in name:
            importlib.import_module(name)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="scenarios, by comma")
    parser.add_argument("--out", type=Path, help="a line for each kill; continued if it exists")
    options = parser.parse_args()
    os.environ["INKGRAPH_MODELS"] = str(_small_models())
    with tempfile.TemporaryDirectory(prefix="inkgraph-crash-") as name:
        folder = Path(name)
        os.environ["INKGRAPH_HOME"] = str(folder / "home")
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        warm_up(folder)
        bench = Bench(folder, options.seed)
        print(f"seed {options.seed}; durations without a kill:", flush=True)
        bench.prepare(options.only)
        run_kills(bench, options.kills, options.out)


def run_kills(bench: Bench, n_kills: int, out: Path | None) -> None:
    """Run the kills that are left and print the figures of all."""
    lines = out.read_text("utf-8").splitlines() if out is not None and out.exists() else []
    kills = [Kill(**json.loads(line)) for line in lines]
    started = time.monotonic()
    n_here = 0
    number = len(kills)
    while sum(max(k.landed, k.n_confirmed if is_chain(bench, k) else 0) for k in kills) < n_kills:
        kill = bench.kill(number)
        kills.append(kill)
        number += 1
        n_here += 1
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(kill), ensure_ascii=False) + "\n")
        for fault in kill.faults:
            print(f"kill {kill.number}, {kill.scenario} at {kill.moment_s} s: {fault}", flush=True)
    report(bench, kills, (time.monotonic() - started) / max(1, n_here))


def is_chain(bench: Bench, kill: Kill) -> bool:
    return any(s.name == kill.scenario and s.kind == "resumed" for s in bench.scenarios)


def report(bench: Bench, kills: list[Kill], seconds_each: float) -> None:
    landed: Counter[str] = Counter()
    faulty: Counter[str] = Counter()
    for kill in kills:
        landed[kill.scenario] += kill.n_confirmed if is_chain(bench, kill) else kill.landed
        faulty[kill.scenario] += bool(kill.faults)
    for scenario in sorted(landed):
        print(f"{scenario:16} {landed[scenario]:5} kills, {faulty[scenario]} with a fault")
    print_result(
        "crash",
        seed=bench.seed,
        kills=sum(landed.values()),
        faults=sum(faulty.values()),
        answers=sum(k.n_answers for k in kills),
        lost_answers=sum(k.n_lost for k in kills),
        chunks_in_flight=sum(k.n_in_flight for k in kills),
        confirmed_steps=sum(k.n_confirmed for k in kills if not is_chain(bench, k)),
        seconds_each=round(seconds_each, 2),
        by_command=dict(sorted(landed.items())),
    )


def _small_models() -> Path:
    """Return a folder with links to the embedding model and the smallest chat model."""
    from desktop_app.engine import paths

    folder = Path(tempfile.mkdtemp(prefix="inkgraph-crash-models-"))
    atexit.register(shutil.rmtree, folder, True)
    for name in MODELS:
        for place in paths.model_folders():
            if (place / name).exists():
                for file in place.glob(f"{name}*"):
                    (folder / file.name).symlink_to(file.resolve())
                break
    return folder


if __name__ == "__main__":
    main()
