"""What `--cluster` adds to `add` and `enrich`: the connection, the shared work, its progress.

`enrich --fixed-groups` asks the same groups on this computer.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ..engine.errors import EnvironmentProblem, UserError
from .command_context import count_words
from .ocr import OcrProgressPrinter

if TYPE_CHECKING:
    from ..engine.llm.protocols import Embedder
    from ..engine.progress import CancelToken, Progress
    from ..engine.services.cluster.connection import ClusterConnection
    from ..engine.services.cluster.enrichment import ClusterPrograms
    from ..engine.services.enrichment.grouped_programs import GroupedPrograms
    from ..engine.services.enrichment.rates import ChatFacts
    from ..engine.services.library import Library
    from ..engine.services.library_models import LibraryModels
    from ..engine.text.chunking import ChunkingSettings


def cluster_address(text: str) -> str:
    """Return the address in an argument; an empty one does not mean work on this computer."""
    from ..engine.services.cluster.connection import parse_cluster_address

    try:
        return parse_cluster_address(text)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


@contextmanager
def open_cluster(address: str | None) -> Iterator[ClusterConnection | None]:
    """Yield a connection to a cluster, None without an address, and close it at the end.

    Raises:
        UserError: it is no address.
        EnvironmentProblem: the cluster can't be used.
    """
    if not address:
        yield None
        return
    from ..engine.services.cluster.connection import ClusterConnection, parse_cluster_address

    cluster = ClusterConnection(parse_cluster_address(address))
    try:
        yield cluster
    finally:
        cluster.close()


class ClusterProgressPrinter(OcrProgressPrinter):
    """Names the workers; of each document only what takes long on this computer.

    What is written of each document is not printed: a cluster reads many in a second.
    """

    stages: ClassVar[Mapping[str, str]] = {
        **OcrProgressPrinter.stages,
        "cluster": "reading documents and finding names:",
    }

    def __init__(self, cluster: ClusterConnection) -> None:
        super().__init__()
        self._cluster = cluster
        self.shared = {"cluster"}  # stages that the cluster does

    def __call__(self, progress: Progress) -> None:
        is_written = progress.stage == "names"
        is_begun = progress.stage == "reading" and not progress.total
        if not is_written and not is_begun:
            super().__call__(progress)

    def words(self, progress: Progress) -> str:
        words = super().words(progress)
        if progress.stage not in self.shared:
            return words
        return f"{words}, on {count_words(self._cluster.n_workers, 'worker')}"


class ClusterWork:
    """Indexing on a cluster: the analysis of documents, and vectors where its workers have the
    embedding model of this computer."""

    def __init__(
        self,
        library: Library,
        models: LibraryModels,
        cluster: ClusterConnection,
        chunking: ChunkingSettings,
        token: CancelToken,
        *,
        embed: bool,
    ) -> None:
        from ..engine.services.cluster.analysis import ClusterAnalysis
        from ..engine.services.cluster.embedding import ClusterEmbedder, choose_batch
        from ..engine.services.indexing import BATCH, IndexingService

        self.progress = ClusterProgressPrinter(cluster)
        self._analysis = ClusterAnalysis(
            library.writer, cluster, chunking, on_progress=self.progress
        )
        self._embedder: ClusterEmbedder | None = None
        can_embed = embed and _can_embed(models, cluster)
        if can_embed:
            self.progress.shared.add("embedding")

        def find_embedder() -> Embedder | None:
            local = models.find_embedder()
            if local is None or local.is_remote or not can_embed:
                return local
            if self._embedder is None:
                self._embedder = ClusterEmbedder(local, cluster, token)
            return self._embedder

        self.indexing = IndexingService(
            library.writer,
            find_embedder,
            chunking,
            analysis=self._analysis,
            batch=choose_batch(cluster) if can_embed else BATCH,
        )

    def describe(self) -> list[str]:
        """Return what this computer did itself, one sentence a line."""
        lines = []
        if n := len(self._analysis.read_here):
            lines.append(f"{count_words(n, 'file')} read on this computer")
        if self._embedder is not None and (n := self._embedder.n_here):
            lines.append(f"{count_words(n, 'vector')} computed on this computer")
        return lines


def _can_embed(models: LibraryModels, cluster: ClusterConnection) -> bool:
    """Return whether all workers have the embedding model in use; print which does not."""
    from ..engine.services.cluster.embedding import find_workers_without

    name = models.registry.embedding_name()
    if not name or models.embedding_name() != name:  # none, or one on a model server
        return False
    without = find_workers_without(cluster, name)
    if without:
        print(
            f"inkgraph: {', '.join(without)} without the embedding model {name}, so vectors are "
            f"computed on this computer; get it there with: inkgraph models install {name}",
            file=sys.stderr,
        )
    return not without


def open_programs(models: LibraryModels, cluster: ClusterConnection) -> ClusterPrograms:
    """Return what asks the chat model in use on the workers of a cluster.

    Raises:
        UserError: the library uses a model server.
        EnvironmentProblem: no chat model is installed, or a worker lacks it.
    """
    from ..engine.services.cluster.enrichment import ClusterPrograms

    name = models.registry.chat_model_name()
    if models.chat_model_name() != name:
        raise UserError(
            "This library uses a model server, which a cluster can't ask.",
            "Leave --cluster out, or turn the server off: inkgraph model-server off.",
        )
    if not name:
        raise _no_chat_model()
    return ClusterPrograms(cluster, models.registry, name, models.registry.find_chat)


def open_grouped_programs(models: LibraryModels) -> GroupedPrograms:
    """Return what asks the chat model in use on this computer, in the groups of a cluster.

    Raises:
        UserError: the library uses a model server.
        EnvironmentProblem: no chat model is installed.
    """
    from ..engine.llm.llama_chat import name_in_cache
    from ..engine.services.enrichment.grouped_programs import GroupedPrograms

    name = models.registry.chat_model_name()
    if models.chat_model_name() != name:
        raise UserError(
            "This library uses a model server, which forms its batches itself.",
            "Leave --fixed-groups out, or turn the server off: inkgraph model-server off.",
        )
    path = models.registry.get_chat_row(name).path if name else None
    if path is None:
        raise _no_chat_model()
    return GroupedPrograms(name_in_cache(name, path), models.registry.find_chat)


def _no_chat_model() -> EnvironmentProblem:
    return EnvironmentProblem(
        "Enriching needs a chat model, and none is installed.", "Get one under Models."
    )


def find_facts_elsewhere(models: LibraryModels, where: str) -> ChatFacts | None:
    """Return the chat model in use, with a speed of its own for another way of asking it."""
    facts = models.find_chat_facts()
    return None if facts is None else replace(facts, where=where)
