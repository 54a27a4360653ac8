"""The connection to a Dask cluster: the one module that imports `distributed`.

Owns the client, the comparison of versions, and what a lost scheduler, lost workers and a restart
mean. It contacts the scheduler whose address the user gave, and nothing else: results of workers
come through the scheduler too. Knows neither documents nor libraries.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import itertools
import logging
import re
import threading
import time
import uuid
import warnings
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from ...errors import AppError, EnvironmentProblem, UserError
from ...messages import Message
from ...progress import CancelToken
from .tasks import describe_difference, describe_environment, find_difference

log = logging.getLogger(__name__)
T = TypeVar("T")

CONNECT_S = 10.0
ANSWER_S = 30.0  # of a cluster to a request that takes no time
# A worker whose process ends is started again by its nanny within some ten seconds.
NO_WORKER_S = 60.0
SILENCE_S = 60.0  # of a scheduler that keeps its connection and answers nothing
_LOOK_S = 0.05
_COUNT_EVERY_S = 2.0
_CLOSE_S = 3.0
# Packages that must be the same for functions and results to be sent.
_CARRIERS = ("distributed", "dask", "msgpack", "cloudpickle", "toolz", "tornado")
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[\w.\-]+):(\d{1,5})", re.ASCII)
INSTALL_HINT = Message("Install it: pip install “inkgraph[cluster]”.")
SAME_VERSION_HINT = Message(
    "Install the same version of Inkgraph, with the same packages, on every machine of the cluster."
)


class ResultLost(Exception):
    """The cluster dropped a task: it was restarted, or the connection was lost for a while."""


class WorkersDied(Exception):
    """A task was on several workers that died."""


def parse_cluster_address(text: str) -> str:
    """Return the address of a scheduler.

    Raises:
        UserError: it is none.
    """
    address = text.strip()
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found[1]) < 65536:
        raise UserError(
            "“{address}” is no address of a cluster's scheduler.",
            "Give it as tcp://HOST:PORT, or tls://HOST:PORT.",
            address=address[:200],
        )
    return address


class PendingTask:
    """A task that was sent; `ClusterConnection.wait` gives its result."""

    def __init__(self, future: Any) -> None:
        self.future = future
        self.fetching: concurrent.futures.Future[Any] | None = None

    @property
    def is_fetched(self) -> bool:
        """Whether the result is here."""
        fetching = self.fetching
        if fetching is None or not fetching.done() or fetching.cancelled():
            return False
        return fetching.exception() is None


class ClusterConnection:
    """A connection to the scheduler of a cluster whose machines have the versions of this one.

    Attributes:
        environment: the versions of this computer.
        no_worker_s, silence_s: how long a cluster may have no worker, and give no answer.

    Raises:
        EnvironmentProblem: `distributed` is not installed, nobody answers, there is no worker, or
            a machine of the cluster has other versions.
    """

    def __init__(self, address: str, connect_s: float = CONNECT_S) -> None:
        self.address = address
        self.environment = describe_environment()
        self.no_worker_s, self.silence_s = NO_WORKER_S, SILENCE_S
        self.n_workers = self.n_threads = 0
        self._name = uuid.uuid4().hex[:12]
        self._numbers = itertools.count(1)
        self._counting: concurrent.futures.Future[Any] | None = None
        distributed = _import_distributed()
        self._loop = _EventLoop()
        try:
            self._client: Any = self._make_client(distributed, connect_s)
        except BaseException:
            self._loop.close()
            raise
        try:
            self._connect(connect_s)
            self._check_versions()
            self._take_count(self._call(self._client.nthreads))
        except BaseException:
            self.close()
            raise
        self._counted_at = self._worked_at = self._answered_at

    def _make_client(self, distributed: Any, connect_s: float) -> Any:
        # Certificates are those of Dask's own configuration.
        security = distributed.Security()
        has_context = security.get_connection_args("client")["ssl_context"] is not None
        if self.address.startswith("tls:") and not has_context:
            raise EnvironmentProblem(
                "For {address} a certificate is needed, and Dask's configuration names none.",
                "Set distributed.comm.tls.ca-file, client.cert and client.key there.",
                address=self.address,
            )

        async def make() -> Any:  # in its event loop; it connects when it is awaited
            return distributed.Client(
                self.address,
                security=security,
                timeout=connect_s,  # also to connect again
                asynchronous=True,
                set_as_default=False,
                direct_to_workers=False,
                name="inkgraph",
            )

        return self._loop.start(make).result()

    def _connect(self, connect_s: float) -> None:
        async def connect() -> None:
            # Dask's own limit does not count a server that accepts the connection and is silent.
            await asyncio.wait_for(self._client, connect_s)

        try:
            self._loop.start(connect).result()
        except OSError as error:  # also when the time is over
            log.info("no cluster: %s", type(error).__name__)
            raise EnvironmentProblem(
                "No scheduler answers at {address}.",
                "Check the address, and that “dask scheduler” runs there.",
                address=self.address,
            ) from error
        except Exception as error:  # of any kind: the other side may be anything
            raise EnvironmentProblem(
                "What answers at {address} is no scheduler of Dask: {reason}.",
                "Check the address.",
                address=self.address,
                reason=_describe(error),
            ) from error

    def _check_versions(self) -> None:
        """Compare the versions of all machines of the cluster with those here.

        The versions of Python and Dask come first, by a request of Dask's own: functions can't be
        sent between others.
        """
        versions = self._call(self._client.get_versions)
        if not versions["workers"]:
            raise EnvironmentProblem(
                "The cluster at {address} has no worker.",
                "Start one: dask worker {address}",
                address=self.address,
            )
        own = pick_versions(versions["client"])
        for where, other in (("", versions["scheduler"]), *versions["workers"].items()):
            self._compare(own, pick_versions(other), where)
        found = self.ask_workers(describe_environment)
        try:
            found[""] = self._call(lambda: self._client.run_on_scheduler(describe_environment))
        except AppError:
            raise
        except Exception as error:  # of any kind: it comes from the other machine
            found[""] = error
        for where, environment in found.items():
            if isinstance(environment, BaseException):
                raise EnvironmentProblem(
                    "{where} can't load Inkgraph: {reason}.",
                    SAME_VERSION_HINT,
                    where=self._name_machine(where),
                    reason=_describe(environment),
                ) from environment
            self._compare(self.environment, environment, where)

    def _compare(self, own: Mapping[str, str], other: Mapping[str, str], where: str) -> None:
        difference = find_difference(own, other)
        if difference is not None:
            message = describe_difference(difference, self._name_machine(where))
            raise EnvironmentProblem(message, SAME_VERSION_HINT)

    def _name_machine(self, where: str) -> Message:
        """Return the name of a worker by its address, that of the scheduler for ""."""
        if not where:
            return Message("The scheduler {address}", address=self.address)
        return Message("The worker {address}", address=where)

    def ask_workers(self, function: Callable[[], Any]) -> dict[str, Any]:
        """Return address -> what a short function returns on each worker, or its exception."""
        found: dict[str, Any] = self._call(lambda: self._client.run(function, on_error="return"))
        return found

    def notify_workers(self, function: Callable[[], Any]) -> None:
        """Run a short function on each worker, if the cluster answers soon."""
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # it only saves time
                call = self._loop.start(lambda: self._client.run(function, on_error="return"))
                call.result(_CLOSE_S)

    # --- tasks ------------------------------------------------------------------------------------

    def submit(self, function: Callable[[Any], Any], task: object) -> PendingTask:
        """Send a task; functions and tasks are of modules that the workers have, too.

        Raises:
            EnvironmentProblem: the scheduler is gone.
        """
        key = f"inkgraph-{self._name}-{next(self._numbers)}"  # without one, all bytes are hashed

        async def submit() -> PendingTask:
            if self._is_closed:
                raise self._describe_gone()
            return PendingTask(self._client.submit(function, task, key=key, pure=False))

        return self._loop.start(submit).result()

    def start_fetching(self, pending: PendingTask) -> None:
        """Fetch a result as soon as it is there; until then its worker keeps it."""
        if pending.fetching is None:
            future = pending.future
            pending.fetching = self._loop.start(lambda: self._client.gather(future, direct=False))

    def wait(
        self, pending: PendingTask, cancel: CancelToken, on_wait: Callable[[], None] = lambda: None
    ) -> Any:
        """Return the result of a task.

        A worker that dies meanwhile costs time: the scheduler gives its tasks to another one.

        Args:
            on_wait: called some times a second.

        Raises:
            ResultLost: the cluster dropped the task, which may be sent again.
            WorkersDied: several workers died while they had it.
            EnvironmentProblem: the scheduler or all workers are gone, or it can't run the task.
            Cancelled: the token was set.
        """
        self.start_fetching(pending)
        fetching = pending.fetching
        assert fetching is not None
        while not fetching.done():
            cancel.check()
            self.check()
            on_wait()
            concurrent.futures.wait([fetching], _LOOK_S)
        self._worked_at = time.monotonic()
        error = ResultLost() if fetching.cancelled() else fetching.exception()
        if error is None:
            return fetching.result()
        raise self._translate(error) from error

    def drop(self, pending: PendingTask) -> None:
        """Give up a task; one that runs already runs to its end and is dropped then."""
        if pending.fetching is not None:
            pending.fetching.cancel()
        if self._client.status == "running":
            self._loop.start(lambda: self._client.cancel([pending.future]))

    def _translate(self, error: BaseException) -> Exception:
        """Return what the failure of a task means here."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, (AppError, ResultLost)):
            return error
        if isinstance(error, KilledWorker):
            return WorkersDied()
        # A connection that is closed is an OSError.
        lost = (asyncio.CancelledError, concurrent.futures.CancelledError, OSError)
        if isinstance(error, lost):
            return ResultLost()
        return EnvironmentProblem(
            "The cluster at {address} can't do its work: {reason}.",
            SAME_VERSION_HINT,
            address=self.address,
            reason=_describe(error),
        )

    # --- the state of the cluster -----------------------------------------------------------------

    def check(self) -> None:
        """Count the workers every few seconds.

        Raises:
            EnvironmentProblem: the scheduler is gone or silent, or there is no worker any more.
        """
        if self._is_closed:
            raise self._describe_gone()
        now = time.monotonic()
        if self._counting is None and now - self._counted_at > _COUNT_EVERY_S:
            self._counted_at = now
            self._counting = self._loop.start(self._client.nthreads)
        if self._counting is not None and self._counting.done():
            with contextlib.suppress(Exception):  # the next count asks again
                self._take_count(self._counting.result())
            self._counting = None
        if self._counting is not None and now - self._answered_at > self.silence_s:
            raise self._describe_gone()
        if self.n_workers:
            self._worked_at = now
        elif now - self._worked_at > self.no_worker_s:
            raise EnvironmentProblem(
                "The cluster at {address} has no worker any more.",
                "What was written is in the library, the rest is queued: start workers, or leave"
                " --cluster out, and run the same command again.",
                address=self.address,
            )

    def wait_until_connected(self, cancel: CancelToken) -> None:
        """Wait while the client connects again.

        Raises:
            EnvironmentProblem: the scheduler does not come back within the time to connect.
            Cancelled: the token was set.
        """
        while self._client.status != "running":
            if self._is_closed:
                raise self._describe_gone()
            cancel.wait(_LOOK_S)

    @property
    def _is_closed(self) -> bool:
        """Whether the client gave up connecting again."""
        return self._client.status in ("closing", "closed")

    def _describe_gone(self) -> EnvironmentProblem:
        return EnvironmentProblem(
            "The scheduler at {address} does not answer any more.",
            "What was written is in the library, the rest is queued: start it, or leave --cluster"
            " out, and run the same command again.",
            address=self.address,
        )

    def _take_count(self, threads: Mapping[str, int]) -> None:
        self.n_workers, self.n_threads = len(threads), sum(threads.values())
        self._answered_at = time.monotonic()

    def close(self) -> None:
        """Disconnect; the cluster drops what was sent."""

        async def close() -> None:
            await asyncio.wait_for(self._client.close(), _CLOSE_S)

        with contextlib.suppress(Exception):  # it may be gone already
            self._loop.start(close).result(2 * _CLOSE_S)
        self._loop.close()

    def _call(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what a method of the client gives.

        Raises:
            EnvironmentProblem: there is no answer in time.
        """
        try:
            return self._loop.start(call).result(ANSWER_S)
        except OSError as error:  # also when the time is over
            raise self._describe_gone() from error


class _EventLoop:
    """The thread in which the client runs; its methods are called in it and awaited."""

    def __init__(self) -> None:
        self._is_running = threading.Event()
        self._thread = threading.Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()
        self._is_running.wait()

    def _run(self) -> None:
        asyncio.run(self._wait())

    async def _wait(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        # Tasks of the client that are cut short when it is closed; all else is given to callers.
        self._loop.set_exception_handler(lambda _, context: log.info("%s", context["message"]))
        self._is_running.set()
        await self._stop.wait()

    def start(self, call: Callable[[], Awaitable[T]]) -> concurrent.futures.Future[T]:
        async def run() -> T:
            return await call()

        return asyncio.run_coroutine_threadsafe(run(), self._loop)

    def close(self) -> None:
        """End the thread; what it still waits for is cancelled."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_CLOSE_S)


def _import_distributed() -> Any:
    try:
        import dask
        import distributed
    except ImportError as error:
        raise EnvironmentProblem(
            "A cluster needs the package “distributed”, which is not installed.", INSTALL_HINT
        ) from error
    # It prints tracebacks and warnings of its own; what goes wrong is reported here.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", category=distributed.versions.VersionMismatchWarning)
    # A file travels inside its task, so that the scheduler can give it to another worker.
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GiB"})
    return distributed


def pick_versions(described: Mapping[str, Any]) -> dict[str, str]:
    """Return the versions of Python and of what carries tasks, from Dask's list of a machine."""
    packages = described["packages"]
    python = ".".join(str(packages["python"]).split(".")[:2])
    return {"Python": python} | {name: str(packages.get(name) or "") for name in _CARRIERS}


def _describe(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
