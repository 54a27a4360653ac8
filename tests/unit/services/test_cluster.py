"""Documents are read on a real cluster of this machine: the same library, whatever dies."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.cluster_processes import ROOT, ClusterProcesses
from desktop_app.cli import run_command
from desktop_app.cli.command_context import count_words
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.services.cluster.analysis import ClusterAnalysis
from desktop_app.engine.services.cluster.connection import (
    ClusterConnection,
    PendingTask,
    ResultLost,
    WorkersDied,
    parse_cluster_address,
    pick_versions,
)
from desktop_app.engine.services.cluster.embedding import (
    ClusterEmbedder,
    choose_batch,
    find_workers_without,
)
from desktop_app.engine.services.cluster.tasks import (
    FileResult,
    FileTask,
    describe_environment,
    find_difference,
    run_file_task,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.documents import DocumentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import documents, search
from desktop_app.engine.text.chunking import ChunkingSettings
from tests.encrypted_pdf import make_encrypted_pdf
from tests.library_rows import compare, list_rows

pytestmark = pytest.mark.loopback

# French has no tagger to load, which takes seconds in each process.
FRENCH = "Jean Valjean rencontra {name} dans la rue. {name} suivit Jean Valjean avec les gens. "
ENGLISH = (
    "Ada Byron wrote letters to Clara Wren in Leeds. Mrs. Wren, or Clara, answered Ada Byron. "
)
CHINESE = "柳三娘对沈砚说道：“苏州城里来了一位客人。”沈砚笑了，柳三娘也笑了。"
SETTINGS = ChunkingSettings()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterProcesses]:
    """Yield a scheduler with two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    # As the tests themselves: see conftest.
    made = ClusterProcesses(folder, {"INKGRAPH_HOME": str(folder), "PYTHONWARNINGS": "ignore"})
    made.start_workers(2)
    yield made
    made.close()


@pytest.fixture
def connect(cluster: ClusterProcesses) -> Iterator[Callable[[], ClusterConnection]]:
    made: list[ClusterConnection] = []

    def connect(address: str = cluster.address) -> ClusterConnection:
        made.append(ClusterConnection(address, connect_s=1.0))
        return made[-1]

    yield connect
    for one in made:
        one.close()


def write_books(folder: Path, n: int = 6, times: int = 30) -> list[Path]:
    """Write notes with different names."""
    folder.mkdir(exist_ok=True)
    files = []
    for number, name in enumerate(("Javert", "Cosette", "Marius", "Fantine", "Gavroche", "Ponine")):
        files.append(folder / f"{number} {name}.txt")
        files[-1].write_text(FRENCH.format(name=name) * times, "utf-8")
    return files[:n]


def index(
    library: Library, analysis: ClusterAnalysis | None = None, cancel: CancelToken | None = None
) -> None:
    service = IndexingService(library.writer, lambda: None, SETTINGS, analysis=analysis)
    service.run(embed=False, cancel=cancel)


def index_here(path: Path, files: list[Path], **options: Any) -> dict[str, list[str]]:
    """Return the rows of a library of these files that was made without a cluster."""
    library = Library(path)
    add_files(library.writer, files, **options)
    index(library)
    rows = list_rows(library.writer)
    library.close()
    return rows


# --- the same library -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param(FRENCH.format(name="Enjolras"), id="French"),
        pytest.param(ENGLISH, id="English", marks=pytest.mark.slow),
        pytest.param(CHINESE, id="Chinese", marks=pytest.mark.slow),
    ],
)
def test_a_library_made_on_the_cluster_is_the_same(tmp_path, connect, sentence):
    files = write_books(tmp_path / "files", 3)
    for name, content in {
        "letters.md": f"# Letters\n\n{sentence * 20}\n\n## More\n\n{sentence * 10}".encode(),
        "table.csv": "title,text\n"
        f"One,{FRENCH.format(name='Javert')}\nTwo,{FRENCH.format(name='Marius')}\n".encode(),
        "broken.pdf": b"%PDF-1.4\nnothing of a PDF",
        "locked.pdf": make_encrypted_pdf(FRENCH.format(name="Myriel"), "secret"),
    }.items():
        files.append(tmp_path / "files" / name)
        files[-1].write_bytes(content)
    wanted = index_here(tmp_path / "here.inkgraph", files, password="secret")
    library = Library(tmp_path / "cluster.inkgraph")
    add_files(library.writer, files, password="secret")
    seen: list[Progress] = []
    analysis = ClusterAnalysis(library.writer, connect(), SETTINGS, on_progress=seen.append)
    index(library, analysis)
    rows = list_rows(library.writer)
    compare(rows, wanted)
    assert len(rows["mention"]) > 100 and len(rows["relation"]) > 3 and len(rows["document"]) == 8
    # The broken and the locked one.
    assert (analysis.n_read, len(analysis.read_here)) == (7, 2)
    assert {(p.stage, p.total) for p in seen} == {("cluster", 7)}
    added = add_files(library.writer, files, password="secret")
    index(library, analysis)
    assert len(added.duplicates) == 6 and list_rows(library.writer) == rows
    library.close()


