"""Computes vectors with the embedding models of a cluster's workers, in groups of texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...llm.protocols import Embedder
from ...progress import CancelToken
from .connection import ClusterConnection, PendingTask, ResultLost, WorkersDied
from .tasks import PROBE, EmbedTask, find_worker_embedding_model, run_embed_task

GROUP = 16  # texts in one task; more need more memory in the worker's model
GROUPS_PER_THREAD = 4  # asked for at once, so that the last ones leave few workers idle


class ClusterEmbedder:
    """Fulfils `Embedder`: passages are computed by workers, questions and the rest here.

    Args:
        local: the same model on this computer; also for what a worker can't compute.
    """

    is_remote = False

    def __init__(self, local: Embedder, cluster: ClusterConnection, cancel: CancelToken) -> None:
        self.name, self.dim = local.name, local.dim
        self._local, self._cluster, self._cancel = local, cluster, cancel
        [self._probe] = local.embed_passages([PROBE])
        self.n_here = 0  # texts whose vectors were computed on this computer

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        """See `Embedder.embed_passages`.

        Raises:
            EnvironmentProblem: the cluster is gone.
            Cancelled: the token was set.
        """
        groups = [tuple(texts[start : start + GROUP]) for start in range(0, len(texts), GROUP)]
        self._cluster.wait_until_connected(self._cancel)
        sent = [self._send(group) for group in groups]
        for pending in sent:
            self._cluster.start_fetching(pending)
        rows = [np.zeros((0, self.dim), np.float32)]
        try:
            for group, pending in zip(groups, sent, strict=True):
                rows.append(self._take(group, pending))
        except BaseException:
            for pending in sent:
                self._cluster.drop(pending)
            raise
        return np.concatenate(rows)

    def embed_query(self, text: str) -> np.ndarray:
        return self._local.embed_query(text)

    def close(self) -> None:
        """The model of this computer is closed by what opened it."""

    def _send(self, group: tuple[str, ...]) -> PendingTask:
        return self._cluster.submit(run_embed_task, EmbedTask(self.name, self._probe, group))

    def _take(self, group: tuple[str, ...], pending: PendingTask) -> np.ndarray:
        try:
            rows: np.ndarray | None = self._cluster.wait(pending, self._cancel)
        except (ResultLost, WorkersDied):
            rows = None
        if rows is None or rows.shape != (len(group), self.dim):
            self.n_here += len(group)
            return self._local.embed_passages(group)
        return rows


def choose_batch(cluster: ClusterConnection) -> int:
    """Return how many texts keep all threads of a cluster busy."""
    return GROUP * GROUPS_PER_THREAD * max(1, cluster.n_threads)


def find_workers_without(cluster: ClusterConnection, model: str) -> list[str]:
    """Return the addresses of the workers whose embedding model is not this one."""
    found = cluster.ask_workers(find_worker_embedding_model)
    return sorted(address for address, name in found.items() if name != model)
