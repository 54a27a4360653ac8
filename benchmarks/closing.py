"""Time from closing the window to the end of its process, for each kind of running work.

Each kind runs in a process of its own: it opens the window on a library of a synthetic text,
starts the work, and closes the window once the work runs. Then the library is checked. Without
installed models, small models of random weights do the work. `--rounds N` repeats all kinds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_app.engine import paths

from .common import make_parser, print_result
from .live_objects import note_made

if TYPE_CHECKING:
    from desktop_app.workers.lane import Job

HANG_S = 300.0  # opening the window included, on a machine that does much else
POLL_MS = 20
TEXT_CHARS = 100_000
ENDLESS_SQL = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?)"
    " SELECT count(*) FROM n"
)


# --- what is made before --------------------------------------------------------------------------


def write_text(n_chars: int, seed: int = 7) -> str:
    """Return a synthetic English text with many names."""
    rng = random.Random(seed)
    starts = ("Ar", "Bel", "Cor", "Dun", "El", "Far", "Gor", "Hal", "Is", "Jor", "Kel", "Lor")
    ends = ("den", "wick", "ton", "mere", "ford", "ley", "by", "stone", "worth", "field")
    names = [f"{a}{b}" for a in starts for b in ends]
    verbs = ("met", "followed", "wrote to", "married", "accused", "visited", "remembered")
    parts: list[str] = []
    size = 0
    while size < n_chars:
        one, other = rng.choice(names), rng.choice(names)
        place, verb = rng.choice(names), rng.choice(verbs)
        parts.append(f"Mr. {one} {verb} Miss {other} in {place} before the winter was over. ")
        size += len(parts[-1])
        if rng.random() < 0.1:
            parts.append("\n\n")
    return "".join(parts)


def write_slow_pdf(path: Path) -> None:
    """Write a PDF of a few kilobytes whose page has five million text objects."""
    one = b"BT /F1 9 Tf 10 10 Td (a) Tj ET\n"
    packer, body = zlib.compressobj(9), b""
    for _ in range(500):
        body += packer.compress(one * 10_000)
    body += packer.flush()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(body), body),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\n" % table
    path.write_bytes(out + b"startxref\n%d\n%%%%EOF" % out.index(b"xref"))


def prepare(folder: Path, *, n_chars: int = TEXT_CHARS, use_installed_models: bool = True) -> Path:
    """Make the library, the models and the files in a folder; return the library."""
    from desktop_app.engine.services.document_import import add_text
    from desktop_app.engine.services.indexing import IndexingService
    from desktop_app.engine.services.library import Library

    library = Library(folder / "base.inkgraph")
    add_text(library.writer, "Annals", write_text(n_chars))
    IndexingService(library.writer, lambda: None).run(embed=False)
    library.close()
    write_slow_pdf(folder / "slow.pdf")
    (folder / "next.txt").write_text(write_text(n_chars, seed=8), "utf-8")
    models = folder / "models"
    models.mkdir()
    installed = [
        file
        for place in paths.model_folders()
        for name in ("multilingual-e5-small*", "qwen*1.5b*")
        for file in place.glob(name)
        if use_installed_models
    ]
    for file in installed:
        if not (models / file.name).exists():
            (models / file.name).symlink_to(file.resolve())
    if not installed:
        from desktop_app.engine.llm.trial_child import write_chat_model, write_embedding_model

        write_chat_model(models / "chat.gguf")
        write_embedding_model(models / "embedding.gguf")
    return library.path


# --- the kinds of work, in the process of the window ----------------------------------------------


@dataclass
class Running:
    """The parts of the window that the kinds of work use.

    Attributes:
        stages: those that work has reported so far.
        is_begun: set by work that reports no stage.
    """

    session: Any
    window: Any
    folder: Path
    stages: list[str] = field(default_factory=list)
    is_begun: threading.Event = field(default_factory=threading.Event)

    @property
    def context(self) -> Any:
        return self.window.context

    def submit(self, lane: Any, work: Callable[[Any], Any]) -> None:
        """Run `work(job)` in a lane; it counts as running when it begins."""
        from desktop_app.workers.operations import Work

        def run(job: Any) -> Any:
            self.is_begun.set()
            return work(job)

        Work(lane, run, label="closing").run()

    def watch(self, runner: Any, stage: str) -> Callable[[], bool]:
        """Return whether a runner has reported a stage with something done."""
        runner.progressed.connect(lambda p: self.stages.append(p.stage))
        return lambda: stage in self.stages


Starter = Callable[[Running], Callable[[], bool]]


def read_pdf(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.text.reader_process import shared_reader

    is_reading = running.watch(running.session.indexing_runner, "reading")
    running.session.indexing_runner.start()  # it was paused
    running.session.add_paths([str(running.folder / "slow.pdf")])
    return lambda: is_reading() and shared_reader().child_pid is not None


def index_text(running: Running) -> Callable[[], bool]:
    is_running = running.watch(running.session.indexing_runner, "names")
    running.session.indexing_runner.start()  # it was paused
    running.session.add_paths([str(running.folder / "next.txt")])
    return is_running


def embed(running: Running) -> Callable[[], bool]:
    is_running = running.watch(running.session.indexing_runner, "embedding")
    running.session.indexing_runner.start()
    return is_running


def enrich(running: Running) -> Callable[[], bool]:
    from desktop_app.workers.operations import Query

    services = running.session.services
    begun: list[object] = []
    runner = services.enrichment_runner
    runner.progressed.connect(begun.append)
    queue = Query(services.writer_lane, services.enrichment.enqueue, None)
    queue.on_success(lambda _: runner.start()).run()
    return lambda: bool(begun)


def answer(running: Running) -> Callable[[], bool]:
    services, begun = running.session.services, threading.Event()

    def note(progress: Any) -> None:
        if progress.stage in ("reading", "answering", "writing"):
            begun.set()

    def ask(job: Any) -> None:
        chat_id = services.chats.create_chat()
        services.answer_pipeline.ask(
            chat_id,
            "Who met Mr. Arden in Belwick, and why did they follow him?",
            cancel=job.cancel_token,
            on_step=note,
            on_piece=lambda piece: begun.set(),
        )

    running.submit(services.model_lane, ask)
    return begun.is_set


def write_reports(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.communities.updater import refresh_communities
    from desktop_app.workers.background_jobs import ReportOrder
    from desktop_app.workers.operations import Query

    communities = running.session.services.communities
    begun: list[object] = []
    communities.runner.progressed.connect(begun.append)

    def make() -> None:
        refresh_communities(running.session.library.writer)
        communities.job.add(ReportOrder())

    queue = Query(running.session.services.writer_lane, make)
    queue.on_success(lambda _: communities.runner.start()).run()
    return lambda: bool(begun)


def read_sql(running: Running) -> Callable[[], bool]:
    db = running.session.model_db
    running.submit(running.session.lanes["reader"], lambda job: db.rows(ENDLESS_SQL, (10**12,)))
    return running.is_begun.is_set


def write_sql(running: Running) -> Callable[[], bool]:
    db = running.session.library.writer

    def work(_: Any) -> None:
        with db.transaction():
            db.write("INSERT INTO setting(key, value) VALUES ('closing', '1')")
            db.rows(ENDLESS_SQL, (10**12,))

    running.submit(running.session.lanes["writer"], work)
    return running.is_begun.is_set


def merge(running: Running) -> Callable[[], bool]:
    services = running.session.services

    def work(_: Any) -> None:
        names = services.library_reader.top_entities(200)
        for one, other in zip(names[::2], names[1::2], strict=False):
            services.editing.merge(one.id, [other.id])

    running.submit(services.writer_lane, work)
    return running.is_begun.is_set


def rebuild_graph(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.services.graph_update import update_graph

    db = running.session.library.writer

    def work(_: Any) -> None:
        while True:
            with db.transaction():
                update_graph(db)

    running.submit(running.session.lanes["indexing"], work)
    return running.is_begun.is_set


def import_graph(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.services.exporting.parquet import export_tables
    from desktop_app.engine.services.importing.service import import_graph as take_in
    from desktop_app.engine.services.library import Library

    tables = running.folder / "graphrag"
    if not tables.exists():
        copy = running.folder / "exported.inkgraph"
        shutil.copyfile(running.folder / "base.inkgraph", copy)
        source = Library(copy)
        export_tables(source.writer, tables)
        source.close()
        copy.unlink()
    db = running.session.library.writer
    running.submit(
        running.session.lanes["files"],
        lambda job: take_in(db, tables, cancel=job.cancel_token),
    )
    return running.is_begun.is_set


def export_graph(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.services.exporting.parquet import export_tables

    db, target = running.session.library.writer, running.folder / "exported"
    running.submit(running.session.lanes["reader"], lambda job: export_tables(db, target))
    return running.is_begun.is_set


def back_up(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.services import library

    path, target = running.session.library.path, running.folder / "copy.inkgraph"

    def work(_: Any) -> None:
        while True:
            library.write_backup(path, target)

    running.submit(running.session.lanes["files"], work)
    return running.is_begun.is_set


def compact(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.services import library

    db = running.session.library.writer
    running.submit(running.session.lanes["writer"], lambda job: library.compact(db))
    return running.is_begun.is_set


def load_model(running: Running) -> Callable[[], bool]:
    registry = running.session.services.model_registry
    running.submit(running.session.lanes["model"], lambda job: registry.find_chat())
    return running.is_begun.is_set


def try_model(running: Running) -> Callable[[], bool]:
    from desktop_app.engine.llm.trial import run_trial

    running.submit(running.session.lanes["model"], lambda job: run_trial())
    return running.is_begun.is_set


def install(running: Running) -> Callable[[], bool]:
    server = socket.create_server(("127.0.0.1", 0))  # takes the connection and never answers
    os.environ["PIP_INDEX_URL"] = f"http://127.0.0.1:{server.getsockname()[1]}/simple"
    os.environ["PIP_CONFIG_FILE"] = os.devnull
    registry = running.session.services.model_registry
    registry._folders.insert(0, running.folder / "installed")
    running.submit(
        running.session.lanes["model"],
        lambda job: registry.install("smollm2-135m-instruct", job.cancel_token, job.report),
    )
    threading.Thread(target=server.accept, daemon=True).start()
    return running.is_begun.is_set


def idle(running: Running) -> Callable[[], bool]:
    return lambda: True


def wait_in(lanes: list[str]) -> Starter:
    """Return work in lanes that does not return, as a call of native code that hangs."""

    def start(running: Running) -> Callable[[], bool]:
        reader, graph = running.window.screens.reader, running.window.screens.graph
        others = {"pdf pages": reader.pdf_view.worker.lane}
        others["graph layout"] = graph.navigation.loader.lane
        known = running.session.lanes | others
        begun = [threading.Event() for _ in lanes]

        def hang(mark: threading.Event, _job: Job) -> None:
            mark.set()
            threading.Event().wait()

        for lane, mark in zip(lanes, begun, strict=True):
            running.submit(known[lane], partial(hang, mark))
        return lambda: all(mark.is_set() for mark in begun)

    return start


def begin_in_turn(*starters: Starter) -> Starter:
    """Return several kinds of work at once; each is started when the one before runs."""

    def start(running: Running) -> Callable[[], bool]:
        waiting = list(starters)
        begun: list[Callable[[], bool]] = []

        def are_running() -> bool:
            if begun and not begun[-1]():
                return False
            if not waiting:
                return True
            own = replace(running, stages=[], is_begun=threading.Event())
            begun.append(waiting.pop(0)(own))
            return False

        return are_running

    return start


def list_kinds() -> dict[str, Starter]:
    """Return all kinds of work by name; one for each lane, too, that never ends."""
    from desktop_app.session import LANES

    kinds: dict[str, Starter] = {
        "nothing": idle,
        "reading a PDF": read_pdf,
        "indexing": index_text,
        "embedding": embed,
        "enrichment": enrich,
        "answering": answer,
        "reports": write_reports,
        "SQL, reading": read_sql,
        "SQL, writing": write_sql,
        "merging": merge,
        "updating the graph": rebuild_graph,
        "import": import_graph,
        "export": export_graph,
        "backup": back_up,
        "compacting": compact,
        "loading a model": load_model,
        "trial": try_model,
        "installing": install,
        "several at once": begin_in_turn(read_pdf, answer, write_sql),
    }
    for lane in (*LANES, "pdf pages", "graph layout"):
        kinds[f"hanging: {lane}"] = wait_in([lane])
    kinds["hanging: all lanes"] = wait_in([*LANES, "pdf pages", "graph layout"])
    return kinds


def run_window(kind: str, folder: Path) -> int:
    """Open the window, start the work, close the window once it runs; return the exit code."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from desktop_app.__main__ import run
    from desktop_app.session import Session
    from desktop_app.ui.shell.main_window import MainWindow

    application = QApplication(sys.argv[:1])
    timer = QTimer(interval=POLL_MS)
    state: dict[str, Any] = {}

    def look() -> None:
        windows = [w for w in application.topLevelWidgets() if isinstance(w, MainWindow)]
        if "is_running" not in state:
            if windows and windows[0].isVisible():
                [session] = sessions
                # Work of the start, such as the trial of the models, is not what is measured.
                session.indexing_runner.pause()
                if any(lane.n_jobs for lane in session.lanes.values()) and kind != "trial":
                    return
                state["is_running"] = list_kinds()[kind](Running(session, windows[0], folder))
        elif state["is_running"]():
            timer.stop()
            (folder / "closed_at").write_text(str(time.time()))
            windows[0].close()

    timer.timeout.connect(look)
    timer.start()
    with note_made(Session) as sessions:
        return run(["--library", str(folder / "library.inkgraph")])