def test_the_author_that_the_user_named_counts_on_the_cluster_as_well(tmp_path, connect):
    [file] = write_books(tmp_path / "files", 1, times=2)
    made = []
    for name in ("here", "cluster"):
        library = Library(tmp_path / f"{name}.inkgraph")
        [document_id] = add_files(library.writer, [file]).documents
        DocumentService(library.writer).edit_details([document_id], author="Victor Hugo")
        analysis = None
        if name == "cluster":
            analysis = ClusterAnalysis(library.writer, connect(), SETTINGS, local=NothingHere())
        index(library, analysis)
        made.append(list_rows(library.writer))
        library.close()
    assert made[0]["mention"] == made[1]["mention"] != []


# --- whatever ends --------------------------------------------------------------------------------


def test_a_worker_that_is_killed_costs_nothing(tmp_path, cluster, connect):
    files = write_books(tmp_path / "files", times=150)
    wanted = index_here(tmp_path / "here.inkgraph", files)
    library = Library(tmp_path / "cluster.inkgraph")
    add_files(library.writer, files)

    def kill(progress: Progress) -> None:  # both workers have files to read
        if len(cluster.workers) == 2:
            cluster.kill_worker(cluster.workers[0])

    analysis = ClusterAnalysis(
        library.writer, connect(), SETTINGS, on_progress=kill, local=NothingHere()
    )
    index(library, analysis)
    rows = list_rows(library.writer)
    compare(rows, wanted)
    assert len(cluster.workers) == 1 and len(rows["document"]) == len(files)
    library.close()


def test_a_run_that_is_stopped_goes_on_without_the_cluster(tmp_path, connect, monkeypatch):
    files = write_books(tmp_path / "files")
    wanted = index_here(tmp_path / "here.inkgraph", files)
    library = Library(tmp_path / "cluster.inkgraph")
    add_files(library.writer, files)
    cancel = CancelToken()
    analysis = ClusterAnalysis(library.writer, connect(), SETTINGS)
    read = analysis.read

    def stop_at_the_third(file, **options):
        if analysis.n_read == 2:
            cancel.cancel()
            cancel.check()
        return read(file, **options)

    monkeypatch.setattr(analysis, "read", stop_at_the_third)
    with pytest.raises(Cancelled):
        index(library, analysis, cancel)
    assert documents.count_to_index(library.writer) == len(files) - 2
    index(library)
    rows = list_rows(library.writer)
    compare(rows, wanted)
    library.close()


def test_a_worker_with_another_version_is_named(tmp_path, cluster, connect):
    (tmp_path / "sitecustomize.py").write_text(
        "import desktop_app\ndesktop_app.__version__ = '0.0.1'\n", "utf-8"
    )
    path = os.pathsep.join([str(ROOT), str(tmp_path), os.environ.get("PYTHONPATH", "")])
    [worker] = cluster.start_workers(1, variables={"PYTHONPATH": path})
    with pytest.raises(EnvironmentProblem, match=r"The worker tcp://\S+ has Inkgraph 0.0.1, this"):
        connect()
    cluster.kill_worker(worker)


