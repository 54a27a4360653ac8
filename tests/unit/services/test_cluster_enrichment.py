"""Passages are enriched by the chat models of a real cluster: the same library, whatever dies."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.cluster_processes import ClusterProcesses
from desktop_app.cli import run_command
from desktop_app.cli.cluster import open_programs
from desktop_app.cli.command_context import count_words
from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.llm.registry import ModelRegistry
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.services.cluster import tasks
from desktop_app.engine.services.cluster.connection import (
    ClusterConnection,
    PendingTask,
    ResultLost,
    WorkersDied,
)
from desktop_app.engine.services.cluster.enrichment import ClusterPrograms
from desktop_app.engine.services.cluster.tasks import (
    ChatFile,
    ProgramTask,
    ProgramTaskResult,
    describe_chat_environment,
    run_program_task,
)
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.enrichment import grouped_programs
from desktop_app.engine.services.enrichment.rates import ChatFacts
from desktop_app.engine.services.enrichment.service import EnrichmentService
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library import Library
from desktop_app.engine.store import enrichment
from desktop_app.engine.text.chunking import ChunkingSettings
from tests.library_rows import compare, list_rows

pytestmark = [pytest.mark.loopback, pytest.mark.model]

MODEL = "random"
# French has no tagger to load, which takes seconds in each process.
FRENCH = (
    "En {year}, Jean Valjean rencontra {name} dans la rue de Digne. Le soir, {name} suivit Jean"
    " Valjean avec {year} personnes de la ville. "
)
NAMES = ("Javert", "Marius", "Fantine")
GROUP, N_CHUNKS = 3, 14


@pytest.fixture(scope="module")
def models(random_chat: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one chat model."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copy(random_chat, folder / f"{MODEL}.gguf")
    return folder


@pytest.fixture(scope="module")
def cluster(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterProcesses]:
    """Yield a scheduler with two workers that have the model."""
    folder = tmp_path_factory.mktemp("cluster")
    variables = {"INKGRAPH_HOME": str(folder), "INKGRAPH_MODELS": str(models)}
    made = ClusterProcesses(folder, {**variables, "PYTHONWARNINGS": "ignore"})
    made.start_workers(2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library whose passages are queued: three in each of four documents."""
    folder = tmp_path_factory.mktemp("indexed")
    files = []
    for name in NAMES:
        files.append(folder / f"{name}.txt")
        years = range(1800, 1804)
        files[-1].write_text("".join(FRENCH.format(name=name, year=y) for y in years), "utf-8")
    # Its questions are those of another document.
    files.append(folder / "again.txt")
    files[-1].write_text(f"{files[0].read_text('utf-8')}\n\nFin.", "utf-8")
    path = folder / "indexed.inkgraph"
    with closing(Library(path)) as library:
        add_files(library.writer, files)
        chunking = ChunkingSettings(chunk_token_size=60)
        IndexingService(library.writer, lambda: None, chunking).run(embed=False)
        service = EnrichmentService(library.writer, lambda: None, find_facts=lambda: FACTS)
        service.save_settings(replace(service.load_settings(), describe="never"))
        service.enqueue()
        assert enrichment.count_wanted(library.writer)[0] == N_CHUNKS
    return path


FACTS = ChatFacts(MODEL, 10_000_000)


@pytest.fixture(scope="module")
def registry(models: Path) -> Iterator[ModelRegistry]:
    made = ModelRegistry([models])
    yield made
    made.close()


@pytest.fixture(autouse=True)
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouped_programs, "GROUP", GROUP)


@pytest.fixture
def connect(cluster: ClusterProcesses) -> Iterator[Callable[[], ClusterConnection]]:
    made: list[ClusterConnection] = []

    def connect() -> ClusterConnection:
        made.append(ClusterConnection(cluster.address, connect_s=5.0))
        return made[-1]

    yield connect
    for one in made:
        one.close()


@pytest.fixture
def enrich(
    indexed: Path, registry: ModelRegistry, tmp_path: Path, models_are_not_tried: None
) -> Callable[..., Enriched]:
    """Return a function that enriches a copy of the library on a cluster."""

    def run(cluster: Any = None, name: str = "copy", **options: Any) -> Enriched:
        path = tmp_path / f"{name}.inkgraph"
        if not path.exists():
            shutil.copy(indexed, path)
        return Enriched(path, registry, cluster, **options)

    return run