# --- the measurement ---------------------------------------------------------------------------


@dataclass
class Closed:
    """How a process ended after its window was closed."""

    kind: str
    code: int | None  # None: it was killed because it did not end
    seconds: float
    problems: list[str]
    n_documents: int
    errors: str


def close_during(kind: str, folder: Path) -> Closed:
    """Start the window on a copy of the library and close it during this kind of work."""
    library = folder / "library.inkgraph"
    for file in folder.glob("library.inkgraph*"):
        file.unlink()
    shutil.copyfile(folder / "base.inkgraph", library)
    (folder / "closed_at").unlink(missing_ok=True)
    environment = os.environ | {
        "INKGRAPH_HOME": str(folder / "home"),
        "INKGRAPH_MODELS": str(folder / "models"),
        "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        "INKGRAPH_SUPERVISED": "1",
    }
    command = [sys.executable, "-m", "benchmarks.closing", "--run", kind, "--folder", str(folder)]
    with (folder / "errors").open("w+b") as errors:
        child = subprocess.Popen(command, env=environment, stderr=errors, stdout=errors)
        code: int | None
        try:
            code = child.wait(HANG_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            code = None
        ended_at = time.time()
        errors.seek(0)
        text = errors.read().decode("utf-8", "replace")
    for record in (folder / "home" / "logs").glob(f"session-*-{child.pid}.txt"):
        text += record.read_text("utf-8", "replace")  # the stacks of all threads, after a crash
    mark = folder / "closed_at"
    seconds = ended_at - float(mark.read_text()) if mark.exists() else -1.0
    from desktop_app.engine.store.db import Db

    db = Db(library)
    problems = db.integrity_problems()
    n_documents = int(db.value("SELECT count(*) FROM document"))
    db.close()
    return Closed(kind, code, seconds, problems, n_documents, text)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds whose name contains this")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        sys.exit(run_window(options.run, options.folder))
    with tempfile.TemporaryDirectory(prefix="inkgraph-closing-") as name:
        folder = Path(name)
        prepare(folder)
        close_during("nothing", folder)  # the models are tried now, and the disk is warm
        found = []
        for kind in options.rounds * [k for k in list_kinds() if options.only in k]:
            found.append(one := close_during(kind, folder))
            line = f"{one.kind:24} {one.seconds:6.2f} s, exit code {one.code} {one.problems or ''}"
            print(line, flush=True)
            if one.code != 0:
                print(one.errors[-3000:], flush=True)
    times = sorted(one.seconds for one in found)
    print_result(
        "closing",
        n=len(found),
        p50_s=round(times[len(times) // 2], 2),
        p95_s=round(times[min(len(times) - 1, int(len(times) * 0.95))], 2),
        longest_s=round(times[-1], 2),
        not_clean=sum(one.code != 0 for one in found),
        unsound=sum(bool(one.problems) for one in found),
    )
    sys.stdout.write(json.dumps({one.kind: round(one.seconds, 2) for one in found}) + "\n")


if __name__ == "__main__":
    main()