@pytest.mark.slow
def test_a_cluster_with_tls_needs_only_the_configuration_of_dask(tmp_path, connect):
    import dask
    from distributed import Security

    made = Security.temporary()
    ca, own = tmp_path / "ca.pem", tmp_path / "own.pem"
    ca.write_text(made.tls_ca_file, "utf-8")
    own.write_text(made.tls_client_cert + made.tls_client_key, "utf-8")
    variables = {"PYTHONWARNINGS": "ignore", "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(ca)}
    for role in ("SCHEDULER", "WORKER"):
        variables[f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT"] = str(own)
    cluster = ClusterProcesses(tmp_path, variables, "tls")
    try:
        cluster.start_workers(1)
        assert cluster.address.startswith("tls://")
        tls = {"ca-file": str(ca), "client.cert": str(own)}
        with dask.config.set({f"distributed.comm.tls.{name}": tls[name] for name in tls}):
            task = (running := connect(cluster.address)).submit(describe_environment_of, "")
            assert running.wait(task, CancelToken()) == describe_environment()
    finally:
        cluster.close()


@pytest.mark.slow
def test_a_worker_without_inkgraph_is_named(tmp_path, cluster, connect):
    (tmp_path / "desktop_app").mkdir()
    (tmp_path / "desktop_app" / "__init__.py").touch()
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    [worker] = cluster.start_workers(1, variables={"PYTHONPATH": path})
    with pytest.raises(EnvironmentProblem, match=r"can't load Inkgraph: .*No module named"):
        connect()
    cluster.kill_worker(worker)


def test_the_command_adds_with_the_cluster(tmp_path, cluster, monkeypatch, capsys):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    files = write_books(tmp_path / "files", 2)
    library = str(tmp_path / "a.inkgraph")
    command = ["add", "--library", library, "--cluster", cluster.address, "--no-embed"]
    assert run_command([*command, *map(str, files)]) == 0
    printed = capsys.readouterr()
    assert "2 added" in printed.out
    workers = count_words(len(cluster.workers), "worker")
    assert f"reading documents and finding names: 0 of 2, on {workers}" in printed.err


@pytest.mark.slow
def test_ctrl_c_stops_the_command_and_the_next_run_goes_on(tmp_path, cluster):
    files = write_books(tmp_path / "files", times=400)
    path = tmp_path / "b.inkgraph"
    command = [sys.executable, "-m", "desktop_app", "add", "--library", str(path), "--no-embed"]
    command += ["--cluster", cluster.address, *map(str, files)]
    environment = {**os.environ, "INKGRAPH_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    running = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    try:
        wait_for_documents(path, len(files))
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of the group
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
        running.wait()
    assert running.returncode == 130
    assert said.endswith("inkgraph: stopped; run the same command to go on.\n")
    with closing(Library(path)) as library:
        n_waiting = documents.count_to_index(library.writer)
    assert n_waiting > 0
    assert subprocess.run(command, env=environment, capture_output=True).returncode == 0
    with closing(Library(path)) as library:
        rows = list_rows(library.writer)
    compare(rows, index_here(tmp_path / "a.inkgraph", files))


def wait_for_documents(path: Path, n: int) -> None:
    """Wait until another process has added documents to a library, to be read next."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if path.exists():
            with closing(sqlite3.connect(path)) as db, suppress(sqlite3.OperationalError):
                if db.execute("SELECT count(*) FROM document").fetchone()[0] >= n:
                    return
        time.sleep(0.02)
    raise AssertionError(f"no {n} documents were added")


@pytest.mark.slow
def test_a_cluster_without_workers_is_refused(tmp_path, connect):
    cluster = ClusterProcesses(tmp_path, {"PYTHONWARNINGS": "ignore"})
    try:
        with pytest.raises(EnvironmentProblem, match=f"cluster at {cluster.address} has no worker"):
            connect(cluster.address)
        [worker] = cluster.start_workers(1)
        running = connect(cluster.address)
        running.no_worker_s = 0.0
        cluster.kill_worker(worker)
        task = running.submit(describe_environment_of, "")
        with pytest.raises(EnvironmentProblem, match="no worker any more"):
            running.wait(task, CancelToken())
    finally:
        cluster.close()


def describe_environment_of(_task: object) -> dict[str, str]:
    return describe_environment()


def test_a_scheduler_that_goes_away_ends_the_run_and_loses_nothing(tmp_path, cluster, connect):
    """The last of these tests: it ends the scheduler."""
    files = write_books(tmp_path / "files", 2)
    library = Library(tmp_path / "cluster.inkgraph")
    add_files(library.writer, files)

    def end(progress: Progress) -> None:
        cluster.scheduler.kill()
        cluster.scheduler.wait()

    analysis = ClusterAnalysis(library.writer, connect(), SETTINGS, on_progress=end)
    with pytest.raises(EnvironmentProblem, match="does not answer any more") as raised:
        index(library, analysis)
    assert "run the same command again" in str(raised.value)
    assert documents.count_to_index(library.writer) == 2
    index(library)
    assert library.writer.column("SELECT state FROM document") == ["ready", "ready"]
    library.close()


# --- without a cluster ----------------------------------------------------------------------------


def test_nobody_answers(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(ClusterConnection.__init__, "__defaults__", (0.3,))  # seconds to connect
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EnvironmentProblem, match=f"No scheduler answers at {address}"):
            ClusterConnection(address)
    library = tmp_path / "a.inkgraph"
    command = ["add", "--library", str(library), "--cluster", address, str(tmp_path)]
    assert run_command(command) == 2
    assert "No scheduler answers" in capsys.readouterr().err
    assert not library.exists()


@pytest.mark.parametrize("address", ["", " ", "localhost"])
def test_an_empty_address_does_not_mean_this_computer(tmp_path, capsys, address):
    Library(tmp_path / "a.inkgraph").close()
    (tmp_path / "note.txt").write_text("Ada Byron wrote a note.")
    for command in (["enrich"], ["add", str(tmp_path / "note.txt")]):
        command += ["--library", str(tmp_path / "a.inkgraph"), "--cluster", address]
        with pytest.raises(SystemExit) as ended:
            run_command(command)
        assert ended.value.code == 1 and "no address of a cluster" in capsys.readouterr().err


def test_a_server_that_is_no_scheduler_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        sender = subprocess.Popen(
            [sys.executable, "-c", SEND_NONSENSE, str(server.fileno())],
            pass_fds=[server.fileno()],
        )
        with pytest.raises(EnvironmentProblem, match=f"at {address}"):
            ClusterConnection(address, connect_s=5.0)
        sender.kill()
        sender.wait()


SEND_NONSENSE = """
import socket, sys
server = socket.socket(fileno=int(sys.argv[1]))
while True:
    connection, _ = server.accept()
    connection.sendall(b"HTTP/1.1 400 Bad Request" * 50)
    connection.close()
"""


def test_tls_needs_a_certificate():
    with pytest.raises(EnvironmentProblem, match="a certificate is needed"):
        ClusterConnection("tls://127.0.0.1:8786")


def test_without_the_package_a_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EnvironmentProblem, match=r"pip install “inkgraph\[cluster\]”"):
        ClusterConnection("tcp://127.0.0.1:8786")


def test_dask_is_not_imported_without_a_cluster():
    code = (
        "import sys, desktop_app.cli, desktop_app.engine.services.cluster.analysis\n"
        "sys.exit(any(name in sys.modules for name in ('dask', 'distributed')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "host:8786",
        "http://host:8786",
        "tcp://host",
        "tcp://host:0",
        "tcp://a b:1",
        "tcp://h:1/x",
    ],
)
def test_no_address(text):
    with pytest.raises(UserError, match="tcp://HOST:PORT"):
        parse_cluster_address(text)


@pytest.mark.parametrize("text", ["tcp://10.0.0.1:8786", "tls://node-1.lan:1", "tcp://[::1]:8786"])
def test_addresses(text):
    assert parse_cluster_address(f" {text} ") == text


def test_versions_are_compared():
    packages = {"python": "3.11.7.final.0", "distributed": "1", "dask": "1", "numpy": "1"}
    own = pick_versions({"packages": packages})
    same = pick_versions({"packages": {**packages, "python": "3.11.9.final.0", "numpy": "2"}})
    assert find_difference(own, same) is None
    older = pick_versions({"packages": {**packages, "python": "3.10.7.final.0"}})
    assert find_difference(own, older) == ("Python", "3.11", "3.10")
    other = pick_versions({"packages": {**packages, "distributed": "2"}})
    assert find_difference(own, other) == ("distributed", "1", "2")
    here = describe_environment()
    assert find_difference(here, {n: v for n, v in here.items() if n != "spacy"})[2] == ""


def test_a_worker_that_joins_with_another_version_reads_nothing():
    here = describe_environment()
    task = FileTask("a.txt", "", b"Ada", SETTINGS, None, {**here, "spacy": "1.0"})
    result = run_file_task(task)
    assert result.documents == () and f"has spacy {here['spacy']}" in result.problem
    assert "Ada" not in repr(task)  # a worker prints tasks that fail


# --- what the cluster answers ---------------------------------------------------------------------


class ScriptedCluster:
    """Answers the tasks in turn: with a result, or by raising an error."""

    n_workers = n_threads = 1

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)
        self.environment = describe_environment()
        self.sent: list[str] = []

    def submit(self, function: object, task: FileTask) -> PendingTask:
        self.sent.append(task.file_name)
        return PendingTask(None)

    def start_fetching(self, pending: PendingTask) -> None: ...

    def wait_until_connected(self, cancel: CancelToken) -> None: ...

    def wait(self, pending: PendingTask, cancel: CancelToken, on_wait: Callable[[], None]) -> Any:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def drop(self, pending: PendingTask) -> None: ...


@pytest.fixture
def index_scripted(library: Library, tmp_path: Path) -> Callable[..., ScriptedCluster]:
    """Return a function that indexes two files with these answers of a cluster."""

    def run(*answers: object) -> ScriptedCluster:
        cluster = ScriptedCluster(*answers)
        add_files(library.writer, write_books(tmp_path / "files", 2, times=1))
        index(library, ClusterAnalysis(library.writer, cluster, SETTINGS))  # type: ignore[arg-type]
        return cluster

    return run


def test_lost_results_are_asked_for_again_and_then_made_here(library, index_scripted):
    cluster = index_scripted(ResultLost(), ResultLost(), ResultLost(), FileResult())
    first, second = "0 Javert.txt", "1 Cosette.txt"
    assert cluster.sent == [first, second, first, second, first, second, second]
    assert library.writer.column("SELECT state FROM document") == ["ready", "ready"]


def test_a_file_on_which_workers_die_is_read_here(library, index_scripted):
    index_scripted(WorkersDied(), FileResult())
    assert library.writer.column("SELECT state FROM document") == ["ready", "ready"]


def test_a_worker_that_can_t_work_ends_the_run(library, index_scripted):
    broken = FileResult(problem=Message("no memory is left."), worker="node-7")
    with pytest.raises(EnvironmentProblem, match="The worker on node-7 can't be used: no memory"):
        index_scripted(broken)
    assert documents.count_to_index(library.writer) == 2


@pytest.mark.slow
@pytest.mark.model
def test_vectors_are_computed_by_workers_that_have_the_model(tmp_path, connect, small_models):
    from desktop_app.engine.llm.registry import ModelRegistry

    cluster = ClusterProcesses(
        tmp_path, {"PYTHONWARNINGS": "ignore", "INKGRAPH_MODELS": str(small_models)}
    )
    registry = ModelRegistry([small_models])
    library = Library(tmp_path / "a.inkgraph")
    try:
        local = registry.find_embedder()
        if local is None:
            pytest.skip("no embedding model is installed")
        cluster.start_workers(1, 2)
        connection = connect(cluster.address)
        assert find_workers_without(connection, local.name) == []
        texts = [FRENCH.format(name=f"Valjean {number}") for number in range(40)]
        embedder = ClusterEmbedder(local, connection, CancelToken())
        rows = embedder.embed_passages(texts)
        assert rows.shape == (40, local.dim) and embedder.n_here == 0
        assert np.einsum("nd,nd->n", rows, local.embed_passages(texts)).min() > 0.999
        add_files(library.writer, write_books(tmp_path / "files", 2))
        IndexingService(
            library.writer, lambda: embedder, SETTINGS, batch=choose_batch(connection)
        ).run()
        assert search.count_unembedded(library.writer) == 0 and embedder.n_here == 0
        assert search.find_embedding_model(library.writer) == (local.name, local.dim)
        [worker] = cluster.start_workers(1, variables={"INKGRAPH_MODELS": str(tmp_path / "none")})
        [without] = find_workers_without(connection, local.name)
        assert without.startswith("tcp://127.0.0.1:")
        cluster.kill_worker(cluster.workers[0])  # only the one without the model is left
        assert len(embedder.embed_passages(texts)) == 40 and embedder.n_here == 40
        assert worker in cluster.workers
    finally:
        library.close()
        registry.close()
        cluster.close()


class NothingHere:
    """Fails where something is done on this computer."""

    def read(self, *arguments, **options):
        raise AssertionError("read here")

    def split(self, *arguments, **options):
        raise AssertionError("split here")

    def extract(self, *arguments, **options):
        raise AssertionError("extracted here")