class Enriched:
    """A library that was enriched.

    Attributes:
        error: what ended the run.
        rows: of all tables, without costs and speeds.
    """

    def __init__(self, path: Path, registry: ModelRegistry, cluster: Any, **options: Any) -> None:
        self.error: Exception | None = None
        self.programs: ClusterPrograms | None = None
        with closing(Library(path)) as library:
            service = EnrichmentService(
                library.writer, registry.find_chat, find_facts=lambda: FACTS
            )
            if cluster is not None:
                self.programs = ClusterPrograms(cluster, registry, MODEL, registry.find_chat)
            try:
                self.result = service.run(runner=self.programs, **options)
            except (Cancelled, EnvironmentProblem) as error:
                self.error = error
            self.n_waiting = enrichment.count_wanted(library.writer)[0]
            self.rows = list_rows(library.writer)
        settings = self.rows["setting"]
        self.rows["setting"] = [row for row in settings if "enrich_rate" not in row]


class HereCluster:
    """Runs tasks in this process when their results are waited for.

    Args:
        change: gets each result before it is returned.
    """

    def __init__(
        self,
        n_workers: int = 1,
        change: Callable[[ProgramTaskResult], ProgramTaskResult] = lambda result: result,
    ) -> None:
        self.n_workers = n_workers
        self._change = change
        self.sent: list[tuple[Any, ...]] = []
        self.n_ahead = self.n_ahead_most = self.n_dropped = 0
        self.failures: list[Exception] = []
        self.notified: list[object] = []

    def ask_workers(self, function: Callable[[], Any]) -> dict[str, Any]:
        return {"tcp://here:1": function()}

    def notify_workers(self, function: object) -> None:
        self.notified.append(function)

    def submit(self, function: object, task: ProgramTask) -> PendingTask:
        self.sent.append(tuple(recipe.key for recipe in task.recipes))
        self.n_ahead += 1
        self.n_ahead_most = max(self.n_ahead_most, self.n_ahead)
        return PendingTask(task)

    def start_fetching(self, pending: PendingTask) -> None: ...

    def wait_until_connected(self, cancel: CancelToken) -> None: ...

    def wait(self, pending: PendingTask, cancel: CancelToken) -> ProgramTaskResult:
        self.n_ahead -= 1
        if self.failures:
            raise self.failures.pop(0)
        return self._change(run_program_task(pending.future))

    def drop(self, pending: PendingTask) -> None:
        self.n_dropped += 1


@pytest.fixture(scope="module", autouse=True)
def worker_models(models: Path) -> Iterator[None]:
    """Let tasks that run in this process find the model."""
    tasks._open_models.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INKGRAPH_MODELS", str(models))
        tasks._open_models()
    yield
    tasks._open_models().close()
    tasks._open_models.cache_clear()


@pytest.fixture(scope="module")
def wanted(
    indexed: Path, registry: ModelRegistry, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Return the rows of the library that one worker makes."""
    path = tmp_path_factory.mktemp("wanted") / "wanted.inkgraph"
    shutil.copy(indexed, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouped_programs, "GROUP", GROUP)
        made = Enriched(path, registry, HereCluster())
    assert (made.result.n_done, made.result.n_failed, made.n_waiting) == (N_CHUNKS, 0, 0)
    assert len(made.rows["model_cache"]) > 40 and len(made.rows["name_claim"]) > 20
    return made.rows


def count_rows(rows: dict[str, list[str]]) -> dict[str, int]:
    return {table: len(some) for table, some in rows.items()}


# --- the same library -----------------------------------------------------------------------------


def test_two_workers_make_the_library_that_one_makes(connect, enrich, wanted):
    made = enrich(connect())
    assert made.error is None and made.n_waiting == 0
    assert made.programs is not None and made.programs.n_here == 0
    compare(made.rows, wanted)


def test_a_killed_worker_costs_only_time(cluster, connect, enrich, wanted):
    n_before = len(cluster.workers)

    def kill(progress: Progress) -> None:
        if progress.done == GROUP and len(cluster.workers) == n_before:
            cluster.kill_worker(cluster.workers[0])

    made = enrich(connect(), on_progress=kill)
    assert len(cluster.workers) == n_before - 1
    assert made.error is None and made.programs.n_here == 0
    compare(made.rows, wanted)


def test_a_stopped_run_goes_on_later(connect, enrich, wanted):
    cancel = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.done == GROUP:
            cancel.cancel()

    stopped = enrich(connect(), cancel=cancel, on_progress=stop)
    assert isinstance(stopped.error, Cancelled)
    assert stopped.n_waiting == N_CHUNKS - GROUP
    made = enrich(connect())
    assert (made.error, made.n_waiting) == (None, 0)
    # A passage that is repeated word for word is answered from the first run, so that the other
    # ones of its group are fewer.
    assert count_rows(made.rows) == count_rows(wanted)


def test_the_command_enriches_with_the_cluster(
    cluster, indexed, models, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(models))
    library = shutil.copy(indexed, tmp_path / "a.inkgraph")
    command = ["enrich", "--library", str(library), "--cluster", cluster.address]
    assert run_command(command) == 0
    printed = capsys.readouterr()
    assert f"{N_CHUNKS} chunks in " in printed.out
    assert f"on {count_words(len(cluster.workers), 'worker')}" in printed.err
    assert run_command([*command, "--status"]) == 1
    assert "only used for enriching" in capsys.readouterr().err


def test_without_a_cluster_fixed_groups_make_the_same_library(
    indexed, models, wanted, tmp_path, monkeypatch, capsys, models_are_not_tried
):
    monkeypatch.setenv("INKGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INKGRAPH_MODELS", str(models))
    path = Path(shutil.copy(indexed, tmp_path / "a.inkgraph"))
    command = ["enrich", "--library", str(path), "--fixed-groups"]
    assert run_command(command) == 0
    assert f"{N_CHUNKS} chunks in " in capsys.readouterr().out
    with closing(Library(path)) as library:
        rows = list_rows(library.writer)
    rates = [row for row in rows["setting"] if "enrich_rate" in row]
    assert rates and all("in groups" in row for row in rates)  # other estimates stay right
    rows["setting"] = [row for row in rows["setting"] if row not in rates]
    compare(rows, wanted)


@pytest.mark.slow
def test_a_worker_without_the_model_is_named(cluster, connect, registry, tmp_path):
    [worker] = cluster.start_workers(1, variables={"INKGRAPH_MODELS": str(tmp_path)})
    with pytest.raises(EnvironmentProblem, match=r"chat model random: tcp://\S+$") as raised:
        ClusterPrograms(connect(), registry, MODEL, registry.find_chat)
    assert "inkgraph models install random" in str(raised.value)
    cluster.kill_worker(worker)


@pytest.mark.slow
def test_a_scheduler_that_goes_away_ends_the_run_and_loses_nothing(cluster, connect, enrich):
    """The last of the tests with a cluster: it ends the scheduler."""

    def end(progress: Progress) -> None:
        if progress.done == GROUP and cluster.scheduler.poll() is None:
            cluster.scheduler.kill()
            cluster.scheduler.wait()

    made = enrich(connect(), on_progress=end)
    assert isinstance(made.error, EnvironmentProblem)
    assert "does not answer any more" in str(made.error)
    assert 0 < made.n_waiting <= N_CHUNKS - GROUP
    rest = enrich()
    assert (rest.error, rest.n_waiting) == (None, 0)
    assert rest.result.n_done == made.n_waiting


# --- answers of workers ---------------------------------------------------------------------------


def test_the_library_does_not_depend_on_the_number_of_workers(enrich, wanted):
    many = HereCluster(20)
    made = enrich(many)
    compare(made.rows, wanted)
    assert sum(map(len, many.sent)) == 12  # two passages have no question
    assert many.n_ahead_most == 5  # all groups, since there is a worker for each


def test_second_attempts_come_at_the_end_whatever_the_number_of_workers(enrich, wanted):
    def fail(answer: ProgramTaskResult) -> ProgramTaskResult:
        results = [
            replace(one, value=None, error=Message("too long"))
            if one.key in {(2, 0), (7, 0)}
            else one
            for one in answer.results
        ]
        return replace(answer, results=tuple(results))

    few, many = HereCluster(1, fail), HereCluster(20, fail)
    first, second = enrich(few, "few"), enrich(many, "many")
    assert first.result.n_failed == second.result.n_failed == 0
    compare(second.rows, first.rows)
    assert few.sent == many.sent
    assert sorted(few.sent[-2:]) == [((2, 1), (2, 2)), ((7, 1), (7, 2))]
    assert first.rows != wanted


def test_a_group_on_which_workers_die_is_asked_about_here(enrich, wanted):
    cluster = HereCluster()
    cluster.failures = [WorkersDied(), WorkersDied()]
    made = enrich(cluster)
    assert made.programs.n_here == 5  # one passage of the second group has no question
    compare(made.rows, wanted)


def test_lost_results_are_asked_for_again_and_then_made_here(enrich, wanted):
    cluster = HereCluster()
    cluster.failures = [ResultLost()] * 3
    made = enrich(cluster)
    assert made.programs.n_here == GROUP
    compare(made.rows, wanted)


def test_without_a_cluster_only_the_last_digits_of_probabilities_are_others(enrich, wanted):
    """The model of this computer reads other passages in one batch."""
    plain = enrich()
    assert count_rows(plain.rows) == count_rows(wanted)
    values = dict(eval(row) for row in plain.rows["model_cache"])
    for key, value in map(eval, wanted["model_cache"]):
        assert np.allclose(json.loads(values[key]), json.loads(value), atol=0.1)


def test_known_answers_are_not_asked_for(enrich, wanted, tmp_path, registry):
    enrich(HereCluster())
    asked = []
    for forget in ("", "DELETE FROM model_cache WHERE key = (SELECT min(key) FROM model_cache)"):
        with closing(Library(tmp_path / "copy.inkgraph")) as library:
            service = EnrichmentService(library.writer, lambda: None, find_facts=lambda: FACTS)
            service.enqueue(again=True)
            if forget:
                with library.writer.transaction():
                    library.writer.write(forget)
        cluster = HereCluster()
        made = enrich(cluster)
        assert (made.error, made.result.n_done) == (None, N_CHUNKS)
        asked.append(sum(map(len, cluster.sent)))
    assert asked[0] == 0 and 1 <= asked[1] <= 2  # two passages have the same questions


def test_a_worker_that_can_t_work_ends_the_run(enrich):
    broken = ProgramTaskResult(problem=Message("no memory is left."), worker="node-7")
    made = enrich(HereCluster(1, lambda result: broken))
    assert "The worker on node-7 can't be used: no memory" in str(made.error)
    assert made.n_waiting == N_CHUNKS


def test_workers_are_stopped(enrich):
    cancel, cluster = CancelToken(), HereCluster()

    def stop(progress: Progress) -> None:
        if progress.done == 1:
            cancel.cancel()

    made = enrich(cluster, cancel=cancel, on_progress=stop)
    assert isinstance(made.error, Cancelled) and made.n_waiting >= N_CHUNKS - GROUP
    [notified] = cluster.notified
    assert notified.func is tasks.stop_programs and cluster.n_dropped == cluster.n_ahead > 0


def test_a_worker_stops_at_the_tasks_of_a_stopped_command():
    tasks.stop_programs("stopped")
    chat = tasks.find_chat_file(tasks._open_models(), MODEL)
    task = ProgramTask(chat, (NoRecipe(),), {}, describe_chat_environment(), "stopped")
    assert run_program_task(task) == ProgramTaskResult(worker=platform.node())
    other = replace(task, chat=ChatFile(MODEL, chat.size_bytes, "0" * 64), run="other")
    assert "its file of random is another one" in run_program_task(other).problem
    newer = replace(task, environment={**task.environment, "llama-cpp-python": "9"}, run="other")
    assert "has llama-cpp-python" in run_program_task(newer).problem
    assert "Recipe" not in repr(task)  # a worker prints tasks that fail


class NoRecipe:
    is_second = False

    def build(self) -> Any:
        raise AssertionError("was built")


def test_a_worker_with_another_llama_cpp_is_named(registry):
    class OtherCluster(HereCluster):
        def ask_workers(self, function: Callable[[], Any]) -> dict[str, Any]:
            file, found = function()
            return {"tcp://a:1": (file, {**found, "llama-cpp-python": "0.1"})}

    with pytest.raises(EnvironmentProblem, match=r"worker tcp://a:1 has llama-cpp-python 0\.1"):
        ClusterPrograms(OtherCluster(), registry, MODEL, registry.find_chat)


def test_a_library_that_uses_a_model_server_has_no_use_for_a_cluster(registry):
    models = SimpleNamespace(registry=registry, chat_model_name=lambda: "large @ server")
    with pytest.raises(UserError, match="uses a model server"):
        open_programs(models, HereCluster())
